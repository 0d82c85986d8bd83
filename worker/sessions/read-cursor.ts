// The position from which a request reads events.
import type { EventFormat } from "../../protocol/dialects/dialects.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { lastEventId, parseCursor, type StreamPosition } from "../requests/last-event-id.ts";

/** The header has priority: `EventSource` reconnects to its original URL, with its last id as a header. */
export function readCursor(
  context: AppContext,
  format: EventFormat,
  query: string | undefined,
): StreamPosition {
  return lastEventId(context, format) ?? parseCursor(query ?? "0", "#/query/after", format);
}

/** The page token of a list of events encodes a seq. */
export function readPage(page: string): StreamPosition {
  const pointer = "#/query/page";
  const [, seq] = /^pg_(\d{1,15})$/.exec(page) ?? [];
  if (seq !== undefined) return { seq: Number(seq), part: null, pointer };
  throw fieldError("validation_failed", pointer, "the page token is not one of this list's");
}
