// One subscriber: a cursor that reads rows, then the batch in memory, then waits. Replay and live are this one
// path. Pull-based, so a slow reader holds back nobody and nothing queues up for it.
import { FOLLOW_IDLE_MS, FOLLOW_TOTAL_MS, STREAM_RETRY_MS } from "../protocol/limits.ts";
import { encodeComment, encodeRetry } from "../protocol/sse.ts";
import type { StoredFrames } from "./event-table.ts";
import type { SessionLog } from "./session-log.ts";
import type { StreamTranslation } from "./stream-translation.ts";
import type { StreamToken } from "./stream-tokens.ts";
import type { Subscribers } from "./subscribers.ts";

export interface EventStreamOptions {
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  /** Events above this seq. */
  readonly after: number;
  /** Frames that come first. */
  readonly prelude: string;
  /** Into which dialect; null for the log's own frames. */
  readonly translation: StreamTranslation | null;
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
  const { log, subscribers, translation, start, isOver, upTo, isFollowing } = options;
  const encoder = new TextEncoder();
  const subscription = subscribers.join(options.token);
  const { leave } = subscription;
  const openedAt = Date.now();
  let lastEventAt = openedAt;
  let cursor = options.after;
  let greeting = encodeRetry(STREAM_RETRY_MS) + options.prelude;

  // Not of type `bytes`: for each read of such a stream the runtime clears a buffer that nobody fills, which takes a
  // tenth of a token's processor time. Nothing is asked for before somebody reads.
  return new ReadableStream<Uint8Array>(
    {
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
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );

  /** What comes next, waiting for it if need be; null at the end. */
  async function nextBytes(): Promise<Uint8Array | null> {
    if (greeting !== "") {
      const bytes = encoder.encode(greeting);
      greeting = "";
      return bytes;
    }
    for (let isHeartbeatDue = false; !log.isClosed && !subscription.isCut;) {
      if (translation?.isOver) return null;
      const from = start();
      cursor = Math.max(cursor, from ?? 0);
      const end = from === null ? cursor : Math.min(upTo() ?? Infinity, log.visibleSeq);
      const frames = translation ? translate(translation, end) : log.read(cursor, end);
      if (frames) {
        cursor = frames.last;
        lastEventAt = Date.now();
        if (frames.bytes.byteLength > 0) return frames.bytes;
        continue;
      }
      const isAtRest = isOver(cursor);
      const rest = isAtRest && translation ? translation.rest() : "";
      if (rest !== "") return encoder.encode(rest);
      if (isFollowing ? isTooOld() : isAtRest) return null;
      if (isHeartbeatDue) return encoder.encode(encodeComment("heartbeat"));
      const { beats } = subscribers;
      await log.changed();
      isHeartbeatDue = subscribers.beats !== beats;
    }
    return null;
  }

  /** What the next events became; no bytes when they say nothing in this dialect. */
  function translate(into: StreamTranslation, end: number): StoredFrames | null {
    const read = log.readEvents(cursor, end);
    if (!read) return null;
    const text = read.events.map((event) => into.push(event)).join("");
    return { bytes: encoder.encode(text), last: read.last };
  }

  function isTooOld(): boolean {
    const nowMs = Date.now();
    return nowMs - lastEventAt >= FOLLOW_IDLE_MS || nowMs - openedAt >= FOLLOW_TOTAL_MS;
  }
}
