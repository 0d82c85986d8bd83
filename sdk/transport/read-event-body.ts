// The body of an event stream, read as it arrives.
import { createSseDecoder } from "../../protocol/sse.ts";
import type { SseFrame } from "../../protocol/sse.ts";
import { ConnectionError } from "./connection-error.ts";
import { withDeadline } from "./with-deadline.ts";
import type { OpenAnswer } from "./transport.ts";

export interface EventBodyOptions {
  /** Milliseconds without a byte, comments included, after which the stream counts as lost. */
  readonly stallMs: number;
  /** Called for each chunk of any content. */
  readonly onChunk: () => void;
  /** Called for a `retry:` field, in milliseconds. */
  readonly onRetry: (retryMs: number) => void;
}

/**
 * The events that each chunk completes; an event cut off in the middle is dropped. Ends with the body, and always
 * releases the connection.
 *
 * @param read Parses a frame. An exception counts as a cut connection.
 * @throws {ConnectionError} on a cut, a stall, or an invalid event.
 */
export async function* readEventBody<Item>(
  { response, close }: OpenAnswer,
  { stallMs, onChunk, onRetry }: EventBodyOptions,
  read: (frame: SseFrame) => Item,
): AsyncGenerator<readonly Item[], void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  let text: InstanceType<typeof TextDecoder> | undefined;
  const decoder = createSseDecoder();
  try {
    for (;;) {
      const chunk = await withDeadline(reader.read(), stallMs);
      if (chunk.done) return;
      onChunk();
      // React Native's older engines have no TextDecoder, and their bodies come as text: see progress-fetch.ts.
      const value = chunk.value as Uint8Array | string;
      const arrived =
        typeof value === "string"
          ? value
          : (text ??= new TextDecoder()).decode(value, { stream: true });
      const frames = decoder.push(arrived);
      for (const { retry } of frames) if (retry !== undefined) onRetry(retry);
      if (frames.length > 0) yield frames.map(read);
    }
  } catch (error) {
    if (ConnectionError.isInstance(error)) throw error;
    throw new ConnectionError(`the stream broke off: ${String(error)}`, error);
  } finally {
    close();
    // For a `fetch` that ignores its signal; one that honours it has failed the body already.
    reader.cancel().catch(() => undefined);
  }
}
