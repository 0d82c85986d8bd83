// One step of condensing the log: reads some rows, and writes those that become fewer.
import { MAX_CONDENSING_BYTES, MAX_CONDENSING_ROWS } from "../../../protocol/events/limits.ts";
import { ANSWER_PIECE_BYTES } from "../../../protocol/requests/limits.ts";
import { isPacked } from "../unpack-frames.ts";
import { chooseRowChanges, type LogRow } from "./choose-row-changes.ts";

/** Rows that a step reads at least, so that it moves on. */
const MIN_STEP_ROWS = 2;
/** Bytes of frames for a byte of a packed row, approximately. */
const PACKED_RATIO = 10;

// Rows in parts, and large ones that are not packed, are read in pieces by readers who take their time.
const ROWS = `SELECT seq, CASE WHEN parts = 0 AND (length(frames) <= ${ANSWER_PIECE_BYTES}
   OR substr(frames, 1, 1) IN (x'01', x'02')) THEN frames END AS frames
   FROM events WHERE seq > ? AND seq <= ? ORDER BY seq`;

/**
 * Condenses the first rows of a part of the log; part of a transaction. Repeating a step changes nothing more.
 * @param upTo The end of a row. @returns Where the next step begins; null when this part of the log is done.
 */
export function condenseStep(sql: SqlStorage, after: number, upTo: number): number | null {
  const { rows, hasMore } = readRows(sql, after, upTo);
  const { changes, next } = chooseRowChanges(rows, after, hasMore);
  for (const change of changes) {
    sql.exec("DELETE FROM events WHERE seq > ? AND seq < ?", change.after, change.seq);
    sql.exec("UPDATE events SET frames = ? WHERE seq = ?", change.bytes, change.seq);
  }
  return next;
}

function readRows(
  sql: SqlStorage,
  after: number,
  upTo: number,
): { readonly rows: readonly LogRow[]; readonly hasMore: boolean } {
  const rows: LogRow[] = [];
  let size = 0;
  const stored = sql.exec<{ seq: number; frames: ArrayBuffer | null }>(ROWS, after, upTo);
  for (const { seq, frames } of stored) {
    const isFull = rows.length >= MAX_CONDENSING_ROWS || size >= MAX_CONDENSING_BYTES;
    if (isFull && rows.length >= MIN_STEP_ROWS) return { rows, hasMore: true };
    const bytes = frames && new Uint8Array(frames);
    size += (bytes?.byteLength ?? 0) * (bytes && isPacked(bytes) ? PACKED_RATIO : 1);
    rows.push({ seq, bytes });
  }
  return { rows, hasMore: false };
}
