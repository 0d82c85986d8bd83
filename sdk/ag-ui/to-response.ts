import type { ShownFrame } from "./shown-frames.ts";

/**
 * Frames as the answer that the protocol's client reads. Resolves with the first one.
 *
 * Its body is no real stream: the client cancels a body that has failed, and does not expect that a stream then fails
 * once more.
 * @param stop Ends the reading, when the client wants no more of it before its end.
 * @throws What the frames throw before the first one.
 */
export async function toResponse(
  frames: AsyncGenerator<ShownFrame, void>,
  stop: () => void,
): Promise<Response> {
  const text = new TextEncoder();
  let first: IteratorResult<ShownFrame, void> | null = await frames.next();
  let isDone = false;
  const reader = {
    async read() {
      const result = first ?? (await frames.next());
      first = null;
      if (result.done) {
        isDone = true;
        return result;
      }
      return { done: false, value: text.encode(result.value.text) };
    },
    async cancel() {
      if (!isDone) stop();
    },
  };
  const response = new Response(null, { headers: { "Content-Type": "text/event-stream" } });
  return Object.defineProperty(response, "body", { value: { getReader: () => reader } });
}
