// The reply that the last incarnation of the object left open, folded again from the log.
import { ActiveReply } from "./active-reply.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionTables } from "./session-tables.ts";

const OPEN: readonly string[] = ["running", "awaiting_permission", "awaiting_external_result"];

/** Null when the newest reply has ended; only it can still be open. */
export function restoreReply({
  tables,
  log,
}: {
  readonly tables: SessionTables;
  readonly log: SessionLog;
}): ActiveReply | null {
  const row = tables.replies.newest();
  if (!row || !OPEN.includes(row.status)) return null;
  let reply: ActiveReply | null = null;
  for (const { item: event } of log.events(row.start_cursor)) {
    if (reply) reply.logged(event);
    else if (event.type === "REPLY_START") reply = new ActiveReply(row, event);
  }
  reply?.committed(log.durableSeq);
  reply?.durableUpTo(log.durableSeq);
  return reply;
}
