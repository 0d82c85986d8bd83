import { useVirtualizer } from "@tanstack/react-virtual";
import { ScrollText } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import type { LoggedEvent } from "../../../sdk/index.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { summarizeEvent } from "../../components/summarize-event.ts";
import { useEvents } from "./use-events.ts";

const FIELDS: readonly FilterField[] = [
  { name: "type", label: "Type contains", kind: "text" },
  { name: "reply_id", label: "Reply id", kind: "text" },
  { name: "text", label: "Contains", kind: "text" },
];

/** Pixels of a closed row; open ones are measured. */
const ROW_PIXELS = 36;

interface EventListProps {
  readonly sessionId: string;
  readonly filters: Filters;
}

/** The log of a session: every event with its number, as it comes. */
export function EventList({ sessionId, filters }: EventListProps) {
  const { events, isReading, error, readAgain } = useEvents(sessionId);
  const { type, reply_id, text } = filters.values;
  const marked = seqIn(filters.values["seq"]);
  const shown = events.filter(
    (event) =>
      (type === undefined || event.type.includes(type.toUpperCase())) &&
      (reply_id === undefined || event.reply_id === reply_id) &&
      (text === undefined || JSON.stringify(event).includes(text)),
  );
  return (
    <div className="event-list">
      <FilterBar fields={FIELDS} filters={filters} />
      <p role="status" className="quiet">
        {shown.length === events.length
          ? `${events.length} events`
          : `${shown.length} of ${events.length} events`}
        {isReading && ", reading on…"}
      </p>
      {error && <ErrorState error={error} onRetry={readAgain} />}
      {events.length === 0 && isReading && <LoadingState label="Reading the log…" />}
      {shown.length === 0 && !isReading && !error && (
        <EmptyState icon={ScrollText} title="No events">
          <p>
            {events.length === 0
              ? "The log begins with the first message."
              : "No event fits these filters: take one off."}
          </p>
        </EmptyState>
      )}
      {marked !== null && !shown.some(({ seq }) => seq === marked) && (
        <p role="status" className="notice" data-tone="waiting">
          {missingWords(marked, events, isReading)}
        </p>
      )}
      {shown.length > 0 && <Rows key={marked} events={shown} marked={marked} />}
    </div>
  );
}

/** The number of an event in the address; null for none, and for what is no number. */
function seqIn(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Why an event of the address is not in the list. */
function missingWords(seq: number, events: readonly LoggedEvent[], isReading: boolean): string {
  if (events.some((event) => event.seq === seq)) {
    return `Event ${seq} does not fit these filters: take them off.`;
  }
  return isReading ? `Looking for event ${seq}…` : `The log has no event ${seq}.`;
}

interface RowsProps {
  readonly events: readonly LoggedEvent[];
  /** The event that is scrolled to when it comes, open and marked; null for none. */
  readonly marked: number | null;
}

function Rows({ events, marked }: RowsProps) {
  const region = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(marked === null ? [] : [marked]));
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 20,
  });
  const place = marked === null ? -1 : events.findIndex(({ seq }) => seq === marked);
  // Once: who scrolls on is not brought back by the events that come.
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (place < 0 || hasScrolled.current) return;
    hasScrolled.current = true;
    virtualizer.scrollToIndex(place, { align: "center" });
  }, [place, virtualizer]);
  function toggle(seq: number): void {
    setOpen((before) =>
      before.has(seq)
        ? new Set([...before].filter((one) => one !== seq))
        : new Set([...before, seq]),
    );
  }
  return (
    <div className="event-region" ref={region} role="region" aria-label="Events" tabIndex={0}>
      <ol className="events" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const event = events[index];
          if (!event) return null;
          const isOpen = open.has(event.seq);
          return (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className="event"
              data-marked={event.seq === marked || undefined}
              aria-current={event.seq === marked ? "true" : undefined}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={events.length}
              aria-posinset={index + 1}
            >
              <button
                type="button"
                className="event-row"
                aria-expanded={isOpen}
                onClick={() => toggle(event.seq)}
              >
                <span className="event-seq">{event.seq}</span>
                <span className="event-type">{event.type}</span>
                <span className="event-text">{summarizeEvent(event)}</span>
                <time dateTime={event.created_at} className="event-time">
                  {event.created_at.slice(11, 23)}
                </time>
              </button>
              {isOpen && <JsonViewer value={event} label={`event ${event.seq}`} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
