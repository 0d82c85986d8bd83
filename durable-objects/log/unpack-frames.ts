// Reads packed rows (`pack-frames.ts`). A replay does this for every event, so it works on bytes.
import { ByteReader } from "../bytes/varints.ts";
import {
  afterDelta,
  beforeTime,
  DIGIT_ZERO,
  MS_AT,
  plainMembers,
  type DeltaForm,
} from "./delta-form.ts";
import { MAX_PACKED_CHARACTERS, PACKED } from "./pack-frames.ts";

const SEQ_AT = "id: ".length;
const CREATED_AT_MEMBER = '","created_at":"';
const SEQ_MEMBER = '","seq":';
/** Digits of a time's milliseconds. */
const MS_DIGITS = 3;
/** Bytes of a UTF-16 unit at most. */
const MAX_UNIT_BYTES = 3;
/** Bytes that a row may be unpacked to; more can only be damage. */
const MAX_UNPACKED_BYTES = MAX_UNIT_BYTES * MAX_PACKED_CHARACTERS;
/** Bytes up to which a loop copies faster than a view of them. */
const SHORT_BYTES = 48;

const DAY_MS = 86_400_000;
/** Length of the part of a time after its date. */
const CLOCK_LENGTH = "00:00:00.000Z".length;
let newestDay = -1;
/** The date of that day. */
let newestDate = "";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/**
 * Rows are unpacked in here one after the other, and copied: memory that grew for each row took a third of the time. Rows
 * of all sessions, so nothing is read from it but what was written for the same row.
 */
let room: Uint8Array | null = null;

export function isPacked(row: Uint8Array): boolean {
  return row[0] === PACKED;
}

/** The frames of a row, as they were packed; of a damaged one as far as it can be read. Others are returned as they are. */
export function unpackFrames(row: Uint8Array): Uint8Array {
  if (!isPacked(row)) return row;
  room ??= new Uint8Array(MAX_UNPACKED_BYTES);
  const target = new Target(room);
  try {
    unpack(row, target);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return target.bytes.slice(0, target.end);
}

/** @throws RangeError for a row that was not made by `packFrames`. */
function unpack(row: Uint8Array, target: Target): void {
  const reader = new ByteReader(row, 1);
  while (!reader.isOver) {
    const length = reader.varint();
    target.copy(row, reader.skip(length), length);
    const count = reader.varint();
    if (count === 0) continue;
    const seq = reader.varint();
    const atMs = reader.varint();
    const type = readText(reader);
    const deltas = new DeltaWriter(target, { seq, atMs, type, members: readMembers(reader, type) });
    for (let index = 0; index < count; index += 1) {
      const ms = reader.varint();
      const bytes = reader.varint();
      deltas.add(ms, row, reader.skip(bytes), bytes);
    }
  }
}

function readMembers(reader: ByteReader, type: string): string {
  if (reader.varint() !== 0) return readText(reader);
  const reply = readText(reader);
  const name = readText(reader);
  return plainMembers(type, reply, name, readText(reader));
}

function readText(reader: ByteReader): string {
  const start = reader.skip(reader.varint());
  return decoder.decode(reader.bytes.subarray(start, reader.position));
}

/** The unpacked bytes. */
class Target {
  readonly bytes: Uint8Array;
  end = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  copy(source: Uint8Array, start: number, length: number): void {
    this.#expectRoom(length);
    const { bytes, end } = this;
    if (length > SHORT_BYTES) bytes.set(source.subarray(start, start + length), end);
    else for (let i = 0; i < length; i += 1) bytes[end + i] = source[start + i] ?? 0;
    this.end = end + length;
  }

  /** Copies what is in it. */
  repeat(start: number, length: number): void {
    this.#expectRoom(length);
    this.bytes.copyWithin(this.end, start, start + length);
    this.end += length;
  }

  write(text: string): void {
    this.#expectRoom(MAX_UNIT_BYTES * text.length);
    this.end += encoder.encodeInto(text, this.bytes.subarray(this.end)).written;
  }

  /** Writes the last `digits` digits of a number over what is at `at`. */
  patch(at: number, value: number, digits: number): void {
    let rest = value;
    for (let index = at + digits - 1; index >= at; index -= 1) {
      this.bytes[index] = DIGIT_ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  /** @throws RangeError for more than a row may be. */
  #expectRoom(length: number): void {
    if (this.end + length > this.bytes.byteLength) throw new RangeError("too large");
  }
}

/** Writes the frames of deltas, each as a copy of the one before, into which its digits are written. */
class DeltaWriter {
  readonly #target: Target;
  readonly #form: DeltaForm;
  #seq: number;
  #atMs: number;
  /** The place of the frame before, in the target: where it and its last member begin. */
  #start = 0;
  #after = 0;
  /** From the beginning of a frame to that of its time, to its delta, and from the delta's end to its own. */
  #before = 0;
  #head = 0;
  #tail = 0;
  /** Of the seq before, and the first seq that has more; 0 when there is none. */
  #digits = 0;
  #longer = 0;

  constructor(target: Target, form: DeltaForm & { readonly seq: number }) {
    this.#target = target;
    this.#form = form;
    this.#seq = form.seq - 1;
    this.#atMs = form.atMs;
  }

  /** @param ms Since the frame before. @param source Has the delta at `at`. */
  add(ms: number, source: Uint8Array, at: number, length: number): void {
    const target = this.#target;
    const start = target.end;
    const seconds = Math.floor(this.#atMs / 1_000);
    this.#seq += 1;
    this.#atMs += ms;
    const isCopy = this.#seq < this.#longer;
    if (isCopy) {
      target.repeat(this.#start, this.#head);
      target.patch(start + SEQ_AT, this.#seq, this.#digits);
      const idAt = start + this.#before - CREATED_AT_MEMBER.length - this.#digits;
      target.patch(idAt, this.#seq, this.#digits);
      this.#writeTime(start + this.#before, seconds);
    } else this.#writeHead();
    target.copy(source, at, length);
    const after = target.end;
    if (isCopy) {
      target.repeat(this.#after, this.#tail);
      target.patch(after + SEQ_MEMBER.length, this.#seq, this.#digits);
    } else target.write(afterDelta(this.#seq));
    this.#start = start;
    this.#after = after;
  }

  #writeHead(): void {
    const { type, members } = this.#form;
    const before = beforeTime(this.#seq, type);
    const start = this.#target.end;
    this.#target.write(before);
    this.#before = this.#target.end - start;
    this.#target.write(isoOf(this.#atMs) + members);
    this.#head = this.#target.end - start;
    this.#tail = afterDelta(this.#seq).length;
    this.#digits = String(this.#seq).length;
    this.#longer = 10 ** this.#digits;
  }

  /** @param seconds Of the time that is there. */
  #writeTime(at: number, seconds: number): void {
    const target = this.#target;
    if (Math.floor(this.#atMs / 1_000) === seconds) {
      target.patch(at + MS_AT, this.#atMs % 1_000, MS_DIGITS);
      return;
    }
    const { end } = target;
    target.end = at;
    target.write(isoOf(this.#atMs));
    target.end = end;
  }
}

/** Every row begins with a time; a date is made once a day. @throws RangeError for a time that there is not. */
function isoOf(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  if (day !== newestDay) {
    newestDate = new Date(day * DAY_MS).toISOString().slice(0, -CLOCK_LENGTH);
    newestDay = day;
  }
  const ms = atMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${newestDate}${clock}.${String(ms % 1_000).padStart(MS_DIGITS, "0")}Z`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
