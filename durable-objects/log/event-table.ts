// The rows of the log and the high-water mark of its seqs, on disk.
import type { LoggedEvent } from "../../protocol/events.ts";
import {
  frameTexts,
  frameTextsWithoutDeltas,
  framesAfter,
  piecesAfter,
  wholeFrames,
  type EventText,
} from "./frame-bytes.ts";
import { condensedFrames, isCondensed, type SeqWindow } from "./condensed/condensed-row.ts";
import { isPacked, unpackFrames } from "./unpack-frames.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { loadParts, readPieces, storeParts, storeRest, type StagedValue } from "../bytes/parts.ts";
import type { Sized } from "../bytes/take-page.ts";

type EventRow = { seq: number; frames: ArrayBuffer; parts: number };

export interface StoredFrames {
  readonly bytes: Uint8Array;
  /** The seq of the last frame in `bytes`. */
  readonly last: number;
}

/** The frames of a row that is too large to be in memory for each of its readers: read lazily. */
export interface LargeFrames {
  readonly pieces: Iterable<Uint8Array>;
  /** The seq of the last frame in `pieces`. */
  readonly last: number;
}

const HEAD_QUERY = "SELECT substr(frames, ?, ?) AS piece FROM events WHERE seq = ?";

export class EventTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The seq of the last event, and the one up to which seqs are reserved: 0 in an empty log. */
  ends(): { readonly last: number; readonly reserved: number } {
    const [row] = this.#sql
      .exec<{ seq: number; reserved_seq: number | null }>(
        "SELECT seq, reserved_seq FROM events ORDER BY seq DESC LIMIT 1",
      )
      .toArray();
    const last = row?.seq ?? 0;
    return { last, reserved: Math.max(last, row?.reserved_seq ?? 0) };
  }

  /** Changes the mark where no row is written that could take it along. @param last The seq of the last row. */
  reserve(last: number, reserved: number): void {
    this.#sql.exec("UPDATE events SET reserved_seq = ? WHERE seq = ?", reserved, last);
  }

  /**
   * @param row All frames of the batch, whose last seq is `seq`, packed or not; with `staged`, only the frames after
   * the staged ones, not packed. @param reserved The seq up to which seqs are reserved.
   */
  insert(seq: number, reserved: number, row: Uint8Array, staged?: StagedValue): void {
    const { head, parts } = staged
      ? storeRest(this.#sql, { ...staged, rest: joinBytes([staged.rest, row]) })
      : storeParts(this.#sql, "event", seq, row);
    this.#sql.exec(
      "INSERT INTO events (seq, frames, parts, reserved_seq) VALUES (?, ?, ?, ?)",
      seq,
      head,
      parts,
      reserved > seq ? reserved : null,
    );
  }

  /** As {@link read}, but a row of more than `maxBytes` comes in pieces. */
  readFrames(cursor: number, upTo: number, maxBytes: number): StoredFrames | LargeFrames | null {
    const batch = this.#nextBatch(cursor, upTo, maxBytes);
    if (!batch || "bytes" in batch) return batch;
    const { seq, parts } = batch;
    const row = { owner: "event", key: seq, parts, headQuery: HEAD_QUERY } as const;
    return { pieces: piecesAfter(readPieces(this.#sql, row), cursor), last: seq };
  }

  /**
   * The next rows after a cursor, as many as fit into `maxBytes` and at least one.
   * @param upTo The last seq that may be read; always the end of a row.
   * @param splitAt A condensed delta that goes across this seq is read as two.
   * @returns Null when there is nothing between the two.
   */
  read(cursor: number, upTo: number, maxBytes: number, splitAt = Infinity): StoredFrames | null {
    const batch = this.#nextBatch(cursor, upTo, maxBytes, splitAt);
    if (!batch || "bytes" in batch) return batch;
    const { seq, frames, parts } = batch;
    const whole = loadParts(this.#sql, "event", seq, frames, parts);
    return { bytes: framesAfter(whole, cursor), last: seq };
  }

  /** A row of more than `maxBytes` is returned alone, without its parts. */
  #nextBatch(
    cursor: number,
    upTo: number,
    maxBytes: number,
    splitAt = Infinity,
  ): StoredFrames | EventRow | null {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let last = cursor;
    const rows = this.#sql.exec<EventRow>(
      "SELECT seq, frames, parts FROM events WHERE seq > ? AND seq <= ? ORDER BY seq",
      cursor,
      upTo,
    );
    for (const row of rows) {
      const stored = new Uint8Array(row.frames);
      const isLarge = row.frames.byteLength > maxBytes && !isPacked(stored) && !isCondensed(stored);
      if (row.parts > 0 || isLarge) {
        if (pieces.length === 0) return row;
        break;
      }
      // Half a frame of a damaged row would take the first line of the next row, which is an id, into it.
      const whole = wholeFrames(framesOf(stored, { after: cursor, splitAt }));
      const piece = pieces.length === 0 ? framesAfter(whole, cursor) : whole;
      pieces.push(piece);
      size += piece.byteLength;
      last = row.seq;
      if (size >= maxBytes) break;
    }
    return pieces.length === 0 ? null : { bytes: joinBytes(pieces), last };
  }

  /**
   * The events after a cursor, parsed, a row at a time. @param unreadable Called for one that cannot be parsed, which
   * is left out unless this throws.
   */
  *events(
    cursor: number,
    upTo: number,
    unreadable: (error: unknown) => void = warn,
  ): Generator<Sized<LoggedEvent>, void> {
    for (const { frames, last } of this.#rows(cursor, upTo)) {
      let newest: number | undefined = cursor;
      for (const { text } of frameTexts(frames)) {
        const item = parseStoredEvent(text, unreadable);
        if (item) yield { item, bytes: text.length };
        newest = item?.seq;
      }
      // Damaged frames may have lower seqs, or none.
      if (newest !== last) unreadable(new Error(`the row of seq ${last} does not end with it`));
    }
  }

  /** The readable events after a cursor that are no deltas: a reply's structure without its text. */
  *marks(cursor: number, upTo: number): Generator<LoggedEvent, void> {
    for (const { frames } of this.#rows(cursor, upTo)) {
      for (const { text } of frameTextsWithoutDeltas(frames)) {
        const event = parseStoredEvent(text);
        if (event) yield event;
      }
    }
  }

  /**
   * The readable events of one type after a cursor. SQLite searches for the type's name: a row without it is neither
   * read nor parsed, so that this is safe for a log that cannot be folded. In a row of more than 1 MB, a name that is
   * split between two parts is not found.
   */
  *ofType<Type extends LoggedEvent["type"]>(
    type: Type,
    cursor: number,
  ): Generator<LoggedOf<Type>, void> {
    const rows = this.#sql
      .exec<{ seq: number; before: number }>(
        `SELECT seq, coalesce((SELECT max(seq) FROM events AS earlier
         WHERE earlier.seq < events.seq), 0) AS before
         FROM events WHERE seq > ?1 AND (instr(frames, ?2) > 0 OR (parts > 0 AND EXISTS
         (SELECT 1 FROM parts WHERE owner = 'event' AND key = seq AND instr(bytes, ?2) > 0)))
         ORDER BY seq`,
        cursor,
        new TextEncoder().encode(`\nevent: ${type}\n`),
      )
      .toArray();
    for (const { seq, before } of rows) {
      for (const event of this.marks(Math.max(before, cursor), seq)) {
        if (isOfType(event, type)) yield event;
      }
    }
  }

  /** The events after a cursor, a row at a time. */
  *eventTexts(cursor: number, upTo: number): Generator<Sized<EventText>, void> {
    for (const { frames } of this.#rows(cursor, upTo)) {
      for (const item of frameTexts(frames)) yield { item, bytes: item.text.length };
    }
  }

  /** `last` is the seq that a row is kept under: that of its last event. */
  *#rows(cursor: number, upTo: number): Generator<{ frames: string; last: number }, void> {
    let position = cursor;
    for (let batch = this.read(position, upTo, 1); batch; batch = this.read(position, upTo, 1)) {
      yield { frames: new TextDecoder().decode(batch.bytes), last: batch.last };
      position = batch.last;
    }
  }
}

type LoggedOf<Type extends LoggedEvent["type"]> = Extract<LoggedEvent, { type: Type }>;

function isOfType<Type extends LoggedEvent["type"]>(
  event: LoggedEvent,
  type: Type,
): event is LoggedOf<Type> {
  return event.type === type;
}

function framesOf(stored: Uint8Array, window: SeqWindow): Uint8Array {
  return isCondensed(stored) ? condensedFrames(stored, window) : unpackFrames(stored);
}

/** Null for text that is no event. @param unreadable Called with the error; may throw. */
export function parseStoredEvent(
  text: string,
  unreadable: (error: unknown) => void = warn,
): LoggedEvent | null {
  try {
    return JSON.parse(text) as LoggedEvent;
  } catch (error) {
    unreadable(error);
    return null;
  }
}

function warn(): void {
  console.error("an event of the log cannot be read, and is left out");
}
