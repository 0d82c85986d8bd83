// One subscriber: a cursor that reads rows, then the batch in memory, then waits. Replay and live are this one
// path. Pull-based, so a slow reader holds back nobody and nothing queues up for it.
import { FOLLOW_IDLE_MS, FOLLOW_TOTAL_MS, STREAM_RETRY_MS } from "../protocol/limits.ts";
import { encodeComment, encodeRetry } from "../protocol/sse.ts";
import type { SessionLog } from "./session-log.ts";
import type { StreamToken } from "./stream-tokens.ts";
import type { Subscribers } from "./subscribers.ts";

export interface EventStreamOptions {
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  /** Events above this seq. */
  readonly after: number;
  /** Nothing at or below this seq; null while the reply that is read has not begun. */
  readonly start: () => number | null;
  /** Asked whenever the reader has seen all there is: may the stream end here? */
  readonly isOver: (cursor: number) => boolean;
  /** The last seq of interest, once it is known. */
  readonly upTo: () => number | null;
  /** The client token that it was opened with: the stream ends with it. */
  readonly token: StreamToken | null;
  /** Stay open between replies, for a bounded time. */
  readonly isFollowing: boolean;
}

export function openEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { log, subscribers, start, isOver, upTo, isFollowing } = options;
  const encoder = new TextEncoder();
  const subscription = subscribers.join(options.token);
  const { leave } = subscription;
  const openedAt = Date.now();
  let lastEventAt = openedAt;
  let cursor = options.after;
  let isGreeted = false;

  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      try {
        const bytes = await nextBytes();
        if (bytes) {
          controller.enqueue(bytes);
          return;
        }
      } catch (error) {
        leave();
        throw error;
      }
      leave();
      controller.close();
      // A byte stream with a waiting reader closes only when that read is answered.
      controller.byobRequest?.respond(0);
    },
    cancel: leave,
  });

  /** What comes next, waiting for it if need be; null at the end. */
  async function nextBytes(): Promise<Uint8Array | null> {
    if (!isGreeted) {
      isGreeted = true;
      return encoder.encode(encodeRetry(STREAM_RETRY_MS));
    }
    for (let isHeartbeatDue = false; !log.isClosed && !subscription.isCut;) {
      const from = start();
      cursor = Math.max(cursor, from ?? 0);
      const end = from === null ? cursor : Math.min(upTo() ?? Infinity, log.visibleSeq);
      const frames = log.read(cursor, end);
      if (frames) {
        cursor = frames.last;
        lastEventAt = Date.now();
        return frames.bytes;
      }
      if (isFollowing ? isTooOld() : isOver(cursor)) return null;
      if (isHeartbeatDue) return encoder.encode(encodeComment("heartbeat"));
      const { beats } = subscribers;
      await log.changed();
      isHeartbeatDue = subscribers.beats !== beats;
    }
    return null;
  }

  function isTooOld(): boolean {
    const nowMs = Date.now();
    return nowMs - lastEventAt >= FOLLOW_IDLE_MS || nowMs - openedAt >= FOLLOW_TOTAL_MS;
  }
}
