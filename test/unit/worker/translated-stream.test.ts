import { describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { encodeComment, encodeEventFrame, encodeRetry } from "../../../protocol/sse.ts";
import { translateStream } from "../../../worker/translated-stream.ts";

const EVENTS = ["Wörld 👋", 'a "\n\n" b', "\u2028"].map((delta, index): LoggedEvent => ({
  id: `evt_${index + 1}`,
  created_at: "T",
  metadata: {},
  type: "TEXT_BLOCK_DELTA",
  reply_id: "r",
  block_id: "b",
  delta,
  seq: index + 1,
}));
const SOURCE =
  encodeRetry(500) +
  EVENTS.map((event) => encodeComment("heartbeat") + encodeEventFrame(event)).join("");

/** Two frames of the first event, none of the second. */
async function translate(event: LoggedEvent): Promise<string> {
  const { delta, seq } = event as LoggedEvent & { delta: string };
  return seq === 2 ? "" : `data: ${JSON.stringify(delta)}\n\n`.repeat(seq === 1 ? 2 : 1);
}

/** Nothing is said but what the events give. */
function plain(translate: (event: LoggedEvent) => Promise<string>) {
  return { prelude: "", translate, rest: async () => "" };
}

function streamOf(bytes: Uint8Array, size: number, onCancel?: (reason: unknown) => void) {
  let start = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (start >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(start, start + size));
        start += size;
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream as never).text();
}

describe("translateStream", () => {
  it("replaces the frames of events, and lets comments and retry pass, however the bytes are cut", async () => {
    const bytes = new TextEncoder().encode(SOURCE);
    const first = `data: ${JSON.stringify("Wörld 👋")}\n\n`;
    const heartbeat = ": heartbeat\n\n";
    const expected = `retry: 500\n\n${heartbeat}${first}${first}${heartbeat}${heartbeat}data: "\u2028"\n\n`;
    for (const size of [1, 2, 3, 7, 64, 10_000]) {
      expect([size, await read(translateStream(streamOf(bytes, size), plain(translate)))]).toEqual([
        size,
        expected,
      ]);
    }
  });

  it("drops a frame that the source did not complete", async () => {
    const bytes = new TextEncoder().encode(SOURCE.slice(0, -1));
    const whole = await read(translateStream(streamOf(bytes, 50), plain(translate)));
    expect(whole.endsWith(": heartbeat\n\n")).toBe(true);
  });

  it("ends the source when its reader leaves", async () => {
    const reasons: unknown[] = [];
    const source = streamOf(new TextEncoder().encode(SOURCE), 20, (reason) => reasons.push(reason));
    const reader = translateStream(source, plain(translate)).getReader();
    await reader.read();
    await reader.cancel("gone");
    expect(reasons).toEqual(["gone"]);
  });

  it("breaks off, and ends the source, when an event cannot be translated", async () => {
    const reasons: unknown[] = [];
    const failure = new Error("lost");
    const source = streamOf(new TextEncoder().encode(SOURCE), 5_000, (reason) =>
      reasons.push(reason),
    );
    const reading = read(
      translateStream(
        source,
        plain(() => Promise.reject(failure)),
      ),
    );
    await expect(reading).rejects.toBe(failure);
    expect(reasons).toEqual([failure]);
  });

  it("says what comes first, and what is left before a heartbeat and at the end", async () => {
    const said = { prelude: "data: first\n\n", translate: plain(translate).translate };
    const rest = async () => "data: rest\n\n";
    const source = streamOf(new TextEncoder().encode(encodeComment("heartbeat")), 5);
    expect(await read(translateStream(source, { ...said, rest }))).toBe(
      "data: first\n\ndata: rest\n\n: heartbeat\n\ndata: rest\n\n",
    );
    expect(await read(translateStream(null, { ...said, rest }))).toBe(
      "data: first\n\ndata: rest\n\n",
    );
  });
});
