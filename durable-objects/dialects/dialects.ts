// The table of dialects in the object: their streams and pages.
import { DIALECTS, EVENT_FORMATS, type EventFormat } from "../../protocol/dialects/dialects.ts";
import { createJavaTranslator } from "../../protocol/dialects/java-translator.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { EventsPageRequest } from "../api/read-request.ts";
import { parseStreamCursor } from "../api/stream-request.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { A2A_DIALECT } from "./a2a-stream.ts";
import { AG_UI_DIALECT } from "./ag-ui-stream.ts";
import { LOG_DIALECT } from "./log-dialect.ts";
import type { ObjectDialect, PagedDialect } from "./object-dialect.ts";
import { translatedDialect } from "./translated-events.ts";

/** A dialect with a page in the table of `protocol/dialects/dialects.ts` has one here. */
export const OBJECT_DIALECTS: {
  readonly [Format in EventFormat]: (typeof DIALECTS)[Format]["page"] extends null
    ? ObjectDialect
    : PagedDialect;
} = {
  agentscope: LOG_DIALECT,
  "agentscope-java": translatedDialect("agentscope-java", createJavaTranslator),
  "ag-ui": AG_UI_DIALECT,
  a2a: A2A_DIALECT,
};

/** The page of events that the request names, in its dialect. */
export function listEvents(
  session: OpenSession,
  { what, after, limit, reply_id }: EventsPageRequest,
): Result<Iterable<Piece>> {
  const format = EVENT_FORMATS.find((one) => DIALECTS[one].page === what);
  const dialect = format && OBJECT_DIALECTS[format];
  // A Worker that is newer than this object may know more dialects.
  if (!dialect || !("list" in dialect))
    return refuse("validation_failed", "no such page of events");
  return dialect.list(session, parseStreamCursor(String(after)), { limit, reply_id });
}
