// Facts of a request of A2A that its methods share.
import type { Agent } from "../../protocol/agents/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { tenantOf } from "../principal.ts";
import { checkOrigin } from "../token-issuers/check-origin.ts";
import type { A2aBinding } from "./bindings.ts";

export interface A2aCall {
  readonly context: AppContext;
  readonly agent: Agent;
  readonly binding: A2aBinding;
}

/**
 * The agent of the path. An app has that of its session alone.
 * @throws HttpError 404 for one that is not there, or is no server of A2A, or not that of a client token's session.
 */
export async function findServedAgent(context: AppContext): Promise<Agent> {
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agent = await agents.read(pathId(context, "agent_id"));
  if (!agent?.a2a?.enabled) throw notFound("agent");
  const principal = context.get("principal");
  if (principal.kind === "client_token") {
    const stub = sessionStub(context.env, principal.tenantId, principal.sessionId);
    if (unwrap(await stub.act("read")).agent_id !== agent.id) throw notFound("agent");
  }
  return agent;
}

/**
 * Pages of others may send an end user's token where its issuer was registered with their origin. Those of client tokens are
 * checked with the token.
 */
export function checkPage(context: AppContext): void {
  const principal = context.get("principal");
  if (principal.kind === "end_user") checkOrigin(context, principal);
}
