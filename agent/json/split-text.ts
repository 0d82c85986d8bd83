// Splits long deltas, so that no row of the log comes near the platform's limit.
import { MAX_DELTA_CHARACTERS } from "../../protocol/events/limits.ts";

/** Pieces of at most {@link MAX_DELTA_CHARACTERS} UTF-16 units; a surrogate pair stays in one piece. */
export function splitText(text: string, limit = MAX_DELTA_CHARACTERS): readonly string[] {
  if (text.length <= limit) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + limit, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** The beginning of a text, at most `limit` UTF-16 units of it; a surrogate pair is not cut in two. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return "";
  return text.slice(0, isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

/** Pieces that are valid base64 each: the cuts are between groups of four characters. */
export function splitBase64(data: string, limit = MAX_DELTA_CHARACTERS): readonly string[] {
  const step = limit - (limit % 4);
  if (data.length <= step) return [data];
  const pieces: string[] = [];
  for (let start = 0; start < data.length; start += step)
    pieces.push(data.slice(start, start + step));
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
