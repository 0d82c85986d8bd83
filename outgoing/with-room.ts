// Answers that wait for room in memory before they are read: an isolate serves many tenants, and one tenant's calls could
// fill it with answers that are each allowed.
import { FREE_ANSWER_BYTES } from "../protocol/quotas/limits.ts";
import type { OutgoingFetch } from "./outgoing.ts";

/** Thrown while an answer is read: what it said has no room. The request was made. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";

  /** Compares the name, because the class may be loaded twice. */
  static isInstance(value: unknown): value is NoRoom {
    return value instanceof Error && value.name === "NoRoom";
  }
}

/**
 * The same requests. Of a good answer the first {@link FREE_ANSWER_BYTES} are read as they come, the rest when `take` has
 * resolved; nothing more of it is in memory until then. Others are read in part anyway.
 * @param take Makes room for the whole of an answer. @throws {NoRoom} when there is none.
 */
export function withRoom(outgoing: OutgoingFetch, take: () => Promise<void>): OutgoingFetch {
  return async (input, init) => {
    const response = await outgoing(input, init);
    if (!response.ok || !response.body) return response;
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The body that is read here is unpacked already.
    if (headers.has("content-encoding")) {
      headers.delete("content-encoding");
      headers.delete("content-length");
    }
    return new Response(inRoom(response.body, take), { status, statusText, headers });
  };
}

function inRoom(body: ReadableStream<Uint8Array>, take: () => Promise<void>): ReadableStream {
  const reader = body.getReader();
  let bytes = 0;
  let hasRoom = false;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          // A reader with a buffer of its own waits for it.
          controller.byobRequest?.respond(0);
          return;
        }
        bytes += value.byteLength;
        if (!hasRoom && bytes > FREE_ANSWER_BYTES) {
          try {
            await take();
          } catch (error) {
            void reader.cancel(error).catch(() => undefined);
            throw error;
          }
          hasRoom = true;
        }
        if (value.byteLength === 0) continue;
        controller.enqueue(value);
        return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
