// The reply that the last incarnation of the object left open, folded again from the log: exactly, or as far as that
// can be read, or without its text.
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

/** @throws when its log is not what a log is. */
export function restoreReply({ tables, log }: RestoreSource, row: ReplyRow): ActiveReply {
  let reply: ActiveReply | null = null;
  for (const { item: event } of log.events(row.start_cursor, undefined, rethrow)) {
    if (reply) reply.logged(event);
    else if (event.type === "REPLY_START") reply = new ActiveReply(row, event);
  }
  if (!reply) throw new Error("the log does not say how the reply began");
  const { failed_tries: failed, tries_place: place } = tables.replies.journal(row.id);
  reply.tries = { failed, place };
  reply.committed(log.durableSeq);
  reply.durableUpTo(log.durableSeq);
  return reply;
}

/** As {@link restoreReply}, of what can be read of the log: good for ending the reply, and for nothing else. */
export function mendReply(source: RestoreSource, row: ReplyRow): ActiveReply {
  const { log } = source;
  const reply = new ActiveReply(row, startOf(source, row));
  for (const { item: event } of log.events(row.start_cursor)) {
    if (event.type !== "REPLY_START") attempt(() => reply.logged(event));
  }
  reply.committed(log.durableSeq);
  reply.durableUpTo(log.durableSeq);
  return reply;
}

/** The reply without its text: what was open, and what was called, for as little work as that takes. */
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

/** What stands for a `REPLY_START` that cannot be read. */
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

/** What one event does to the fold, if it can be folded at all. */
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
