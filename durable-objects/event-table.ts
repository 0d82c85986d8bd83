// The rows of the log and the high-water mark of its seqs, on disk.
import type { LoggedEvent } from "../protocol/events.ts";
import { frameData, framesAfter } from "./frame-bytes.ts";
import { loadParts, storeParts } from "./parts.ts";
import type { Sized } from "./take-page.ts";

interface EventRow extends Record<string, SqlStorageValue> {
  seq: number;
  frames: ArrayBuffer;
  parts: number;
}

export interface StoredFrames {
  readonly bytes: Uint8Array;
  /** The seq of the last frame in `bytes`. */
  readonly last: number;
}

export class EventTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  lastSeq(): number {
    const { seq } = this.#sql
      .exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM events")
      .one();
    return seq ?? 0;
  }

  reservedSeq(): number {
    // A copy of a conversation is written before there is a session.
    const [row] = this.#sql
      .exec<{ reserved_seq: number }>("SELECT reserved_seq FROM session")
      .toArray();
    return row?.reserved_seq ?? 0;
  }

  reserve(seq: number): void {
    this.#sql.exec("UPDATE session SET reserved_seq = ?", seq);
  }

  /** @param frames All frames of the batch, whose last seq is `seq`. */
  insert(seq: number, frames: Uint8Array): void {
    const { head, parts } = storeParts(this.#sql, "event", seq, frames);
    this.#sql.exec("INSERT INTO events (seq, frames, parts) VALUES (?, ?, ?)", seq, head, parts);
  }

  /**
   * The next rows after a cursor, as many as fit into `maxBytes` and at least one.
   * @param upTo The last seq that may be read; always the end of a row.
   * @returns Null when there is nothing between the two.
   */
  read(cursor: number, upTo: number, maxBytes: number): StoredFrames | null {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let last = cursor;
    const rows = this.#sql.exec<EventRow>(
      "SELECT seq, frames, parts FROM events WHERE seq > ? AND seq <= ? ORDER BY seq",
      cursor,
      upTo,
    );
    for (const row of rows) {
      const whole = loadParts(this.#sql, "event", row.seq, row.frames, row.parts);
      const piece = pieces.length === 0 ? framesAfter(whole, cursor) : whole;
      pieces.push(piece);
      size += piece.byteLength;
      last = row.seq;
      if (size >= maxBytes) break;
    }
    const [first] = pieces;
    if (!first) return null;
    return { bytes: pieces.length === 1 ? first : join(pieces, size), last };
  }

  /** The events after a cursor, parsed, a row at a time. */
  *events(cursor: number, upTo: number): Generator<Sized<LoggedEvent>, void> {
    let position = cursor;
    for (let batch = this.read(position, upTo, 1); batch; batch = this.read(position, upTo, 1)) {
      for (const data of frameData(batch.bytes)) {
        yield { item: JSON.parse(data) as LoggedEvent, bytes: data.length };
      }
      position = batch.last;
    }
  }
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
