import type { DialectCursor } from "../../protocol/dialects/dialects.ts";
import type { Result } from "../../protocol/errors.ts";
import type { EventsExtent } from "../api/page-requests.ts";
import type { StreamRequest } from "../api/stream-request.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import type { EventRange } from "../sessions/event-range.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StreamStart } from "../streams/stream-translation.ts";

/** A dialect in the object: how a reader's stream begins. Called once for each stream, never for an event. */
export interface ObjectDialect {
  /** Whether each of its readers folds the reply: its message then counts in the memory of all readers. */
  readonly isFolding: boolean;
  /** @returns `invalid_cursor` for a frame that does not exist. */
  open(session: OpenSession, range: EventRange, request: StreamRequest): Result<StreamStart>;
}

/** A dialect with pages beside its streams. */
export interface PagedDialect extends ObjectDialect {
  /** The page of the events after the cursor. */
  list(session: OpenSession, cursor: DialectCursor, extent: EventsExtent): Result<Iterable<Piece>>;
}
