// The state of a call that asked its client for input, given to the client and taken back: signed, so that it can
// neither be made up nor be changed, and bound to who may send it. Nothing of it is stored.
import type { Reply } from "../../protocol/replies/contract.ts";
import { MCP_REQUEST_STATE_MS } from "../../protocol/agent-mcp/limits.ts";
import type { WaitingCall } from "../../protocol/agent-mcp/waiting-calls.ts";
import type { AskedCall } from "../../protocol/agent-mcp/waiting-inputs.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, signToken } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import { endUserOf } from "./find-conversation.ts";

export async function signRequestState(
  context: AppContext,
  agentId: string,
  reply: Reply,
  waiting: readonly WaitingCall[],
): Promise<string> {
  const claims = {
    tenant_id: tenantOf(context),
    agent_id: agentId,
    end_user_id: endUserOf(context),
    session_id: reply.session_id,
    reply_id: reply.id,
    calls: waiting.map(({ call: { tool_call, kind, input_hash } }) => ({
      id: tool_call.id,
      kind,
      hash: input_hash,
    })),
    exp: Date.now() + MCP_REQUEST_STATE_MS,
  };
  return signToken("mcp_request_state", claims, context.env.KEY_PEPPER);
}

interface RequestState {
  readonly session_id: string;
  readonly reply_id: string;
  readonly calls: readonly AskedCall[];
}

/** Null for a state that was not signed here, has expired, or is of another tenant, agent or end user. */
export async function openRequestState(
  context: AppContext,
  agentId: string,
  state: string,
): Promise<RequestState | null> {
  const pepper = keyPepperOf(context.env);
  const opened = await openToken("mcp_request_state", state, pepper, Date.now());
  if (!opened.ok) return null;
  const { claims } = opened;
  const isTheirs =
    claims.tenant_id === tenantOf(context) &&
    claims.agent_id === agentId &&
    claims.end_user_id === endUserOf(context);
  return isTheirs ? claims : null;
}
