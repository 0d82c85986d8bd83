import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookMarked } from "lucide-react";
import { useEffect, useMemo, useState } from "react";

import { ApiError, type Memory, type Session } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { sentenceOf } from "../../components/failure-text.ts";
import { LoadingState } from "../../components/loading-state.tsx";
import { FoundMemoriesTable } from "../../components/memory/found-memories.tsx";
import { MEMORY_COLUMNS } from "../../components/memory/memory-columns.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { memoryEventOf, type MemoryEvent } from "./memory-events.ts";
import { useEvents } from "./use-events.ts";

/** Entries of the history that are drawn at first; a button draws more. */
const SHOWN_EVENTS = 30;

interface MemoryViewProps {
  readonly session: Session;
  /** State of the address, which has the search. */
  readonly filters: Filters;
}

/** Memories that the session's agent has of its end user, with those that this session has recalled and recorded. */
export function MemoryView({ session: { id, cursor }, filters }: MemoryViewProps) {
  const reprise = useReprise();
  const { data, error, refetch } = useQuery({
    queryKey: ["session-memory", id],
    queryFn: () => reprise.session(id).memories.list({ limit: PAGE_ROWS }).page(null),
  });
  useEffect(() => void refetch(), [cursor, refetch]);
  if (error && !data) {
    if (!ApiError.isInstance(error) || error.code !== "conflict") {
      return <ErrorState error={error} onRetry={() => void refetch()} />;
    }
    return (
      <EmptyState icon={BookMarked} title="This session has no memory">
        <p>{sentenceOf(error.detail)}</p>
        <p>
          <a href="/docs/memory">Read about memory</a>
        </p>
      </EmptyState>
    );
  }
  if (!data) return <LoadingState label="Loading the memories…" />;
  const [first] = data.data;
  return (
    <div className="memory-view">
      <MemoryEvents sessionId={id} memories={data.data} />
      <section className="memory-panel" aria-label="All that is remembered">
        <div className="panel-head">
          <h2>All that is remembered</h2>
          {first && (
            <Link to="/memory/$storeId" params={{ storeId: first.store_id }}>
              Open the store
            </Link>
          )}
        </div>
        <FoundMemoriesTable
          listKey={["memories", "of session", id]}
          read={(query) => reprise.session(id).memories.list(query)}
          columns={MEMORY_COLUMNS}
          filters={filters}
          empty={
            <EmptyState icon={BookMarked} title="Nothing is remembered yet">
              <p>What the agent remembers of this end user is here, from any of their sessions.</p>
            </EmptyState>
          }
        />
      </section>
    </div>
  );
}

interface MemoryEventsProps {
  readonly sessionId: string;
  /** The newest of the store: their texts are shown in place of ids. */
  readonly memories: readonly Memory[];
}

function MemoryEvents({ sessionId, memories }: MemoryEventsProps) {
  const { events, isReading, error, readAgain } = useEvents(sessionId);
  const [most, setMost] = useState(SHOWN_EVENTS);
  const happened = useMemo(
    () => events.flatMap((event) => memoryEventOf(event) ?? []).toReversed(),
    [events],
  );
  const known = useMemo(() => new Map(memories.map((memory) => [memory.id, memory])), [memories]);
  return (
    <section className="panel" aria-label="In this session">
      <h2>In this session</h2>
      {error && <ErrorState error={error} onRetry={readAgain} />}
      {happened.length === 0 && !error && (
        <p className="quiet">
          {isReading && events.length === 0
            ? "Reading the log…"
            : "Nothing was recalled or recorded in this session so far."}
        </p>
      )}
      {happened.length > 0 && (
        <ol className="memory-events">
          {happened.slice(0, most).map((one) => (
            <li key={one.seq} data-failed={one.hasFailed || undefined}>
              <EventLine sessionId={sessionId} event={one} known={known} />
            </li>
          ))}
        </ol>
      )}
      {happened.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + 10 * SHOWN_EVENTS)}>
          Show {Math.min(10 * SHOWN_EVENTS, happened.length - most)} earlier ones
        </button>
      )}
    </section>
  );
}

interface EventLineProps {
  readonly sessionId: string;
  readonly event: MemoryEvent;
  readonly known: ReadonlyMap<string, Memory>;
}

function EventLine({ sessionId, event, known }: EventLineProps) {
  const { at, words, replyId, memoryIds, seq } = event;
  const storeId = known.values().next().value?.store_id;
  return (
    <>
      <p className="memory-event">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId }}
          search={{ seq: String(seq) } as never}
          title={`event ${seq}`}
        >
          {words}
        </Link>
        {replyId !== null && (
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId }}
            search={{ tab: "timeline", reply: replyId } as never}
          >
            its reply
          </Link>
        )}
        <span className="quiet">
          <TimeStamp at={at} />
        </span>
      </p>
      {memoryIds.length > 0 && (
        <ul className="memory-names">
          {memoryIds.map((memoryId) => (
            <li key={memoryId}>
              <MemoryName id={memoryId} storeId={storeId} memory={known.get(memoryId)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface MemoryNameProps {
  readonly id: string;
  readonly storeId: string | undefined;
  /** Undefined for an older one, and for one that is gone. */
  readonly memory: Memory | undefined;
}

function MemoryName({ id, storeId, memory }: MemoryNameProps) {
  const name = memory ? <bdi>{memory.content}</bdi> : <span className="code">{id}</span>;
  if (storeId === undefined) return name;
  return (
    <Link to="/memory/$storeId/$memoryId" params={{ storeId, memoryId: id }}>
      {name}
    </Link>
  );
}
