// Sends a stream of events, as `openEventStream` makes it, into a socket: each event is one frame of JSON.
import { LOG_FORMAT, type EventFormat } from "../../protocol/dialects/dialects.ts";
import { createSseDecoder, type SseFrame } from "../../protocol/sse.ts";
import { pause } from "../../runtime/pause.ts";
import { SocketPace } from "./socket-pace.ts";

export interface FrameSink {
  /** Sends a frame. May throw: the pump then stops. */
  readonly send: (frame: string) => void;
  /**
   * Called behind frames that were sent, before anything else can happen: the id of the last one, from which a new pump
   * goes on without a gap or a double, and the bytes that the socket was sent in all.
   */
  readonly sent?: (id: string, bytes: number) => void;
  /** The socket is over its bound: its reader goes on with another one. The pump has stopped. */
  readonly spent: () => void;
  /** The stream could not be read. The pump has stopped. */
  readonly failed: (error: unknown) => void;
}

export interface FrameSource {
  readonly stream: ReadableStream<Uint8Array>;
  readonly format: EventFormat;
  /** Bytes that the socket was sent before. */
  readonly sent?: number;
  /** The number of readers of the object, which share what waits in its memory; one when left out. */
  readonly readers?: () => number;
}

const LINE_FEED = 10;

/**
 * Sends until the stream ends, of which `EventStreamOptions.socket` tells with the reason, or until it is stopped. Nothing
 * of it outlives the object's memory: what woke the object opens a new stream from the last id. @returns Stops it.
 */
export function pumpFrames(
  { stream, format, sent, readers = () => 1 }: FrameSource,
  sink: FrameSink,
): () => void {
  const reader = stream.getReader();
  const pace = new SocketPace(sent);
  const text = new TextDecoder();
  const decoder = createSseDecoder();
  const stopping = new AbortController();
  const stopped = stopping.signal;
  void pump();
  return stop;

  function stop(): void {
    stopping.abort();
    // Ends the subscription; a stream that has ended already refuses it.
    reader.cancel().catch(() => undefined);
  }

  /** Contract: never rejects. */
  async function pump(): Promise<void> {
    let isBetweenFrames = true;
    try {
      while (!stopped.aborted) {
        if (isBetweenFrames && pace.isSpent(readers())) {
          stop();
          return sink.spent();
        }
        await pause(pace.waitMs, stopped);
        const { done, value } = await reader.read();
        if (done || stopped.aborted) return;
        pace.count(value.byteLength);
        isBetweenFrames = value.at(-1) === LINE_FEED && value.at(-2) === LINE_FEED;
        sendAll(decoder.push(text.decode(value, { stream: true })));
      }
    } catch (error) {
      stop();
      sink.failed(error);
    }
  }

  function sendAll(frames: readonly SseFrame[]): void {
    let last: string | null = null;
    for (const frame of frames) {
      sink.send(frameOf(frame));
      last = frame.id;
    }
    if (last !== null) sink.sent?.(last, pace.sent);
  }

  /** The event's JSON goes through as it is. */
  function frameOf({ id, data }: SseFrame): string {
    const place = format === LOG_FORMAT ? `"seq":${Number(id)}` : `"id":${JSON.stringify(id)}`;
    return `{"type":"event",${place},"event":${data}}`;
  }
}
