// Sends a request whose body has marks in the place of media: as a stream, in which each mark is replaced by the base64
// of the bytes as they are read.
import { encodeBase64 } from "../protocol/base64.ts";
import { utf8Bytes } from "../protocol/utf8-bytes.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { FoundMedia } from "./media-port.ts";

/** By mark. */
export type MediaMarks = Map<string, FoundMedia>;

/** A mark holds a random part, so that no text of a conversation can be one; its characters need no escape in JSON. */
const MARK = /reprise-media:[0-9a-f-]{36}/g;
/** Bytes encoded at a time; a multiple of three, so that only the last piece is padded. */
const PIECE_BYTES = 49_152;

/** A new mark for these bytes. */
export function markOf(media: FoundMedia, marks: MediaMarks): string {
  const mark = `reprise-media:${crypto.randomUUID()}`;
  marks.set(mark, media);
  return mark;
}

/** A `fetch` that replaces known marks in a body of text. The length is known before the first byte is sent. */
export function spliceMedia(send: OutgoingFetch, marks: MediaMarks): OutgoingFetch {
  return async (input, init) => {
    const parts = typeof init?.body === "string" ? split(init.body, marks) : [];
    if (!init || parts.length < 2) return send(input, init);
    const bytes = parts.reduce((sum, part) => sum + lengthOf(part), 0);
    const { readable, writable } = lengthStream(bytes);
    const headers = new Headers(init.headers);
    headers.set("Content-Length", String(bytes));
    // A failure ends the body, and with it the request.
    writeParts(parts, writable).catch(() => undefined);
    return send(input, { ...init, headers, body: readable, duplex: "half" } as RequestInit);
  };
}

type Part = string | FoundMedia;

function split(body: string, marks: MediaMarks): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: mark, index } of body.matchAll(MARK)) {
    const media = marks.get(mark);
    if (!media) continue;
    parts.push(body.slice(end, index), media);
    end = index + mark.length;
  }
  return [...parts, body.slice(end)];
}

function lengthOf(part: Part): number {
  return typeof part === "string" ? utf8Bytes(part) : Math.ceil(part.bytes / 3) * 4;
}

/** With a length the runtime sends `Content-Length`, which some endpoints need. Elsewhere the header alone says it. */
function lengthStream(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  const { FixedLengthStream: Fixed } = globalThis as { FixedLengthStream?: LengthStream };
  return Fixed ? new Fixed(bytes) : new TransformStream<Uint8Array, Uint8Array>();
}

type LengthStream = new (bytes: number) => TransformStream<Uint8Array, Uint8Array>;

/** @throws when media cannot be read, or the receiver has gone. */
async function writeParts(
  parts: readonly Part[],
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for (const part of parts) {
      if (typeof part === "string") await writer.write(new TextEncoder().encode(part));
      else await writeMedia(part, writer);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

async function writeMedia(
  media: FoundMedia,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  const flush = async () => {
    await writer.write(new TextEncoder().encode(encodeBase64(piece.subarray(0, filled))));
    filled = 0;
  };
  const reader = (await media.open()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let start = 0; start < value.byteLength;) {
        const part = value.subarray(start, start + PIECE_BYTES - filled);
        piece.set(part, filled);
        filled += part.byteLength;
        start += part.byteLength;
        if (filled === PIECE_BYTES) await flush();
      }
    }
    if (filled > 0) await flush();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
