// Rebuilds the reply that the object's last incarnation left open, from the log: exactly, or from what can be read of
// it, or without its text.
import { advanceReply, startReplyState, type ReplyState } from "../../agent/state/reply-state.ts";
import type { EventOf } from "../../protocol/events.ts";
import { ActiveReply } from "./active-reply.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";

export interface RestoreSource {
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly init: SessionInit;
}

/** @throws when an event of it cannot be read or folded. */
export function restoreReply({ tables, log }: RestoreSource, row: ReplyRow): ActiveReply {
  let reply: ActiveReply | null = null;
  for (const { item: event } of log.events(row.start_cursor, undefined, rethrow)) {
    if (reply) reply.logged(event);
    else if (event.type === "REPLY_START") reply = new ActiveReply(row, event);
  }
  if (!reply) throw new Error("the log does not say how the reply began");
  const { failed_tries: failed, tries_place: place } = tables.replies.journal(row.id);
  reply.tries = { failed, place };
  // The rows of the calls that have ended are there already.
  reply.calls.takeEnded();
  reply.committed(log.durableSeq);
  reply.durableUpTo(log.durableSeq);
  return reply;
}

/** As {@link restoreReply}, from the events that can be read: enough to end the reply, not to continue it. */
export function mendReply(source: RestoreSource, row: ReplyRow): ActiveReply {
  const { log } = source;
  const reply = new ActiveReply(row, startOf(source, row));
  for (const { item: event } of log.events(row.start_cursor)) {
    if (event.type !== "REPLY_START") attempt(() => reply.logged(event));
  }
  reply.calls.takeEnded();
  reply.committed(log.durableSeq);
  reply.durableUpTo(log.durableSeq);
  return reply;
}

/** The reply's state without its text: open blocks and calls, from the events that are no deltas. */
export function sketchReply(source: RestoreSource, row: ReplyRow): ReplyState {
  let state = startReplyState(startOf(source, row));
  for (const event of source.log.marks(row.start_cursor)) {
    attempt(() => {
      if ("reply_id" in event && event.reply_id === row.id && event.type !== "REPLY_START") {
        state = advanceReply(state, event);
      }
    });
  }
  return state;
}

function startOf(source: RestoreSource, row: ReplyRow): EventOf<"REPLY_START"> {
  const [start] = source.log.marks(row.start_cursor);
  return start?.type === "REPLY_START" ? start : placeholderStart(source, row);
}

/** Replaces a `REPLY_START` that cannot be read. */
export function placeholderStart({ init }: RestoreSource, row: ReplyRow): EventOf<"REPLY_START"> {
  return {
    type: "REPLY_START",
    id: "",
    session_id: init.session_id,
    reply_id: row.id,
    name: init.agent.name,
    role: "assistant",
    created_at: row.created_at,
    metadata: {},
  };
}

/** Folds one event, or logs that it cannot be folded. */
function attempt(fold: () => void): void {
  try {
    fold();
  } catch (error) {
    console.error("an event of the log cannot be folded, and is left out", {
      error: String(error),
    });
  }
}

function rethrow(error: unknown): never {
  throw error;
}
