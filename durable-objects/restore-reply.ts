// The reply that the last incarnation of the object left open, folded again from the log.
import { ActiveReply } from "./active-reply.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionTables } from "./session-tables.ts";

/** Null when every reply has ended. */
export function restoreReply({
  tables,
  log,
}: {
  readonly tables: SessionTables;
  readonly log: SessionLog;
}): ActiveReply | null {
  const row = tables.replies.open();
  if (!row) return null;
  let reply: ActiveReply | null = null;
  for (const { item: event } of log.events(row.start_cursor)) {
    if (reply) reply.logged(event);
    else if (event.type === "REPLY_START") reply = new ActiveReply(row, event);
  }
  if (reply) {
    const { failed_tries: failed, tries_place: place } = tables.replies.journal(row.id);
    reply.tries = { failed, place };
  }
  reply?.committed(log.durableSeq);
  reply?.durableUpTo(log.durableSeq);
  return reply;
}
