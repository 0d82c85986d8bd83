// The events with which the platform ends a reply that it gives up.
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

/** The end of a reply whose interrupt was complete, but for a text about it. */
const INTERRUPTED = { finished_reason: "interrupted" } as const;

/** Discards blocks that were left open, gives calls of unknown outcome a result that says so, and ends the reply. */
export function giveUpDrafts(state: ReplyState, session_id: string): readonly EventDraft[] {
  const lost = recoveryEvents(state);
  const at = new Date().toISOString();
  const after = lost.reduce(
    (before, draft) => advanceReply(before, stampEvent(draft, 0, at)),
    state,
  );
  const closing = state.is_interrupted ? INTERRUPTED : CLOSING;
  return [...lost, ...closeReply(after, { ...closing, session_id })];
}

/** The last of these events alone, for a reply whose state cannot be read. */
export function replyEndDraft(reply_id: string, session_id: string): EventDraft {
  return { type: "REPLY_END", session_id, reply_id, ...CLOSING };
}
