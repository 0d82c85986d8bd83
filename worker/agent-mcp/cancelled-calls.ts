// `notifications/cancelled` of the older era names a request by its id alone, and may reach another machine than the
// request did. So each call of a connection leaves a row in D1 for a day: which reply it has started.
import { PostedEventSchema } from "../../protocol/api/events.ts";
import type { Reply } from "../../protocol/api/replies.ts";
import type { RpcId } from "../../protocol/mcp-server/json-rpc.ts";
import { claimKey, keepAnswerAlone } from "../../storage/statements/idempotency-storage.ts";
import type { AppContext } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../sessions/session-stub.ts";
import { endUserOf } from "./find-conversation.ts";
import type { McpCall } from "./mcp-call.ts";
import { hasVerb } from "./require-verb.ts";

/** What rows have in place of a request's hash: those of calls, and those of cancellations that were here first. */
const OF_CALL = "mcp-call";
const OF_CANCELLATION = "mcp-cancelled";

interface StartedReply {
  readonly session_id: string;
  readonly reply_id: string;
}

/** A call as its cancellation names it. */
export type NamedCall = Pick<McpCall, "context" | "id" | "connection"> & {
  readonly agent: { readonly id: string };
};

/** Notes which reply the call has started, or ends it when its cancellation was here first. */
export async function noteOrCancel(call: McpCall, reply: Reply): Promise<void> {
  if (call.connection === undefined) return;
  const { DB } = call.context.env;
  const claim = claimOf(call, call.connection, call.id);
  const started: StartedReply = { session_id: reply.session_id, reply_id: reply.id };
  const claimed = await claimKey(DB, claim, OF_CALL, Date.now());
  // Any other row is that of a call with the same id, which cancels nothing.
  if (claimed.kind === "reused") await interrupt(call.context, started);
  if (claimed.kind !== "claimed") return;
  await keepAnswerAlone(DB, claim, { status: 200, body: started });
}

/** Ends the reply of the call or, when it is not known yet, leaves a note that {@link noteOrCancel} finds. */
export async function cancelCall(call: NamedCall): Promise<void> {
  const { context, connection, id } = call;
  if (connection === undefined || !hasVerb(context, "interrupt")) return;
  const claim = claimOf(call, connection, id);
  const { DB } = context.env;
  const left = await claimKey(DB, claim, OF_CANCELLATION, Date.now());
  if (left.kind !== "reused") return;
  const found = await claimKey(DB, claim, OF_CALL, Date.now());
  if (found.kind === "answered") await interrupt(context, found.answer.body as StartedReply);
}

/** That reply alone: a later one of the session goes on. */
async function interrupt(
  context: AppContext,
  { session_id, reply_id }: StartedReply,
): Promise<void> {
  const event = PostedEventSchema.parse({ type: "USER_INTERRUPT", reply_id });
  const actor = actorOf(context.get("principal"));
  await sessionStub(context.env, tenantOf(context), session_id).act("postEvent", event, { actor });
}

/** The end user is part of the key: no other can cancel the call. */
function claimOf({ context, agent }: NamedCall, connection: string, id: RpcId) {
  return {
    owner: tenantOf(context),
    path: `/v1/agents/${agent.id}/mcp`,
    key: JSON.stringify([connection, endUserOf(context), id]),
    claimId: crypto.randomUUID(),
  };
}
