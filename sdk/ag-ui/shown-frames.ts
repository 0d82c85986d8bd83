import type { SseFrame } from "../../protocol/sse.ts";
import { streamOf } from "../events/connect-events.ts";
import type { ConnectOptions, EventConnection } from "../events/event-connection.ts";
import type { OpenAnswer, Transport } from "../transport/transport.ts";

/** A group of frames passed on to AG-UI's client. */
export interface ShownFrame {
  /** Counts groups. Frame ids give the order within the stream. */
  readonly seq: number;
  /** Complete SSE frames. */
  readonly text: string;
  /** True for the last one of the run. */
  readonly isTerminal: boolean;
}

/**
 * The frames of a streaming response.
 *
 * @param take Maps a frame to what is passed on; null to drop it.
 * @throws {ConnectionError} when the answer is no event stream.
 * @throws {TypeError} when the runtime's `fetch` gives no body that can be read as it arrives.
 */
export function shownFrames(
  transport: Transport,
  answer: OpenAnswer,
  options: ConnectOptions,
  take: (frame: SseFrame) => ShownFrame | null,
): EventConnection<ShownFrame> {
  const stream = streamOf(transport, answer, options, (frame) => frame);
  if (!stream) throw new TypeError("AG-UI needs a fetch whose answers can be read as they arrive");
  return { batches: takeEach(stream, take) };
}

async function* takeEach(
  { batches }: EventConnection<SseFrame>,
  take: (frame: SseFrame) => ShownFrame | null,
): AsyncGenerator<readonly ShownFrame[], void> {
  for await (const batch of batches) {
    yield batch.map(take).filter((frame) => frame !== null);
  }
}

/** Whether the frame ends a run. */
export function isTerminal({ event }: SseFrame): boolean {
  return event === "RUN_FINISHED" || event === "RUN_ERROR";
}

/** @param data One line of JSON; the client ignores the other fields of a frame. */
export function toFrameText(data: string): string {
  return `data: ${data}\n\n`;
}

/** Whether a frame comes after another; ids are `<seq>.<k>`. */
export function isAfter(id: string, other: string): boolean {
  const [seq = 0, k = 0] = id.split(".").map(Number);
  const [otherSeq = 0, otherK = 0] = other.split(".").map(Number);
  return seq > otherSeq || (seq === otherSeq && k > otherK);
}
