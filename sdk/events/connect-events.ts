// Opens one connection to the events of a session or a room: a stream, also over a WebSocket, or a page where the runtime cannot
// read a body as it arrives.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { SseFrame } from "../../protocol/sse.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type { ConnectOptions, EventConnection, EventRange } from "./event-connection.ts";
import { readEventBody } from "../transport/read-event-body.ts";
import { loadEventPages, loadProgressFetch, loadSocketStream } from "./load-parts.ts";
import type { FetchFunction } from "../transport/reprise-options.ts";
import type { OpenAnswer, Transport } from "../transport/transport.ts";

/**
 * Connects once.
 *
 * @returns Null at the end of the stream: the reply has ended or waits, and `after` is its last event.
 */
export async function connectEvents(
  transport: Transport,
  range: EventRange,
  options: ConnectOptions,
): Promise<EventConnection | null> {
  const readPage = async () => {
    const { readEventPage } = await loadEventPages();
    return readEventPage(transport, range, options);
  };
  const fetch = await streamingFetch(transport, range);
  if (!fetch) return readPage();
  const { of, replyId, isFollowing } = range;
  const { after, signal } = options;
  const answer = await transport.open({
    method: "GET",
    path: [...of, "events"],
    query: { after, reply_id: replyId, follow: isFollowing ? of[0].slice(0, -1) : undefined },
    accept: "text/event-stream",
    signal,
    fetch,
  });
  if (answer.response.status === 204) {
    answer.close();
    return null;
  }
  return streamOf(transport, answer, options, readEvent) ?? readPage();
}

/** The function that shows a body as it arrives; null where there is none, and while that is not known. */
async function streamingFetch(
  transport: Transport,
  { of }: EventRange,
): Promise<FetchFunction | null> {
  if (transport.settings.transport === "websocket") {
    const { socketStream } = await loadSocketStream();
    return socketStream(transport, of);
  }
  if (transport.canStream) return transport.settings.fetch;
  if (transport.canStream === null || !transport.canProgress) return null;
  const { progressFetch } = await loadProgressFetch();
  return progressFetch(transport);
}

/** A frame of a WebSocket has the event in it. */
export function readEvent({ data }: SseFrame): LoggedEvent {
  const value = JSON.parse(data) as LoggedEvent & { readonly event?: LoggedEvent };
  return value.event ?? value;
}

/**
 * The events of a streaming response; null when its body cannot be read incrementally, which is then recorded in
 * `transport.canStream`.
 *
 * @throws {ConnectionError} when the response is no event stream.
 */
export function streamOf<Item>(
  transport: Transport,
  answer: OpenAnswer,
  { onChunk, onRetry }: Omit<ConnectOptions, "after">,
  read: (frame: SseFrame) => Item,
): EventConnection<Item> | null {
  const { response, close } = answer;
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    // Captive portals, for example, answer every request with a page of their own.
    close();
    throw new ConnectionError("the answer is no stream");
  }
  if (!response.body) {
    close();
    transport.canStream = false;
    return null;
  }
  const { stallMs } = transport.settings.reconnect;
  return { batches: readEventBody(answer, { stallMs, onChunk, onRetry }, read) };
}
