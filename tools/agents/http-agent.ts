// An agent in code on a server of its tenant: its requests, and the hook by which it is told of observed messages.
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { HttpCodeAgent } from "../../protocol/agents/http-code-agent.ts";
import { signedRequest, type PreparedRequest } from "../signed-request.ts";

/** The definition of an agent in code over HTTP; null for one of the deployment, and for none. */
export function httpAgentOf(code_agent: AgentDefinition["code_agent"]): HttpCodeAgent | null {
  return typeof code_agent === "object" ? code_agent : null;
}

/** A request for a turn, or for the words about an interrupt. @param id Without a dot. */
export function prepareTurn(
  definition: HttpCodeAgent,
  {
    id,
    body,
    secrets,
  }: { readonly id: string; readonly body: string; readonly secrets: SecretSource },
): Promise<PreparedRequest> {
  return signedRequest(definition, { id, body, nowMs: Date.now(), secrets, of: "code_agent" });
}
