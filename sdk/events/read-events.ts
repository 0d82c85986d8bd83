// Events across disconnects: connects, reads, and connects again where it stopped, until nothing more can come.
import type { LoggedEvent } from "../../protocol/events.ts";
import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../protocol/limits/streams.ts";
import { throwIfAborted } from "../transport/abort-reason.ts";
import type { ApiError } from "../transport/api-error.ts";
import { backOffMs } from "../transport/back-off.ts";
import type { Settings } from "../transport/reprise-options.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type { ConnectOptions, EventConnection } from "./event-connection.ts";
import { pause } from "../transport/pause.ts";
import { isTransient } from "../transport/transport.ts";

/** What an app may show: the first connection, a connection that stands, a new try, the end. */
export type ConnectionState = "connecting" | "open" | "reconnecting" | "closed";

export interface StreamOptions {
  /** Ends the reading, not the reply; the iteration throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told each change, never the same state twice in a row. */
  readonly onConnectionChange?: (state: ConnectionState) => void;
}

export interface EventFeed<Item = LoggedEvent> {
  /** Connects once. Null when nothing more will come. */
  connect(options: ConnectOptions): Promise<EventConnection<Item> | null>;
  /** Nothing comes after this event. */
  isLast(event: Item): boolean;
  /** After this event the reader is to connect anew. */
  isPause?(event: Item): boolean;
  /** Whether to try again after so many failures in a row. Null leaves it to `giveUpAfterMs`. */
  mayRetry?(failures: number): boolean | null;
  /** The platform closes an idle stream on purpose, to be asked no more. */
  readonly isFollowing?: boolean;
}

export interface ReaderOptions extends StreamOptions {
  readonly after: number;
  readonly reconnect: Settings["reconnect"];
}

/**
 * Every event above `after` once and in order, whatever happens to the connections. Back-off starts anew with each
 * event that arrives.
 *
 * @throws {ApiError} when the platform refuses for good. @throws {ConnectionError} when it gave up.
 */
export async function* readEvents<Item extends { readonly seq: number }>(
  feed: EventFeed<Item>,
  { after, reconnect, signal, onConnectionChange }: ReaderOptions,
): AsyncGenerator<Item, void> {
  let cursor = after;
  let failures = 0;
  let lastEventAtMs = Date.now();
  /** Since when nothing came; null while something does. Not counted while the app takes its time with an event. */
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
        // A stream that ended after its events has most likely nothing more: ask at once.
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
