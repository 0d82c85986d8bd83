// One subscriber: a cursor that reads rows, then the batch in memory, then waits. Replayed and live events take this
// one path. Pull-based, so a slow reader delays no other reader, and nothing queues up for it.
import {
  MAX_UNREAD_HEARTBEATS,
  FOLLOW_IDLE_MS,
  FOLLOW_TOTAL_MS,
  STREAM_RETRY_MS,
} from "../../protocol/events/limits.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { encodeComment, encodeRetry } from "../../protocol/sse.ts";
import { type Piece, PieceReader } from "../bytes/piece-reader.ts";
import type { ReadEvents } from "../log/parse-frames.ts";
import type { SessionLog } from "../log/session-log.ts";
import { beginBacklogSlice, countBacklog, isBacklogSliceSpent } from "./backlog-slice.ts";
import type { StreamTranslation, TextPiece } from "./stream-translation.ts";
import type { StreamCredential } from "./stream-credentials.ts";
import type { Subscribers } from "./subscribers.ts";

export interface EventStreamOptions {
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  /** Events above this seq. */
  readonly after: number;
  /** Frames that are sent first. */
  readonly prelude: readonly TextPiece[];
  /** The translation into another dialect; null for the log's own frames. */
  readonly translation: StreamTranslation | null;
  /** Approximate characters of the message that the translation holds; null for one that holds none. */
  readonly folded: number | null;
  /** Events at or below this seq are not sent; null while the reply that is read has not begun. */
  readonly start: () => number | null;
  /** Whether the stream may end once the reader has everything up to the cursor. */
  readonly isOver: (cursor: number) => boolean;
  /** The last seq that is sent, once it is known. */
  readonly upTo: () => number | null;
  /** The client token or the API key that opened it: the stream ends when that is revoked or expires. */
  readonly credential: StreamCredential | null;
  /** Stay open between replies, for a bounded time. */
  readonly isFollowing: boolean;
  /** Of a reader over a WebSocket. */
  readonly socket?: SocketReading | undefined;
}

/**
 * A reader over a WebSocket, which may hibernate: it has no heartbeats, stays open however long nothing happens, and is not
 * looked at by a timer of the object.
 */
export interface SocketReading {
  /** Called each time when the reader has everything that may be seen. Must not throw. */
  readonly caughtUp?: (() => void) | undefined;
  /** The end, with its error; null where the stream is over. Called behind everything that was read. Must not throw. */
  readonly ended: (code: ErrorCode | null) => void;
}

/** A piece, or why there is none: nothing is new, the translation has to catch up first, or the stream is over. */
type Taken = Uint8Array | "wait" | "behind" | "end";

const HEARTBEAT = encodeComment("heartbeat");

