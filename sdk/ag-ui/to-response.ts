import type { ShownFrame } from "./shown-frames.ts";

/**
 * A `Response` with these frames for AG-UI's client. Resolves with the first frame.
 *
 * Its body is not a real stream: the client cancels a failed body and does not expect `cancel` to fail as well.
 * @param stop Called when the client cancels before the end.
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
