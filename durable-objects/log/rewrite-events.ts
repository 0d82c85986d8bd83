// Changes events that are on disk: what somebody said is taken out of the log that has it. Readers who come later see the
// changed ones under the same seqs.
import type { LoggedEvent } from "../../protocol/events.ts";
import { encodeEventFrame } from "../../protocol/sse.ts";
import { storeParts } from "../bytes/parts.ts";
import { EventTable, parseStoredEvent } from "./event-table.ts";
import { frameTexts } from "./frame-bytes.ts";
import { encodeFrames } from "./pack-frames.ts";

/**
 * Part of a transaction. The owner of the log calls `forgetRecent` behind it. @param seqs Of the events that change.
 * @param change Keeps the event's type and seq.
 */
export function rewriteEvents(
  sql: SqlStorage,
  seqs: ReadonlySet<number>,
  change: (event: LoggedEvent) => LoggedEvent,
): void {
  const table = new EventTable(sql);
  const rows = new Set([...seqs].flatMap((seq) => rowOf(sql, seq) ?? []));
  for (const row of rows) {
    const stored = table.read(before(sql, row), row, 1);
    if (!stored) continue;
    const frames = frameTexts(new TextDecoder().decode(stored.bytes)).map(({ seq, text }) => {
      const event = seqs.has(seq) ? parseStoredEvent(text) : null;
      const changed = event ? change(event) : (JSON.parse(text) as LoggedEvent);
      return { seq, text: encodeEventFrame(changed) };
    });
    sql.exec("DELETE FROM parts WHERE owner = 'event' AND key = ?", row);
    const { head, parts } = storeParts(sql, "event", row, encodeFrames(frames));
    sql.exec("UPDATE events SET frames = ?, parts = ? WHERE seq = ?", head, parts, row);
  }
}

/** The row that has the event: the first one whose last event is not before it. */
function rowOf(sql: SqlStorage, seq: number): number | null {
  const query = "SELECT seq FROM events WHERE seq >= ? ORDER BY seq LIMIT 1";
  return sql.exec<{ seq: number }>(query, seq).toArray()[0]?.seq ?? null;
}

function before(sql: SqlStorage, row: number): number {
  const query = "SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq < ?";
  return sql.exec<{ seq: number }>(query, row).one().seq;
}
