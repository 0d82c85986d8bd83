// Resolves the calls that an app wants to answer, and their reply.
import type { Confirmation } from "../../protocol/confirmations/contract.ts";
import type { PendingCall, Reply } from "../../protocol/replies/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

type CallToAnswer = PendingCall | Confirmation | string;

/** A reply or session (all its waiting calls), or one or several calls or call ids. */
export type CallsToAnswer = Reply | Session | CallToAnswer | readonly CallToAnswer[];

export interface FoundCalls {
  readonly replyId: string;
  readonly calls: readonly PendingCall[];
}

/** Placeholder reply id: the platform refuses the answer and reports the state of the call. */
const NO_REPLY = "rep_none";

/**
 * A reply and the items of the tenant's list name their reply. For others the session is read: at most one of its
 * replies waits.
 */
export async function findCalls(
  transport: Transport,
  sessionId: string,
  given: CallsToAnswer,
  options?: RequestOptions,
): Promise<FoundCalls> {
  if (typeof given === "object" && "pending" in given) {
    const replyId = "reply_id" in given ? given.reply_id : given.id;
    return { replyId: replyId ?? NO_REPLY, calls: given.pending };
  }
  const items = [given].flat() as readonly CallToAnswer[];
  const [first] = items;
  let replyId = typeof first === "object" && "reply_id" in first ? first.reply_id : null;
  let waiting: readonly PendingCall[] = [];
  if (!replyId || !items.every(isWhole)) {
    const session = await transport.get<Session>(["sessions", sessionId], options);
    replyId ??= session.reply_id;
    waiting = session.pending;
  }
  const calls = items.map((item) => {
    if (isWhole(item)) return item;
    const id = typeof item === "string" ? item : item.tool_call_id;
    const found = waiting.find(({ tool_call }) => tool_call.id === id);
    // A call that does not wait any more is named by its id: the platform's answer tells its state.
    return found ?? ({ tool_call: { id } } as PendingCall);
  });
  return { replyId: replyId ?? NO_REPLY, calls };
}

function isWhole(item: CallToAnswer): item is PendingCall {
  return typeof item === "object" && item.tool_call !== null;
}
