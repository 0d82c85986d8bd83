// Replies whose client over MCP has left: a durable timer ends each, unless a call follows the reply again before that.
import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import {
  MCP_FOLLOWER_GRACE_MS,
  MCP_LEFT_MS,
  MCP_FOLLOWER_MS,
} from "../../protocol/agent-mcp/limits.ts";
import { TIMER_RETRY_MS } from "../../protocol/replies/limits.ts";
import type { OpenSession } from "./open-session.ts";
import type { FollowingCall } from "./reply-followers.ts";

/** A call of MCP, and the reply that it follows. */
export interface FollowedBy {
  readonly reply_id: string;
  readonly call: FollowingCall;
}

export interface ReplyQuestion {
  readonly reply_id: string;
  /** Longest wait for its end, in milliseconds. */
  readonly wait_ms: number;
  /** The call of MCP that asks in order to follow it. */
  readonly call?: FollowingCall;
}

/** A reply in its durable state, for one who may follow it. */
export function followReply(
  { followers, queue }: OpenSession,
  { reply_id, wait_ms, call }: ReplyQuestion,
): Promise<Result<Reply>> {
  if (call) followers.note(reply_id, call, Date.now() + wait_ms + MCP_FOLLOWER_GRACE_MS);
  return queue.read(reply_id, wait_ms);
}

/** The call follows the reply again, which then continues if it was left. Returns whether it ends when the call's client leaves. */
export function keepReply(
  { followers, tables }: OpenSession,
  { reply_id, call }: FollowedBy,
): Result<boolean> {
  const timer = { kind: "left", id: reply_id } as const;
  const wasLeft = tables.timers.has(timer);
  if (wasLeft) tables.timers.clear(timer);
  const untilMs = Date.now() + MCP_FOLLOWER_MS + MCP_FOLLOWER_GRACE_MS;
  const owns = call.owns || wasLeft;
  return accept(followers.takeOver(reply_id, { id: call.id, owns }, untilMs));
}

/** The call's client has left. A row at most for a reply, however often it is left. */
export function leaveReply(session: OpenSession, { reply_id, call }: FollowedBy): Result<null> {
  const isLeft = session.followers.leave(reply_id, call);
  if (isLeft && session.openReply?.id === reply_id) {
    session.tables.timers.setBy({ kind: "left", id: reply_id }, Date.now() + MCP_LEFT_MS);
  }
  return accept(null);
}

/**
 * The timers' handler: interrupts the reply as its end user would, also one that waits. @param isSpent It was tried as
 * often as it may.
 */
export function interruptLeftReplies(
  session: OpenSession,
  isSpent: boolean,
  inBackground: (work: Promise<void>) => void,
): void {
  const { timers } = session.tables;
  for (const timer of timers.due(Date.now())) {
    if (timer.kind !== "left") continue;
    const { openReply } = session;
    const isOver = openReply?.id !== timer.id || openReply.state.is_interrupted;
    if (isSpent || isOver) {
      timers.clear(timer);
      continue;
    }
    timers.putOff(timer, Date.now() + TIMER_RETRY_MS);
    inBackground(interruptLeft(session, timer.id));
  }
}

/** Contract: never rejects. The timer goes in the commit of the interrupt. */
async function interruptLeft({ runner, tables }: OpenSession, replyId: string): Promise<void> {
  const accepted = [
    { type: "USER_INTERRUPT", reply_id: replyId, metadata: { reason: CLIENT_LEFT } },
  ] as const;
  const clear = () => tables.timers.clear({ kind: "left", id: replyId });
  try {
    await runner.interrupt(accepted, clear, { isByUser: true });
  } catch (error) {
    console.error("a reply that was left could not be interrupted", { error: String(error) });
  }
}

/** Reason in the metadata of the interrupt, which no request has asked for. */
const CLIENT_LEFT = "client_left";
