// Reads events with automatic reconnects: connects, reads, and resumes at the last event until the end.
import type { LoggedEvent } from "../../protocol/events.ts";
import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../protocol/events/limits.ts";
import { throwIfAborted } from "../transport/abort-reason.ts";
import type { ApiError } from "../transport/api-error.ts";
import { backOffMs } from "../transport/back-off.ts";
import type { Settings } from "../transport/reprise-options.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type { ConnectOptions, EventConnection } from "./event-connection.ts";
import { pause } from "../transport/pause.ts";
import { isTransient } from "../transport/transport.ts";

/** Connection state for display: first attempt, open, reconnecting, closed. */
export type ConnectionState = "connecting" | "open" | "reconnecting" | "closed";

export interface StreamOptions {
  /** Stops reading, not the reply; the iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called on each change of the state. */
  readonly onConnectionChange?: (state: ConnectionState) => void;
}

export interface EventFeed<Item = LoggedEvent> {
  /** Opens one connection. Null at the end. */
  connect(options: ConnectOptions): Promise<EventConnection<Item> | null>;
  /** Whether this is the last event. */
  isLast(event: Item): boolean;
  /** Whether to reconnect after this event. */
  isPause?(event: Item): boolean;
  /** Whether to retry after this many consecutive failures. Null applies `giveUpAfterMs`. */
  mayRetry?(failures: number): boolean | null;
  /** A `follow` stream: when the platform closes it as idle, the reading ends. */
  readonly isFollowing?: boolean;
}

export interface ReaderOptions extends StreamOptions {
  readonly after: number;
  readonly reconnect: Settings["reconnect"];
}

/**
 * Every event after `after`, exactly once and in order, over any number of connections. The back-off is reset by each
 * event.
 *
 * @throws {ApiError} when the platform refuses permanently. @throws {ConnectionError} after `giveUpAfterMs`.
 */
export async function* readEvents<Item extends { readonly seq: number }>(
  feed: EventFeed<Item>,
  { after, reconnect, signal, onConnectionChange }: ReaderOptions,
): AsyncGenerator<Item, void> {
  let cursor = after;
  let failures = 0;
  let lastEventAtMs = Date.now();
  /**
   * Time of the first failure since data last arrived; null while data arrives. The time that the app takes to process
   * an event does not count.
   */
  let silentSinceMs: number | null = null;
  let streamDelayMs: number | undefined;
  let shown: ConnectionState | undefined;
  const show = (state: ConnectionState) => {
    if (state !== shown) onConnectionChange?.((shown = state));
  };
  const listen = {
    signal,
    onChunk: () => void (silentSinceMs = null),
    onRetry: (retryMs: number) => void (streamDelayMs = retryMs),
  };

  show("connecting");
  try {
    connecting: for (;;) {
      let failure: ApiError | ConnectionError | null = null;
      let nextPageMs: number | undefined;
      let hasProgress = false;
      try {
        const connection = await feed.connect({ ...listen, after: cursor });
        if (!connection) return;
        show("open");
        nextPageMs = connection.nextPageMs;
        for await (const batch of connection.batches) {
          for (const event of batch) {
            if (event.seq <= cursor) continue;
            cursor = event.seq;
            failures = 0;
            hasProgress = true;
            lastEventAtMs = Date.now();
            yield event;
            if (feed.isLast(event)) return;
            if (feed.isPause?.(event)) continue connecting;
          }
        }
      } catch (error) {
        throwIfAborted(signal);
        if (!isTransient(error)) throw error;
        failure = error;
      }
      const idleMs = Date.now() - lastEventAtMs;
      if (failure === null && feed.isFollowing && idleMs >= FOLLOW_IDLE_MS - HEARTBEAT_MS) return;
      if (failure === null && (nextPageMs !== undefined || hasProgress)) {
        // A stream that ended after events is most likely at its end: check at once.
        await pause(nextPageMs ?? 0, signal);
        continue;
      }
      failures += 1;
      silentSinceMs ??= Date.now();
      const isWorthwhile =
        feed.mayRetry?.(failures) ?? Date.now() - silentSinceMs < reconnect.giveUpAfterMs;
      if (!isWorthwhile) throw failure ?? new ConnectionError("the stream broke off");
      show("reconnecting");
      const delayMs = backOffMs(failures, failure, { firstDelayMs: streamDelayMs, ...reconnect });
      await pause(delayMs, signal);
    }
  } finally {
    show("closed");
  }
}
