// The parts of a log row, in each of its forms: frames that stay as they are, and runs of deltas.
import {
  afterDelta,
  beforeTime,
  deltaFormOf,
  ISO_LENGTH,
  PLAIN_MEMBERS,
  plainMembers,
  type Frame,
} from "../delta-form.ts";
import { unpackFrames } from "../unpack-frames.ts";
import { isCondensed, lastSeqOf, readCondensed, type DeltaRun } from "./condensed-row.ts";

export interface RowItem {
  readonly seq: number;
  /** The frame; null for a run of several deltas, which has none. */
  readonly frame: string | null;
  /** Null for a frame that is no delta of text, or has members of its own. */
  readonly run: DeltaRun | null;
}

const FRAME_END = "\n\n";
const SEQ = /^id: (\d{1,16})\n/;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @returns Null for a row that is damaged. @param seq Of its last event. */
export function readItems(row: Uint8Array, seq: number): readonly RowItem[] | null {
  try {
    const items = isCondensed(row) ? condensedItems(row) : frameItems(unpackFrames(row));
    const isSound = items !== null && areAscending(items, seq);
    return isSound ? items : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The seq of the item's last event. */
export function endOf({ seq, run }: RowItem): number {
  return run ? lastSeqOf(run) : seq;
}

function condensedItems(row: Uint8Array): readonly RowItem[] | null {
  const items: RowItem[] = [];
  for (const { frames, run } of readCondensed(row)) {
    const read = frameItems(frames);
    if (!read) return null;
    items.push(...read);
    if (run) items.push({ seq: run.seq, frame: null, run });
  }
  return items;
}

/** Null when something is no whole frame. */
function frameItems(frames: Uint8Array): readonly RowItem[] | null {
  const texts = decoder.decode(frames).split(FRAME_END);
  if (texts.pop() !== "") return null;
  const items: RowItem[] = [];
  for (const text of texts) {
    const seq = Number(SEQ.exec(text)?.[1] ?? 0);
    if (seq === 0) return null;
    const frame = { seq, text: text + FRAME_END };
    items.push({ seq, frame: frame.text, run: runOf(frame) });
  }
  return items;
}

function runOf(frame: Frame): DeltaRun | null {
  const form = deltaFormOf(frame);
  const [, replyId = "", idName = "", id = ""] = form
    ? (PLAIN_MEMBERS.exec(form.members) ?? [])
    : [];
  if (!form || plainMembers(form.type, replyId, idName, id) !== form.members) return null;
  const { seq, text: whole } = frame;
  const start = beforeTime(seq, form.type).length + ISO_LENGTH + form.members.length;
  const text = encoder.encode(whole.slice(start, -afterDelta(seq).length));
  const { type, atMs } = form;
  return { seq, atMs, type, replyId, idName, id, lengths: [text.byteLength], text };
}

function areAscending(items: readonly RowItem[], last: number): boolean {
  const ends = items.map(endOf);
  return ends.at(-1) === last && items.every(({ seq }, index) => seq > (ends[index - 1] ?? 0));
}
