import type { EventFormat } from "../../protocol/api/schemas/event-format.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";

/** The last thing that a reader has. */
export interface StreamPosition {
  readonly seq: number;
  /** Of the events that a dialect makes of the seq the last one that it has; all of them when left out. */
  readonly part?: number;
  /** Where in the request it stands. */
  readonly pointer: string;
}

/**
 * Where the reader stands, by its header; undefined when it sent none.
 * @throws HttpError `invalid_cursor` when it is no position.
 */
export function lastEventId(context: AppContext, format: EventFormat): StreamPosition | undefined {
  const header = context.req.header("Last-Event-ID");
  return header ? parseCursor(header, "#/headers/last-event-id", format) : undefined;
}

/**
 * A seq; in a dialect that makes several events of one also `<seq>.<k>`, which counts them from 1. In `ag-ui` 0 is the
 * raw event before them.
 * @param pointer Where in the request it stands.
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

/** As the session's object reads it. */
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