export function openEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { log, subscribers, translation, start, isOver, upTo, isFollowing, socket } = options;
  const staysOpen = () => isFollowing || translation?.staysOpen === true;
  const subscription = socket
    ? subscribers.joinSocket(options.credential)
    : subscribers.join(options.credential, closeUnread, staysOpen());
  const { leave } = subscription;
  const openedAt = Date.now();
  let lastEventAt = openedAt;
  let hasLeft = false;
  /** All streams of the object together hold too much for this one. */
  let isCrowded = false;
  let cursor = options.after;
  let { folded } = options;
  if (folded !== null) subscription.hold(folded);
  let unsent = new PieceReader(piecesOf([encodeRetry(STREAM_RETRY_MS), ...options.prelude]));
  /** Whether the reader may have a backlog: it has not waited for anything since it came, or since a large piece. */
  let isBehind = true;
  /** Whether a read is pending. */
  let isRead = false;
  let readAtBeat = subscribers.beats;
  let control: ReadableStreamDefaultController<Uint8Array> | null = null;

  // Not of type `bytes`: for each read of such a stream the runtime clears a buffer that is never filled, which takes a
  // tenth of a token's processor time. `highWaterMark` 0: nothing is pulled before a read.
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller;
      },
      async pull(controller) {
        isRead = true;
        // A reader who is as fast as this object would otherwise be sent a whole backlog without a look at the network.
        if (isBehind && isBacklogSliceSpent()) {
          await timeSlice();
          beginBacklogSlice();
        }
        // One promise a token: an async helper would add a second one for every reader of every token.
        let next = takeOrFail(false);
        while (next === "wait" || next === "behind") {
          const { beats } = subscribers;
          if (next === "wait") {
            isBehind = false;
            socket?.caughtUp?.();
          }
          await (next === "wait" ? log.changed() : catchUp());
          next = takeOrFail(!socket && subscribers.beats !== beats);
        }
        isRead = false;
        readAtBeat = subscribers.beats;
        if (next !== "end") {
          if (countBacklog(next)) isBehind = true;
          controller.enqueue(next);
          return;
        }
        const code = endOf();
        leave();
        if (hasLeft) return;
        controller.close();
        socket?.ended(code);
      },
      cancel() {
        hasLeft = true;
        leave();
        // Wakes a pending pull, which would otherwise hold its memory until the next event.
        log.wake();
      },
    },
    { highWaterMark: 0 },
  );

  /**
   * Closes the stream of a reader that has not read for some heartbeats although data was available. A client that is
   * still connected sees the end of the stream, and resumes with a new one.
   */
  function closeUnread(): void {
    if (isRead || subscribers.beats - readAtBeat < MAX_UNREAD_HEARTBEATS || !hasUnsent()) return;
    hasLeft = true;
    unsent = new PieceReader([]);
    leave();
    control?.close();
  }

  /** Whether there is something to send: data, or the end of the stream. */
  function hasUnsent(): boolean {
    if (!unsent.isOver) return true;
    const from = start();
    const seen = Math.max(cursor, from ?? 0);
    const end = from === null ? cursor : Math.min(upTo() ?? Infinity, log.visibleSeq);
    return seen < end || (staysOpen() ? isTooOld() : isOver(seen));
  }

  async function catchUp(): Promise<void> {
    try {
      await translation?.catchUp?.(cursor, () => hasLeft || subscription.isCut || log.isClosed);
    } catch (error) {
      leave();
      throw error;
    }
  }

  function takeOrFail(isHeartbeatDue: boolean): Taken {
    try {
      return take(isHeartbeatDue);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The next piece, if there is one. @param isHeartbeatDue Whether to send a comment when there is none. */
  function take(isHeartbeatDue: boolean): Taken {
    while (!log.isClosed && !subscription.isCut && !hasLeft) {
      const made = unsent.take();
      if (made) return made;
      if (translation?.isOver) return "end";
      const from = start();
      cursor = Math.max(cursor, from ?? 0);
      const end = from === null ? cursor : Math.min(upTo() ?? Infinity, log.visibleSeq);
      if (cursor < end && translation?.catchUp) return "behind";
      const read = translation ? log.readEvents(cursor, end) : log.read(cursor, end);
      if (read) {
        if ("events" in read && folded !== null) {
          folded = read.characters + (read.isNewReply ? 0 : folded);
          // The client gets the reason when it resumes: `too_many_subscribers`.
          isCrowded = !subscription.hold(folded);
          if (isCrowded) return "end";
        }
        cursor = read.last;
        lastEventAt = Date.now();
        if ("bytes" in read) return read.bytes;
        if ("pieces" in read) unsent = new PieceReader(read.pieces);
        else if (translation) unsent = new PieceReader(translated(read, translation));
        continue;
      }
      const isSettled = isOver(cursor);
      const flushed = isSettled && translation ? translation.flush() : [];
      if (flushed.length > 0) {
        unsent = new PieceReader(piecesOf(flushed));
        continue;
      }
      if (staysOpen() ? isTooOld() : isSettled) return "end";
      return isHeartbeatDue ? new TextEncoder().encode(HEARTBEAT) : "wait";
    }
    return "end";
  }

  /** Why the stream ends; null where it is over. */
  function endOf(): ErrorCode | null {
    if (isCrowded) return "too_many_subscribers";
    if (log.isClosed) return "not_found";
    return subscription.isCut ? "unauthenticated" : null;
  }

  function isTooOld(): boolean {
    if (socket) return false;
    const nowMs = Date.now();
    return nowMs - lastEventAt >= FOLLOW_IDLE_MS || nowMs - openedAt >= FOLLOW_TOTAL_MS;
  }
}

/** The events in the other dialect; may be nothing. */
function* translated({ events }: ReadEvents, into: StreamTranslation): Generator<Piece, void> {
  for (const event of events) yield* piecesOf(into.push(event));
}

function* piecesOf(text: readonly TextPiece[]): Generator<Piece, void> {
  for (const piece of text) {
    if (typeof piece === "string") yield piece;
    else yield* piece();
  }
}
