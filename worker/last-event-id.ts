import type { AppContext } from "./app-env.ts";
import { fieldError } from "./http-error.ts";

/**
 * Where the reader stands, by its header; undefined when it sent none.
 * @throws HttpError `invalid_cursor` when it is no position.
 */
export function lastEventId(context: AppContext): number | undefined {
  const header = context.req.header("Last-Event-ID");
  return header ? parseCursor(header, "#/headers/last-event-id") : undefined;
}

/** @param pointer Where in the request it stands. @throws HttpError `invalid_cursor` when it is no position. */
export function parseCursor(text: string, pointer: string): number {
  const seq = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw fieldError(
    "invalid_cursor",
    pointer,
    "a cursor is the seq of an event, a whole number from 0",
  );
}
