// Events in a dialect whose translator needs the log alone, for a reader that begins at any position.
import {
  dialectOf,
  type DialectCursor,
  type EventFormat,
} from "../../protocol/dialects/dialects.ts";
import type { EventTranslator, TranslatedEvent } from "../../protocol/dialects/event-translator.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import { findEventRange, isInRange, type EventRange } from "../sessions/event-range.ts";
import { eventsBetween, findBeginning } from "../sessions/replay-events.ts";
import type { EventText } from "../log/frame-bytes.ts";
import { jsonOf } from "../bytes/json-pieces.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { pagePieces, takeEvents } from "../sessions/session-pages.ts";
import { refuseCursor, type TextPiece } from "../streams/stream-translation.ts";
import type { PagedDialect } from "./object-dialect.ts";

interface NumberedEvent {
  /** The cursor of the event: a seq, with a number where one event of the log becomes several. */
  readonly id: string;
  readonly event: TranslatedEvent;
}

interface EventReader {
  /** Events of the cursor's seq that the reader does not have. */
  readonly unread: readonly NumberedEvent[];
  /** Takes the events after the cursor's, one after the other. */
  readonly translate: (event: LoggedEvent) => readonly NumberedEvent[];
}

/** The streams and pages of a dialect. @param createTranslator Called once for each reader. */
export function translatedDialect(
  format: EventFormat,
  createTranslator: () => EventTranslator,
): PagedDialect {
  const { write } = dialectOf(format).cursor;

  /** @returns `invalid_cursor` for a part that does not exist. */
  function openReader(
    session: OpenSession,
    range: EventRange,
    { seq, part }: DialectCursor,
  ): Result<EventReader> {
    const translator = createTranslator();
    const before = part === null ? seq : Math.max(0, seq - 1);
    let named: readonly NumberedEvent[] = [];
    for (const event of eventsBetween(session, findBeginning(session, before), seq)) {
      const events = translate(event);
      if (event.seq === seq) named = events;
    }
    if (part === null) return accept({ unread: [], translate });
    if (named.length < 2 || part > named.length) return refuseCursor();
    return accept({ unread: isInRange(range, seq) ? named.slice(part) : [], translate });

    function translate(event: LoggedEvent): readonly NumberedEvent[] {
      const events = translator.translate(event);
      return events.map((each, index) => ({
        id: write(event.seq, events.length === 1 ? null : index + 1),
        event: each,
      }));
    }
  }

  return {
    isFolding: false,
    open(session, range, { after }) {
      const cursor = after ?? { seq: 0, part: null };
      const reader = openReader(session, range, cursor);
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
    },
    // The cursor of a page is a seq.
    list(session, cursor, extent) {
      const known = findEventRange(session, cursor.seq, extent.reply_id ?? null);
      if (!known.ok) return known;
      const reader = openReader(session, known.value, cursor);
      if (!reader.ok) return reader;
      const page = takeEvents(session, { after: cursor.seq, ...extent });
      if (!page.ok) return page;
      const { data, hasMore, cursor: last } = page.value;
      const events = jsonOfAll(reader.value, data);
      return accept(pagePieces(events, hasMore, { position: last, cursor: last }));
    },
  };
}

function* jsonOfAll(
  { unread, translate }: EventReader,
  texts: readonly EventText[],
): Generator<ReturnType<typeof jsonOf>, void> {
  for (const { event } of unread) yield jsonOf(event);
  for (const { text } of texts) {
    for (const { event } of translate(JSON.parse(text) as LoggedEvent)) yield jsonOf(event);
  }
}

function encodeAll(events: readonly NumberedEvent[]): readonly TextPiece[] {
  return events.map(({ id, event }) => encodeFrame(id, event.type, JSON.stringify(event)));
}
