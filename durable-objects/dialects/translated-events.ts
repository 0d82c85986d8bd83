// Events in the dialect of AgentScope for Java, translated from the log, for a reader that begins at any position.
import { createJavaTranslator } from "../../protocol/dialects/java-translator.ts";
import type { JavaLogEvent } from "../../protocol/dialects/to-java-event.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import { findEventRange, isInRange, type EventRange } from "../sessions/event-range.ts";
import { eventsBetween, findBeginning } from "../sessions/replay-events.ts";
import type { EventText } from "../log/frame-bytes.ts";
import { jsonOf } from "../bytes/json-pieces.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { JavaEventsRequest } from "../api/page-requests.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { pagePieces, takeEvents } from "../sessions/session-pages.ts";
import { parseStreamCursor, type StreamCursor } from "../api/stream-request.ts";
import {
  refuseCursor,
  type TextPiece,
  type TranslatedStart,
} from "../streams/stream-translation.ts";

interface NumberedJavaEvent {
  /** `<seq>`, or `<seq>.<k>` where one event of the log becomes several. */
  readonly id: string;
  readonly event: JavaLogEvent;
}

interface JavaReader {
  /** The Java events of the cursor's seq that the reader does not have. */
  readonly unread: readonly NumberedJavaEvent[];
  /** Takes the events after the cursor's, one after the other. */
  readonly translate: (event: LoggedEvent) => readonly NumberedJavaEvent[];
}

/** @returns `invalid_cursor` for a part that does not exist. */
function openJavaReader(
  session: OpenSession,
  range: EventRange,
  { seq, part }: StreamCursor,
): Result<JavaReader> {
  const translator = createJavaTranslator();
  const before = part === null ? seq : Math.max(0, seq - 1);
  let named: readonly NumberedJavaEvent[] = [];
  for (const event of eventsBetween(session, findBeginning(session, before), seq)) {
    const events = translate(event);
    if (event.seq === seq) named = events;
  }
  if (part === null) return accept({ unread: [], translate });
  if (named.length < 2 || part > named.length) return refuseCursor();
  return accept({ unread: isInRange(range, seq) ? named.slice(part) : [], translate });

  function translate(event: LoggedEvent): readonly NumberedJavaEvent[] {
    const events = translator.translate(event);
    return events.map((each, index) => ({
      id: events.length === 1 ? `${event.seq}` : `${event.seq}.${index + 1}`,
      event: each,
    }));
  }
}

export function openJavaStream(
  session: OpenSession,
  range: EventRange,
  cursor: StreamCursor,
): Result<TranslatedStart> {
  const reader = openJavaReader(session, range, cursor);
  if (!reader.ok) return reader;
  const { unread, translate } = reader.value;
  return accept({
    after: cursor.seq,
    prelude: encodeAll(unread),
    translation: {
      catchUp: null,
      push: (event) => encodeAll(translate(event)),
      flush: () => [],
      isOver: false,
    },
  });
}

/** A page of the log in Java's events; its cursor is a seq. */
export function listJavaEvents(
  session: OpenSession,
  { after, ...range }: JavaEventsRequest,
): Result<Iterable<Piece>> {
  const cursor = parseStreamCursor(after);
  const known = findEventRange(session, cursor.seq, range.reply_id ?? null);
  if (!known.ok) return known;
  const reader = openJavaReader(session, known.value, cursor);
  if (!reader.ok) return reader;
  const page = takeEvents(session, { after: cursor.seq, ...range });
  if (!page.ok) return page;
  const { data, hasMore, cursor: last } = page.value;
  const events = translateAll(reader.value, data);
  return accept(pagePieces(events, hasMore, { position: last, cursor: last }));
}

function* translateAll(
  { unread, translate }: JavaReader,
  texts: readonly EventText[],
): Generator<Iterable<Piece>, void> {
  for (const { event } of unread) yield jsonOf(event);
  for (const { text } of texts) {
    for (const { event } of translate(JSON.parse(text) as LoggedEvent)) yield jsonOf(event);
  }
}

function encodeAll(events: readonly NumberedJavaEvent[]): readonly TextPiece[] {
  return events.map(({ id, event }) => encodeFrame(id, event.type, JSON.stringify(event)));
}
