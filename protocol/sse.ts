// Server-sent events: an encoder for the platform's streams and a decoder for any conforming stream. Strings only.
import type { LoggedEvent } from "./events.ts";

/** One event of the log as a frame: LF only, the seq as id, one line of JSON as data. */
export function encodeEventFrame(event: LoggedEvent): string {
  return encodeFrame(event.seq, event.type, JSON.stringify(event));
}

/** @param data One line. */
export function encodeFrame(id: string | number, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

/**
 * A frame without a name, which readers take for a `message`. @param id Null leaves the position of its reader as it is.
 */
export function encodeMessage(id: string | null, data: string): string {
  return `${id === null ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}

/** A comment, which readers ignore; keeps proxies from closing a silent stream. */
export function encodeComment(text: string): string {
  return `: ${text.replace(/\r\n|\r|\n/g, "\n: ")}\n\n`;
}

/** A `retry:` field: whole milliseconds before a client reconnects. */
export function encodeRetry(retryMs: number): string {
  return `retry: ${Math.max(0, Math.round(retryMs))}\n\n`;
}

export interface SseFrame {
  /** The last event id of the stream, inherited by frames without their own; null when none was set. */
  readonly id: string | null;
  /** `message` when the frame names none. */
  readonly event: string;
  readonly data: string;
  /** The newest reconnection time since the previous frame, in milliseconds. */
  readonly retry?: number;
}

export interface SseDecoder {
  /** The frames that this chunk completes. A frame without its final blank line is never returned. */
  push(chunk: string): SseFrame[];
}

/**
 * A decoder for one stream per the WHATWG grammar: lines end with CRLF, LF or CR, also across chunks; a leading byte
 * order mark is skipped; frames without data are dropped. Cost: linear in the characters, also for one line in many
 * chunks.
 */
export function createSseDecoder(): SseDecoder {
  const takeLine = createFrameBuilder();
  /** The current incomplete line. */
  let line = "";
  /** Characters to skip at the start of the next chunk: the byte order mark, or the LF of a CRLF. */
  let skipped = BYTE_ORDER_MARK;

  function push(chunk: string): SseFrame[] {
    if (chunk === "") return [];
    const frames: SseFrame[] = [];
    const lineEnd = /\r\n?|\n/g;
    let start = chunk[0] === skipped ? 1 : 0;
    lineEnd.lastIndex = start;
    skipped = chunk.endsWith("\r") ? "\n" : "";
    for (const { 0: ending, index } of chunk.matchAll(lineEnd)) {
      const frame = takeLine(line + chunk.slice(start, index));
      if (frame) frames.push(frame);
      line = "";
      start = index + ending.length;
    }
    line += chunk.slice(start);
    return frames;
  }

  return { push };
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Gathers fields until a blank line. */
function createFrameBuilder(): (line: string) => SseFrame | null {
  let id: string | null = null;
  let event = "";
  let data: string[] = [];
  let retry: number | undefined;

  function takeLine(line: string): SseFrame | null {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    const [field, value] =
      colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value || null;
    else if (field === "retry" && /^[0-9]+$/.test(value)) retry = Number(value);
    return null;
  }

  function dispatch(): SseFrame | null {
    const name = event || "message";
    event = "";
    if (data.length === 0) return null;
    const frame = { id, event: name, data: data.join("\n"), ...(retry !== undefined && { retry }) };
    data = [];
    retry = undefined;
    return frame;
  }

  return takeLine;
}
