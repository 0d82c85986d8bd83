// Reads what a caller copies of this session's log: a bounded part of what is on disk of the reply that the call began.
import { copiedEvent } from "../../agent/agents/copied-event.ts";
import { isAtWork } from "../../agent/agents/subagent-answer.ts";
import { MAX_COPY_READ_BYTES } from "../../protocol/agents/limits.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { CalledEvents, ReadCalledEvents } from "../api/called-session-api.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";

interface CalledSession {
  readonly init: SessionInit;
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly findMessage: (id: string) => { readonly reply_id: string | null } | null;
}

export function readCalledEvents(
  { init, log, tables, findMessage }: CalledSession,
  { message_id, after, results }: ReadCalledEvents,
): Result<CalledEvents> {
  // A message that a restore has taken out since, too: the caller waits for its reply.
  const place = tables.messages.findPlace(message_id, 0);
  const replyId = (place ?? findMessage(message_id))?.reply_id ?? null;
  if (replyId === null) return refuse("not_found", "no reply has begun with this message");
  const agent_name = init.agent.name;
  const row = tables.replies.find(replyId);
  const nothing = { agent_name, events: [], cursor: after, results, has_more: false };
  // The reply waits for its turn.
  if (!row) return accept({ ...nothing, status: "running" });
  const endSeq = isAtWork(row.status) ? null : (row.end_seq ?? log.durableSeq);
  const isEndDurable = endSeq !== null && endSeq <= log.durableSeq;
  // Events behind its end are of other replies.
  const upTo = Math.min(endSeq ?? log.durableSeq, log.durableSeq);
  const from = Math.max(after, row.start_cursor);
  const copied = new Map(Object.entries(results));
  const events: LoggedEvent[] = [];
  let [cursor, bytes] = [from, 0];
  let has_more = false;
  for (const { item: event, bytes: size } of log.events(from, upTo)) {
    if (bytes >= MAX_COPY_READ_BYTES) {
      has_more = true;
      break;
    }
    bytes += size;
    cursor = event.seq;
    const isOfReply = !("reply_id" in event) || event.reply_id === replyId;
    const copy = isOfReply ? copiedEvent(event, copied) : null;
    if (copy) events.push(copy);
  }
  return accept({
    // An end that is not on disk may yet be lost.
    status: endSeq !== null && !isEndDurable ? "running" : row.status,
    agent_name,
    events,
    // Also past what cannot be read.
    cursor: has_more ? cursor : Math.max(upTo, from),
    results: Object.fromEntries(copied),
    has_more,
  });
}
