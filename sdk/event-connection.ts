// One connection to a session's events: a stream, or pages where bodies cannot be read as they arrive.
import type { Reply } from "../protocol/api/replies.ts";
import type { Session } from "../protocol/api/sessions.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { ConnectionError } from "./connection-error.ts";
import { readEventBody, type EventBodyOptions } from "./event-body.ts";
import type { OpenAnswer, Transport } from "./transport.ts";

/** Milliseconds between two looks at a reply that is still running, where there is no stream. */
const POLL_MS = 700;
/** Events of one page. */
const POLL_LIMIT = 100;

export interface EventConnection {
  /** In order. May begin with events that the reader has seen. */
  readonly batches: AsyncIterable<readonly LoggedEvent[]> | Iterable<readonly LoggedEvent[]>;
  /** Set for a page: how long to wait before the next one. */
  readonly nextPageMs?: number;
}

/** Which events. */
export interface EventRange {
  readonly sessionId: string;
  /** Of this reply alone. */
  readonly replyId?: string;
  /** Goes on between replies. */
  readonly isFollowing?: boolean;
}

export interface ConnectOptions extends Omit<EventBodyOptions, "stallMs"> {
  /** Events above this seq. */
  readonly after: number;
  readonly signal?: AbortSignal;
}

/**
 * Connects once.
 *
 * @returns Null when nothing more will come: the reply has ended or waits, and `after` is at its end.
 */
export async function connectEvents(
  transport: Transport,
  range: EventRange,
  options: ConnectOptions,
): Promise<EventConnection | null> {
  if (!transport.canStream) return readEventPage(transport, range, options);
  const { sessionId, replyId, isFollowing } = range;
  const { after, signal } = options;
  const answer = await transport.open({
    method: "GET",
    path: ["sessions", sessionId, "events"],
    query: { after, reply_id: replyId, follow: isFollowing ? "session" : undefined },
    accept: "text/event-stream",
    signal,
  });
  if (answer.response.status === 204) {
    answer.close();
    return null;
  }
  return streamOf(transport, answer, options) ?? readEventPage(transport, range, options);
}

/**
 * The events of an answer that streams; null when its body cannot be read as it arrives, which the transport then
 * remembers.
 *
 * @throws {ConnectionError} when the answer is no event stream.
 */
export function streamOf(
  transport: Transport,
  answer: OpenAnswer,
  { onChunk, onRetry }: ConnectOptions,
): EventConnection | null {
  const { response, close } = answer;
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    // Hotel networks, for one, answer everything with a page of their own.
    close();
    throw new ConnectionError("the answer is no event stream");
  }
  if (!response.body) {
    close();
    transport.canStream = false;
    return null;
  }
  const { stallMs } = transport.settings.reconnect;
  return { batches: readEventBody(answer, { stallMs, onChunk, onRetry }) };
}

interface EventPage {
  readonly data: readonly LoggedEvent[];
  readonly has_more: boolean;
}

async function readEventPage(
  transport: Transport,
  range: EventRange,
  { after, signal, onChunk }: ConnectOptions,
): Promise<EventConnection | null> {
  const { sessionId, replyId } = range;
  const session = ["sessions", sessionId];
  const read = () =>
    transport.get<EventPage>(
      [...session, "events"],
      { signal },
      { after, reply_id: replyId, limit: POLL_LIMIT },
    );
  let page = await read();
  onChunk();
  if (page.data.length === 0 && !range.isFollowing) {
    const path = replyId === undefined ? session : [...session, "replies", replyId];
    const { status } = await transport.get<Pick<Session | Reply, "status">>(path, { signal });
    if (status !== "running") {
      // Its last events may have come between the two looks.
      page = await read();
      if (page.data.length === 0) return null;
    }
  }
  return { batches: [page.data], nextPageMs: page.has_more ? 0 : POLL_MS };
}
