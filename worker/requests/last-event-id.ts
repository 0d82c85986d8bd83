import {
  dialectOf,
  type DialectCursor,
  type EventFormat,
} from "../../protocol/dialects/dialects.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";

/** A reader's position in a stream. */
export interface StreamPosition extends DialectCursor {
  /** JSON pointer of the value in the request. */
  readonly pointer: string;
}

/**
 * The position of the `Last-Event-ID` header; undefined without one.
 * @throws HttpError `invalid_cursor` when it is no position.
 */
export function lastEventId(context: AppContext, format: EventFormat): StreamPosition | undefined {
  const header = context.req.header("Last-Event-ID");
  return header ? parseCursor(header, "#/headers/last-event-id", format) : undefined;
}

/**
 * Parses a cursor of the dialect.
 * @param pointer JSON pointer of the value in the request.
 * @throws HttpError `invalid_cursor` when it is no position.
 */
export function parseCursor(text: string, pointer: string, format: EventFormat): StreamPosition {
  const cursor = dialectOf(format).cursor.read(text);
  if (!cursor) throw badCursor(pointer);
  return { ...cursor, pointer };
}

function badCursor(pointer: string): Error {
  return fieldError(
    "invalid_cursor",
    pointer,
    "a cursor is the seq of an event, a whole number from 0, or the id of a frame in this format",
  );
}
