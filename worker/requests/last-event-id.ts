import type { EventFormat } from "../../protocol/schemas/event-format.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";

/** A reader's position in a stream. */
export interface StreamPosition {
  readonly seq: number;
  /** The last received one of the events into which a dialect translates the seq; all when left out. */
  readonly part?: number;
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
 * Parses a seq; in dialects with several events per seq also `<seq>.<k>`, counted from 1. In `ag-ui`, 0 is the raw
 * event before them.
 * @param pointer JSON pointer of the value in the request.
 * @throws HttpError `invalid_cursor` when it is no position.
 */
export function parseCursor(text: string, pointer: string, format: EventFormat): StreamPosition {
  const [, digits, , part] = /^(\d{1,16})(\.(0|[1-9]\d{0,3}))?$/.exec(text) ?? [];
  const seq = digits === undefined ? Number.NaN : Number(digits);
  const isKnown =
    part === undefined || format === "ag-ui" || (format === "agentscope-java" && part !== "0");
  if (!Number.isSafeInteger(seq) || !isKnown) throw badCursor(pointer);
  return { seq, pointer, ...(part !== undefined && { part: Number(part) }) };
}

/** The position in the form that the session's object parses. */
export function cursorText(position: StreamPosition | number): string {
  if (typeof position === "number") return String(position);
  const { seq, part } = position;
  return part === undefined ? String(seq) : `${seq}.${part}`;
}

function badCursor(pointer: string): Error {
  return fieldError(
    "invalid_cursor",
    pointer,
    "a cursor is the seq of an event, a whole number from 0, or the id of a frame in this format",
  );
}
