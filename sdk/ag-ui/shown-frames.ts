import type { SseFrame } from "../../protocol/sse.ts";
import { streamOf } from "../events/connect-events.ts";
import type { ConnectOptions, EventConnection } from "../events/event-connection.ts";
import type { OpenAnswer, Transport } from "../transport/transport.ts";

/** What the app's client is shown of a stream. */
export interface ShownFrame {
  /** Counts what is shown. The stream's own order are the ids of its frames. */
  readonly seq: number;
  /** Whole frames. */
  readonly text: string;
  /** Nothing of this run comes after it. */
  readonly isTerminal: boolean;
}

/**
 * The frames of an answer that streams.
 *
 * @param take What is shown for a frame; null for nothing.
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

/** Ends a run, whatever follows in the stream. */
export function isTerminal({ event }: SseFrame): boolean {
  return event === "RUN_FINISHED" || event === "RUN_ERROR";
}

/** @param data One line of JSON. The client reads nothing else of a frame. */
export function toFrameText(data: string): string {
  return `data: ${data}\n\n`;
}

/** Whether a frame comes after another; ids are `<seq>.<k>`. */
export function isAfter(id: string, other: string): boolean {
  const [seq = 0, k = 0] = id.split(".").map(Number);
  const [otherSeq = 0, otherK = 0] = other.split(".").map(Number);
  return seq > otherSeq || (seq === otherSeq && k > otherK);
}
