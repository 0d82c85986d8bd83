// Questions of a waiting reply as elicitations of MCP, and their answers. Forms are flat, and ask for nothing secret.
import { MAX_ANSWER_REASON_CHARACTERS } from "../confirmations/limits.ts";
import type { McpAnswer, McpPending } from "./agent-tools.ts";
import { isObject } from "./json-rpc.ts";
import { toPending } from "./to-call-result.ts";
import type { WaitingCall } from "./waiting-calls.ts";

/** Whether the client can show forms: an empty declaration means them too. */
export function takesForms(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { elicitation } = capabilities;
  if (!isObject(elicitation)) return false;
  return Object.keys(elicitation).length === 0 || isObject(elicitation["form"]);
}

/** The input requests for what waits, by call id. */
export function toInputRequests(waiting: readonly WaitingCall[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    waiting
      .map(({ call }) => toPending(call))
      .map((call) => [
        call.call_id,
        {
          method: "elicitation/create",
          params: { mode: "form", message: messageOf(call), requestedSchema: formOf(call) },
        },
      ]),
  );
}

function messageOf({ kind, tool, input, question }: McpPending): string {
  if (kind === "external_result") return `The agent needs the result of ${tool} with ${input}`;
  return `${question ?? `May the agent call ${tool}?`}\n${tool} ${input}`;
}

function formOf({ kind }: McpPending): object {
  if (kind === "external_result") {
    return {
      type: "object",
      properties: { output: { type: "string", title: "Result" } },
      required: ["output"],
    };
  }
  return {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", enum: ["approve", "deny"] },
      reason: { type: "string", title: "Reason", maxLength: MAX_ANSWER_REASON_CHARACTERS },
    },
    required: ["decision"],
  };
}

/** A call that was asked about, with the hash of the input that was shown. */
export interface AskedCall {
  readonly id: string;
  readonly kind: McpPending["kind"];
  readonly hash: string | null;
}

/**
 * The answers to the calls. A form that was dismissed, or filled in otherwise than asked, is no answer: its call goes
 * on waiting. A form that was declined is a denial, or the result that there is none.
 * @param responses `inputResponses` as the client sends them.
 */
export function readInputResponses(
  calls: readonly AskedCall[],
  responses: unknown,
): readonly McpAnswer[] {
  return calls.flatMap(({ id, kind, hash }): McpAnswer[] => {
    const response =
      isObject(responses) && Object.hasOwn(responses, id) ? responses[id] : undefined;
    if (!isObject(response)) return [];
    const content = isObject(response["content"]) ? response["content"] : {};
    const isDeclined = response["action"] === "decline";
    if (!isDeclined && response["action"] !== "accept") return [];
    if (kind === "external_result") {
      if (isDeclined) {
        return [{ call_id: id, output: "The person has given no result.", is_error: true }];
      }
      const { output } = content;
      return typeof output === "string" ? [{ call_id: id, output }] : [];
    }
    const { decision, reason } = content;
    const approved = isDeclined ? false : readDecision(decision);
    if (approved === null) return [];
    const isReason = typeof reason === "string" && reason !== "";
    return [
      {
        call_id: id,
        approved,
        ...(hash !== null && { input_hash: hash }),
        ...(isReason && { reason: reason.slice(0, MAX_ANSWER_REASON_CHARACTERS) }),
      },
    ];
  });
}

function readDecision(value: unknown): boolean | null {
  if (value === "approve") return true;
  return value === "deny" ? false : null;
}
