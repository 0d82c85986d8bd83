// `notifications/cancelled` of the older era. Under a connection that was given to the caller it ends the reply of its
// call, or waits for that one; under any other it is nothing, and costs no look.
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { RpcId } from "../../protocol/agent-mcp/json-rpc.ts";
import {
  findCancelledCalls,
  noteAgentCall,
  type AgentConnection,
  type StartedReply,
} from "../../storage/agent-mcp/agent-calls.ts";
import type { AppContext } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { findConnection } from "./connection-id.ts";
import { endUserOf } from "./find-conversation.ts";
import type { ServedCall } from "./served-call.ts";
import { hasVerb } from "./require-verb.ts";

/** Notes which reply the call has started, or ends it when its cancellation was here first. */
export async function noteOrCancel(
  { context, agent, era, id }: ServedCall,
  reply: Reply,
): Promise<void> {
  if (era.era === "self_described") return;
  const of = await connectionOf(context, agent.id);
  if (!of) return;
  const started = { session_id: reply.session_id, reply_id: reply.id };
  const isCancelled = await noteAgentCall(context.env.DB, of, id, started);
  if (isCancelled) await interrupt(context, started);
}

/** Ends the replies of the calls; an id whose call is not known yet waits for it. */
export async function cancelCalls(
  context: AppContext,
  agentId: string,
  ids: readonly RpcId[],
): Promise<void> {
  if (ids.length === 0 || !hasVerb(context, "interrupt")) return;
  const of = await connectionOf(context, agentId);
  if (!of) return;
  const started = await findCancelledCalls(context.env.DB, of, ids);
  await Promise.all(started.map((one) => interrupt(context, one)));
}

/** Interrupts that reply alone: a later one of the session continues. */
async function interrupt(
  context: AppContext,
  { session_id, reply_id }: StartedReply,
): Promise<void> {
  const event = PostedEventSchema.parse({ type: "USER_INTERRUPT", reply_id });
  const actor = actorOf(context.get("principal"));
  await sessionStub(context.env, tenantOf(context), session_id).act("postEvent", event, { actor });
}

async function connectionOf(
  context: AppContext,
  agentId: string,
): Promise<AgentConnection | undefined> {
  const connection = await findConnection(context, agentId);
  if (connection === undefined) return undefined;
  const tenant_id = tenantOf(context);
  const path = `/v1/agents/${agentId}/mcp`;
  return { tenant_id, path, connection, end_user_id: endUserOf(context) };
}
