// The form in which rows of deltas are stored. The frames of one block's deltas differ in their seq, their time and their
// text, so what they share is stored once, and of each its text and the milliseconds since the one before. That is a
// tenth of the bytes. A packed row is unpacked to the bytes that were packed; every other row is stored as its frames.
//
//     row     = 0x01 section+
//     section = length frames count [seq milliseconds type members delta{count}]
//     type    = length text
//     members = 0 length reply_id length name length id | 1 length text
//     delta   = milliseconds length text
//
// Numbers are varints (seven bits a byte, the lowest first). A section is frames as they are, then deltas of one block;
// `seq` and `milliseconds` (Unix time) are those of the first of them. Texts are as on the wire, so SQLite finds in a
// packed row what it would find in the frames, but for what is only in the members of deltas.
import { writeVarint } from "../bytes/varints.ts";
import {
  afterDelta,
  beforeTime,
  deltaFormOf,
  ISO_LENGTH,
  PLAIN_MEMBERS,
  plainMembers,
  TimeReader,
  type DeltaForm,
  type Frame,
} from "./delta-form.ts";

/** The first byte of a packed row; frames begin with `i`. */
export const PACKED = 1;
/** UTF-16 units of a row that is packed: a packed row is unpacked as a whole for each of its readers. */
export const MAX_PACKED_CHARACTERS = 65_536;
/** Deltas of one block that follow each other: a single one stays a frame. */
const MIN_DELTAS = 2;
/** UTF-16 units of a short text; its length is one byte. */
const SHORT_CHARACTERS = 64;
const ASCII_END = 0x80;
/** Bytes of a section's numbers at most. */
const SECTION_BYTES = 64;

const encoder = new TextEncoder();

/** The bytes to store for the frames of a row: packed if that is possible, else the frames themselves. */
export function packFrames(frames: readonly Frame[]): Uint8Array {
  const size = frames.reduce((sum, { text }) => sum + text.length, 0);
  return (size <= MAX_PACKED_CHARACTERS && pack(frames, size)) || encodeFrames(frames);
}

/** The frames as they are on the wire. */
export function encodeFrames(frames: readonly Frame[]): Uint8Array {
  return encoder.encode(frames.map(({ text }) => text).join(""));
}

interface Section {
  /** The frames before the deltas. */
  readonly frames: string;
  readonly deltas: Deltas | null;
}

/** Consecutive deltas of one block. */
interface Deltas {
  readonly seq: number;
  readonly form: DeltaForm;
  readonly texts: readonly DeltaText[];
}

interface DeltaText {
  /** Since the delta before. */
  readonly ms: number;
  /** As it is in JSON, without its quotation marks. */
  readonly text: string;
}

/** @param size Of the frames, in UTF-16 units. Null when nothing can be left out. */
function pack(frames: readonly Frame[], size: number): Uint8Array | null {
  const sections: Section[] = [];
  let whole = "";
  for (let index = 0; index < frames.length;) {
    const deltas = deltasAt(frames, index);
    if (deltas) sections.push({ frames: whole, deltas });
    whole = deltas ? "" : whole + (frames[index]?.text ?? "");
    index += deltas?.texts.length ?? 1;
  }
  if (sections.length === 0) return null;
  if (whole !== "") sections.push({ frames: whole, deltas: null });
  // Three bytes a unit; a delta's numbers are shorter than what is left out of its frame.
  const writer = new Writer(3 * size + SECTION_BYTES * sections.length + 1);
  writer.number(PACKED);
  for (const section of sections) {
    writer.text(section.frames);
    writer.number(section.deltas?.texts.length ?? 0);
    if (section.deltas) writeDeltas(writer, section.deltas);
  }
  return writer.take();
}

function writeDeltas(writer: Writer, { seq, form, texts }: Deltas): void {
  writer.number(seq);
  writer.number(form.atMs);
  writer.text(form.type);
  const [, reply = "", name = "", id = ""] = PLAIN_MEMBERS.exec(form.members) ?? [];
  const isPlain = plainMembers(form.type, reply, name, id) === form.members;
  writer.number(isPlain ? 0 : 1);
  for (const text of isPlain ? [reply, name, id] : [form.members]) writer.text(text);
  for (const { ms, text } of texts) {
    writer.number(ms);
    writer.text(text);
  }
}

/** The deltas that begin with `frames[index]`; null when there are too few. */
function deltasAt(frames: readonly Frame[], index: number): Deltas | null {
  const first = frames[index] as Frame;
  const form = deltaFormOf(first);
  if (!form) return null;
  const texts: DeltaText[] = [];
  let { atMs } = form;
  const times = new TimeReader();
  for (let next = index; next < frames.length; next += 1) {
    const { seq, text } = frames[next] as Frame;
    if (seq !== first.seq + texts.length) break;
    const before = beforeTime(seq, form.type);
    const isoEnd = before.length + ISO_LENGTH;
    const start = isoEnd + form.members.length;
    const after = afterDelta(seq);
    const end = text.length - after.length;
    const isAlike =
      start <= end &&
      text.startsWith(before) &&
      text.startsWith(form.members, isoEnd) &&
      text.endsWith(after);
    const nextMs = isAlike ? times.read(text.slice(before.length, isoEnd)) : null;
    // A clock that was set back.
    if (nextMs === null || nextMs < atMs) break;
    texts.push({ ms: nextMs - atMs, text: text.slice(start, end) });
    atMs = nextMs;
  }
  return texts.length < MIN_DELTAS ? null : { seq: first.seq, form, texts };
}

class Writer {
  readonly #bytes: Uint8Array;
  #end = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  number(value: number): void {
    this.#end = writeVarint(this.#bytes, this.#end, value);
  }

  text(text: string): void {
    if (this.#writeShort(text)) return;
    const encoded = encoder.encode(text);
    this.number(encoded.byteLength);
    this.#bytes.set(encoded, this.#end);
    this.#end += encoded.byteLength;
  }

  /** Letter by letter, which is faster for a few; false when one is not ASCII. */
  #writeShort(text: string): boolean {
    const { length } = text;
    if (length > SHORT_CHARACTERS) return false;
    const start = this.#end + 1;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= ASCII_END) return false;
      this.#bytes[start + index] = code;
    }
    this.#bytes[this.#end] = length;
    this.#end = start + length;
    return true;
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#end);
  }
}
