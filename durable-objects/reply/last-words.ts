// What is left to say of a reply that the platform gives up.
import { budgetError } from "../../agent/state/budget.ts";
import { closeReply } from "../../agent/state/close-reply.ts";
import { recoveryEvents } from "../../agent/recovery/recovery.ts";
import { advanceReply, type ReplyState } from "../../agent/state/reply-state.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { stampEvent } from "../log/event-stamp.ts";

const CLOSING = {
  finished_reason: "error",
  error: budgetError("attempts"),
  metadata: { budget: "attempts" },
} as const;

/** What was open is taken back, what nobody knows the outcome of is said to be so, and the reply ends. */
export function lastWords(state: ReplyState, session_id: string): readonly EventDraft[] {
  const lost = recoveryEvents(state);
  const at = new Date().toISOString();
  const after = lost.reduce(
    (before, draft) => advanceReply(before, stampEvent(draft, 0, at)),
    state,
  );
  return [...lost, ...closeReply(after, { ...CLOSING, session_id })];
}

/** The last of them alone. */
export function replyEnd(reply_id: string, session_id: string): EventDraft {
  return { type: "REPLY_END", session_id, reply_id, ...CLOSING };
}
