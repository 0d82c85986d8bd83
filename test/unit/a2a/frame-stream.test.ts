// Frames of a task's stream in those of JSON-RPC.
import { describe, expect, it } from "vitest";

import { encodeComment, encodeMessage, encodeRetry } from "../../../protocol/sse.ts";
import { toRpcFrames } from "../../../worker/a2a/frame-stream.ts";

const FRAMES = [
  encodeRetry(1_000),
  encodeMessage("7.1", '{"task":{"id":"wörld 👋"}}'),
  encodeComment("heartbeat"),
  encodeMessage(null, '{"artifactUpdate":{"text":"data: x"}}'),
].join("");

function framed(id: string): string {
  const rpc = (result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  return [
    encodeRetry(1_000),
    encodeMessage("7.1", rpc('{"task":{"id":"wörld 👋"}}')),
    encodeComment("heartbeat"),
    encodeMessage(null, rpc('{"artifactUpdate":{"text":"data: x"}}')),
  ].join("");
}

async function read(chunks: readonly Uint8Array[], id: string | number | null): Promise<string> {
  const frames = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(toRpcFrames(frames, id)).text();
}

describe("the frames", () => {
  it.each([
    ['"a \\"quoted\\" id"', 'a "quoted" id'],
    ["7", 7],
    ["null", null],
  ])("have the id of the request, %s", async (text, id) => {
    expect(await read([new TextEncoder().encode(FRAMES)], id)).toBe(framed(text));
  });

  it("are the same however their bytes arrive", async () => {
    const bytes = new TextEncoder().encode(FRAMES);
    for (const size of [1, 2, 3, 5, 7, 11, 64]) {
      const chunks = [];
      for (let start = 0; start < bytes.length; start += size) {
        chunks.push(bytes.subarray(start, start + size));
      }
      expect(await read(chunks, 7)).toBe(framed("7"));
    }
  });

  it("pass by before they are complete", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = toRpcFrames(readable, 7).getReader();
    void writer.write(new TextEncoder().encode('data: {"a'));
    const first = await reader.read();
    const second = await reader.read();
    const text = new TextDecoder();
    expect(text.decode(first.value) + text.decode(second.value)).toBe(
      'data: {"jsonrpc":"2.0","id":7,"result":{"a',
    );
    await reader.cancel();
  });

  it("end the object's stream when their reader leaves", async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<string>();
    const frames = new ReadableStream<Uint8Array>({ cancel: resolve });
    await toRpcFrames(frames, 7).cancel("left");
    expect(await cancelled).toBe("left");
  });
});
