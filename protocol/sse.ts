// Server-sent events on strings: what our streams are made of, and a reader of any conforming stream.
import type { LoggedEvent } from "./events.ts";

/** One event of the log as a frame: LF only, the seq as id, one line of JSON as data. */
export function encodeEventFrame(event: LoggedEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A frame that readers skip; keeps proxies from closing a silent stream. */
export function encodeComment(text: string): string {
  return `: ${text.replace(/\r\n|\r|\n/g, "\n: ")}\n\n`;
}

/** How long a client should wait before it reconnects, in whole milliseconds. */
export function encodeRetry(retryMs: number): string {
  return `retry: ${Math.max(0, Math.round(retryMs))}\n\n`;
}

export interface SseFrame {
  /** The last event id of the stream, which a frame without its own inherits; null when none is set. */
  readonly id: string | null;
  /** `message` when the frame names none. */
  readonly event: string;
  readonly data: string;
  /** The newest reconnection time in milliseconds that came since the frame before. */
  readonly retry?: number;
}

export interface SseDecoder {
  /** The frames that this chunk completes. A frame whose blank line never comes is never shown. */
  push(chunk: string): SseFrame[];
}

/**
 * A decoder for one stream, after the WHATWG grammar: lines end with CRLF, LF or CR wherever the chunks are
 * cut, a leading byte order mark is skipped, frames without data are not shown. Cost: linear in the
 * characters, also for one line that comes in many chunks.
 */
export function createSseDecoder(): SseDecoder {
  const frame = createFrameBuilder();
  /** Pieces of the line that is not complete yet. */
  let pieces: string[] = [];
  let isFirst = true;
  let endedWithCr = false;

  function push(chunk: string): SseFrame[] {
    if (chunk === "") return [];
    const frames: SseFrame[] = [];
    let start = 0;
    if (isFirst && chunk.charCodeAt(0) === 0xfeff) start = 1;
    isFirst = false;
    if (endedWithCr && chunk.charCodeAt(0) === LF) start = 1;
    endedWithCr = false;

    const lineEnd = /[\r\n]/g;
    lineEnd.lastIndex = start;
    for (let match = lineEnd.exec(chunk); match; match = lineEnd.exec(chunk)) {
      pieces.push(chunk.slice(start, match.index));
      const complete = frame.takeLine(pieces.length === 1 ? (pieces[0] ?? "") : pieces.join(""));
      if (complete) frames.push(complete);
      pieces = [];
      start = match.index + 1;
      if (chunk.charCodeAt(match.index) === CR) {
        if (start === chunk.length) endedWithCr = true;
        else if (chunk.charCodeAt(start) === LF) start += 1;
      }
      lineEnd.lastIndex = start;
    }
    if (start < chunk.length) pieces.push(chunk.slice(start));
    return frames;
  }

  return { push };
}

const CR = 13;
const LF = 10;

/** Gathers fields until a blank line. */
function createFrameBuilder(): { takeLine(line: string): SseFrame | null } {
  let id: string | null = null;
  let event = "";
  let data: string[] = [];
  let retry: number | null = null;

  function takeLine(line: string): SseFrame | null {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon === -1 ? line : line.slice(0, colon);
    const valueStart = line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const value = colon === -1 ? "" : line.slice(valueStart);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value === "" ? null : value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) retry = Number(value);
    return null;
  }

  function dispatch(): SseFrame | null {
    const frame =
      data.length === 0
        ? null
        : {
            id,
            event: event || "message",
            data: data.join("\n"),
            ...(retry !== null && { retry }),
          };
    event = "";
    data = [];
    if (frame) retry = null;
    return frame;
  }

  return { takeLine };
}

const SPACE = 32;
