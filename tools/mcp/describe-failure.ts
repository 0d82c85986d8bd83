// A server's failure to answer, in words for the model and the tenant. The reason is the platform's own: it becomes a
// hint, which the model trusts.
import { failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { redact } from "../../outgoing/redact.ts";
import { MAX_MCP_MESSAGE_CHARACTERS } from "../../protocol/mcp/limits.ts";
import { isOfTooLittle } from "./oauth/challenge.ts";
import type { McpFailure, McpOutcome } from "./mcp-outcome.ts";

interface FailedServer {
  readonly name: string;
  readonly secrets: readonly string[];
}

export function describeMcpFailure(
  outcome: Exclude<McpOutcome, { type: "result" }>,
  { name, secrets }: FailedServer,
): McpFailure {
  const server = `The MCP server ${name}`;
  switch (outcome.type) {
    case "broken":
      return {
        kind: outcome.kind,
        reason: `${server} ${outcome.reason}.`,
        ...(outcome.needsSignIn && { needs_sign_in: true }),
      };
    case "refused": {
      const { code, message } = outcome.error;
      const said = redact(message, secrets, MAX_MCP_MESSAGE_CHARACTERS);
      const reason = `${server} refused the request with error ${code}.`;
      return { kind: "tool_error", code, reason, ...(said !== "" && { message: said }) };
    }
    case "http": {
      const { status, challenge } = outcome;
      const said = redact(outcome.text, secrets, MAX_MCP_MESSAGE_CHARACTERS);
      const reason = `${server} ${ofStatus(status)}`;
      const isUnsigned = status === 401 || isOfTooLittle(status, challenge);
      const more = {
        ...(said !== "" && { message: said }),
        ...(isUnsigned && { needs_sign_in: true as const }),
      };
      return { kind: failureKindOfStatus(status), http_status: status, reason, ...more };
    }
    case "accepted":
      return { kind: "empty_answer", reason: `${server} gave no answer.` };
    default:
      return outcome satisfies never;
  }
}

function ofStatus(status: number): string {
  if (status >= 300 && status < 400) {
    return `answered ${status}, a redirect; redirects are not followed.`;
  }
  if (status === 401 || status === 403) {
    return `answered ${status}: it refuses the credential, or wants one.`;
  }
  if (status === 404 || status === 405 || status === 406 || status === 415) {
    return `answered ${status}: there is no streamable HTTP at its address. Servers that speak stdio or the old HTTP+SSE alone are not on this platform.`;
  }
  return `answered ${status}.`;
}
