import { ScrollText } from "lucide-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import type { LoggedEvent } from "../../../../sdk/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { summarizeEvent } from "../../../components/summarize-event.ts";
import type { EventLog } from "../event-log.ts";
import { FilteredEvents } from "./filtered-events.ts";
import { useEarlierEvents } from "./use-earlier-events.ts";

/** Pixels of a row: all have this height, so that a log of any length is drawn without measuring. */
const ROW_PIXELS = 30;
/** Rows that are drawn beyond what is seen. */
const SPARE_ROWS = 12;

/** The session's events as they come, with their numbers. */
export function EventsPanel({ log }: { readonly log: EventLog }) {
  useSyncExternalStore(log.subscribe, log.getVersion);
  const earlier = useEarlierEvents(log);
  const [type, setType] = useState("");
  const [hasDeltas, setHasDeltas] = useState(true);
  const [chosen, setChosen] = useState<LoggedEvent | null>(null);
  const filtered = useMemo(
    () => new FilteredEvents({ type: type.trim().toUpperCase(), hasDeltas }),
    [type, hasDeltas],
  );
  const { events } = log;
  const shown = filtered.of(events);
  return (
    <div className="panel-events">
      <div className="panel-head">
        <label className="panel-filter">
          <span className="visually-hidden">Type contains</span>
          <input
            className="input"
            placeholder="Type contains…"
            spellCheck={false}
            autoComplete="off"
            value={type}
            onChange={(event) => setType(event.target.value)}
          />
        </label>
        <label className="panel-check">
          <input
            type="checkbox"
            checked={hasDeltas}
            onChange={(event) => setHasDeltas(event.target.checked)}
          />
          deltas
        </label>
        <span className="quiet panel-count">
          {shown.length === events.length
            ? `${events.length} events`
            : `${shown.length} of ${events.length} events`}
          {earlier.isReading && ", reading…"}
        </span>
      </div>
      {earlier.error !== null && (
        <p role="alert" className="field-error">
          The earlier events could not be read: {earlier.error}{" "}
          <button type="button" className="button button-small" onClick={earlier.readAgain}>
            Try again
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyState icon={ScrollText} title="No events">
          <p>
            {events.length === 0
              ? "The log begins with the first message."
              : "No event fits the filter."}
          </p>
        </EmptyState>
      ) : (
        <Rows events={shown} chosenSeq={chosen?.seq ?? null} onChoose={setChosen} />
      )}
      {chosen && (
        <div className="panel-event">
          <JsonViewer
            key={chosen.seq}
            value={chosen}
            label={`event ${chosen.seq}`}
            openLevels={2}
          />
        </div>
      )}
    </div>
  );
}

interface RowsProps {
  readonly events: readonly LoggedEvent[];
  readonly chosenSeq: number | null;
  readonly onChoose: (event: LoggedEvent | null) => void;
}

/** The rows in view. The end stays in view while the reader is there. */
function Rows({ events, chosenSeq, onChoose }: RowsProps) {
  const region = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const isPinned = useRef(true);
  const { length } = events;
  useEffect(() => {
    const { current: frame } = region;
    if (!frame) return undefined;
    const look = () => {
      // Also when the panel comes back into view, where it has been without a size.
      if (isPinned.current) frame.scrollTop = frame.scrollHeight;
      setView({ top: frame.scrollTop, height: frame.clientHeight });
    };
    const observer = new ResizeObserver(look);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (region.current && isPinned.current) region.current.scrollTop = length * ROW_PIXELS;
  }, [length]);
  const first = Math.max(0, Math.floor(view.top / ROW_PIXELS) - SPARE_ROWS);
  const last = Math.min(length, Math.ceil((view.top + view.height) / ROW_PIXELS) + SPARE_ROWS);
  return (
    <div
      className="event-region panel-event-region"
      ref={region}
      role="region"
      aria-label="Events"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isPinned.current = scrollHeight - scrollTop - clientHeight < ROW_PIXELS;
        setView({ top: scrollTop, height: clientHeight });
      }}
    >
      <ol className="events" style={{ height: `${length * ROW_PIXELS}px` }}>
        {events.slice(first, last).map((event, index) => (
          <li
            key={event.seq}
            className="event"
            style={{ transform: `translateY(${(first + index) * ROW_PIXELS}px)` }}
            aria-setsize={length}
            aria-posinset={first + index + 1}
          >
            <button
              type="button"
              className="event-row panel-event-row"
              aria-expanded={event.seq === chosenSeq}
              onClick={() => onChoose(event.seq === chosenSeq ? null : event)}
            >
              <span className="event-seq">{event.seq}</span>
              <span className="event-type">{event.type}</span>
              <span className="event-text">{summarizeEvent(event)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
