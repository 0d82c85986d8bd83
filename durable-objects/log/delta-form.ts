// The frame of a delta of text, taken apart: what the frames of a block's deltas have in common, and what differs.
export interface Frame {
  readonly seq: number;
  /** The frame as it is on the wire. */
  readonly text: string;
}

export const ISO_LENGTH = "2026-01-01T00:00:00.000Z".length;
/** The index of the milliseconds in a time. */
export const MS_AT = "2026-01-01T00:00:00.".length;
export const DIGIT_ZERO = 48;
const DELTA_MEMBER = '"delta":"';

/** The text that the frames of a block's deltas have in common. */
export interface DeltaForm {
  readonly type: string;
  readonly atMs: number;
  /** From the end of the time to the beginning of the delta. */
  readonly members: string;
}

/** Null for a frame that is no delta of text. */
export function deltaFormOf({ seq, text }: Frame): DeltaForm | null {
  const typeAt = `id: ${seq}\nevent: `.length;
  const type = text.slice(typeAt, text.indexOf("\n", typeAt));
  const before = beforeTime(seq, type);
  if (!type.endsWith("_DELTA") || !text.startsWith(before)) return null;
  const isoEnd = before.length + ISO_LENGTH;
  const atMs = timeOf(text.slice(before.length, isoEnd));
  const delta = text.indexOf(DELTA_MEMBER, isoEnd);
  if (atMs === null || delta === -1 || !text.endsWith(afterDelta(seq))) return null;
  return { type, atMs, members: text.slice(isoEnd, delta + DELTA_MEMBER.length) };
}

/** The members of a delta that the log has made, with its ids. */
export const PLAIN_MEMBERS = /"reply_id":"([^"]*)","(\w+)":"([^"]*)","delta":"$/;

/** @param name Of the member with the block's or the call's id. */
export function plainMembers(type: string, reply: string, name: string, id: string): string {
  return `","metadata":{},"visibility":"user","type":"${type}","reply_id":"${reply}","${name}":"${id}",${DELTA_MEMBER}`;
}

export function beforeTime(seq: number, type: string): string {
  return `id: ${seq}\nevent: ${type}\ndata: {"id":"evt_${seq}","created_at":"`;
}

export function afterDelta(seq: number): string {
  return `","seq":${seq}}\n\n`;
}

/** Null for a text that is not what `toISOString` makes of a time. */
function timeOf(iso: string): number | null {
  const ms = Date.parse(iso);
  return ms >= 0 && new Date(ms).toISOString() === iso ? ms : null;
}

/** Reads times that mostly are in the second of the one before. */
export class TimeReader {
  #second = "";
  #secondMs = 0;

  /** As {@link timeOf}. */
  read(iso: string): number | null {
    const ms = this.#second !== "" && iso.startsWith(this.#second) ? millisecondsOf(iso) : -1;
    if (ms >= 0) return this.#secondMs + ms;
    const atMs = timeOf(iso);
    if (atMs === null) return null;
    this.#second = iso.slice(0, MS_AT);
    this.#secondMs = atMs - (atMs % 1_000);
    return atMs;
  }
}

/** -1 when the text does not end with three digits and a Z. */
function millisecondsOf(iso: string): number {
  if (iso.length !== ISO_LENGTH || !iso.endsWith("Z")) return -1;
  let ms = 0;
  for (let index = MS_AT; index < ISO_LENGTH - 1; index += 1) {
    const digit = iso.charCodeAt(index) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return -1;
    ms = ms * 10 + digit;
  }
  return ms;
}
