// The form of a row whose deltas are condensed: deltas of a block that follow each other are one text, which readers get as
// one event with the seq of the last of them. Where each delta ended is kept, so that a reader with a cursor between two of
// them gets the rest of the text.
//
//     row     = 0x02 section+
//     section = length frames count [seq milliseconds type members length{count} text]
//     type    = length text
//     members = length reply_id length name length id
//
// As in packed rows (`pack-frames.ts`) numbers are varints and texts are as on the wire; a text is never cut inside of an
// escape or a character, because each delta was one whole string of JSON. `text` is as long as its lengths together.
import { CONDENSED } from "../../../protocol/fold/condensed-delta.ts";
import { ByteReader, writeVarint } from "../../bytes/varints.ts";
import { joinBytes } from "../../bytes/join-bytes.ts";
import { afterDelta, beforeTime, plainMembers } from "../delta-form.ts";

/** The first byte of such a row; that of a packed one is 1, and frames begin with `i`. */
const CONDENSED_MARK = 2;
/** Bytes of the frames that a row is read as; more can only be damage. */
const MAX_FRAMES_BYTES = 262_144;
const VARINT_BYTES = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Deltas of one block that follow each other, with consecutive seqs. */
export interface DeltaRun {
  /** The seq of the first of them. */
  readonly seq: number;
  /** The time of the first of them: when a reader's block begins with it. */
  readonly atMs: number;
  readonly type: string;
  readonly replyId: string;
  /** The member with the block's or the call's id, and the id. */
  readonly idName: string;
  readonly id: string;
  /** Bytes of the text of each. */
  readonly lengths: readonly number[];
  /** The texts of all of them: the bytes between the quotation marks of JSON. */
  readonly text: Uint8Array;
}

/** Frames as they are, then a run of deltas; null for the last frames of a row. */
export interface Section {
  readonly frames: Uint8Array;
  readonly run: DeltaRun | null;
}

/** The seqs that a reader is sent: above `after`; an event that goes across `splitAt` is sent as two. */
export interface SeqWindow {
  readonly after: number;
  readonly splitAt: number;
}

export function isCondensed(row: Uint8Array): boolean {
  return row[0] === CONDENSED_MARK;
}

export function lastSeqOf({ seq, lengths }: DeltaRun): number {
  return seq + lengths.length - 1;
}

export function writeCondensed(sections: readonly Section[]): Uint8Array {
  const pieces: Uint8Array[] = [Uint8Array.of(CONDENSED_MARK)];
  const number = (value: number): void => {
    const bytes = new Uint8Array(VARINT_BYTES);
    pieces.push(bytes.subarray(0, writeVarint(bytes, 0, value)));
  };
  const text = (value: string): void => {
    const bytes = encoder.encode(value);
    number(bytes.byteLength);
    pieces.push(bytes);
  };
  for (const { frames, run } of sections) {
    number(frames.byteLength);
    pieces.push(frames);
    number(run?.lengths.length ?? 0);
    if (!run) continue;
    number(run.seq);
    number(run.atMs);
    for (const value of [run.type, run.replyId, run.idName, run.id]) text(value);
    run.lengths.forEach(number);
    pieces.push(run.text);
  }
  return joinBytes(pieces);
}

/** @throws RangeError for a row that was not made by {@link writeCondensed}, behind the sections that can be read. */
export function* readCondensed(row: Uint8Array): Generator<Section, void> {
  const reader = new ByteReader(row, 1);
  const bytes = (length: number): Uint8Array => {
    const start = reader.skip(length);
    return row.subarray(start, start + length);
  };
  const text = (): string => decoder.decode(bytes(reader.varint()));
  while (!reader.isOver) {
    const frames = bytes(reader.varint());
    const count = reader.varint();
    if (count === 0) {
      yield { frames, run: null };
      continue;
    }
    const [seq, atMs] = [reader.varint(), reader.varint()];
    const [type, replyId, idName, id] = [text(), text(), text(), text()];
    const lengths: number[] = [];
    let size = 0;
    for (let index = 0; index < count; index += 1) {
      const length = reader.varint();
      lengths.push(length);
      size += length;
    }
    yield { frames, run: { seq, atMs, type, replyId, idName, id, lengths, text: bytes(size) } };
  }
}

/**
 * The frames of a condensed row that are not wholly before the window; of a damaged row as far as it can be read. Frames
 * that are no deltas are all there.
 */
export function condensedFrames(row: Uint8Array, { after, splitAt }: SeqWindow): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array): void => {
    size += piece.byteLength;
    if (size > MAX_FRAMES_BYTES) throw new RangeError("too large");
    pieces.push(piece);
  };
  try {
    for (const { frames, run } of readCondensed(row)) {
      add(frames);
      if (!run) continue;
      const end = lastSeqOf(run);
      const cut = splitAt >= run.seq && splitAt < end ? splitAt : end;
      for (const [first, last] of [
        [Math.max(run.seq, after + 1), cut],
        [Math.max(cut, after) + 1, end],
      ] as const) {
        if (first <= last) add(frameOf(run, first, last));
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return joinBytes(pieces);
}

/** The event that stands for the deltas of a run from one seq to another. */
function frameOf(run: DeltaRun, first: number, last: number): Uint8Array {
  const { type, replyId, idName, id, lengths, atMs, text } = run;
  const start = sumOf(lengths, first - run.seq);
  const end = sumOf(lengths, last - run.seq + 1);
  const members = plainMembers(type, replyId, idName, id).replace(
    '"metadata":{}',
    () => `"metadata":{"${CONDENSED}":{"first_seq":${first}}}`,
  );
  return joinBytes([
    encoder.encode(beforeTime(last, type) + new Date(atMs).toISOString() + members),
    text.subarray(start, end),
    encoder.encode(afterDelta(last)),
  ]);
}

function sumOf(lengths: readonly number[], count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += lengths[index] ?? 0;
  return sum;
}
