// Audio and pictures that a model makes by chat completions.
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import { ChunkReader } from "../../../model/openai/chunk-reader.ts";

/** The chunks of one read of these deltas. */
function read(...deltas: readonly object[]): readonly ModelChunk[] {
  const events = deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] }));
  return new ChunkReader(true, "anybody").read(events);
}

describe("a delta of chat completions", () => {
  it("may have audio, whose words are text", () => {
    expect(
      read(
        { content: "Hm. " },
        { audio: { id: "audio_1", data: "AAAA" } },
        { audio: { transcript: "Hello" } },
        { audio: { data: "AQID" } },
      ),
    ).toEqual([
      { text: "Hm. " },
      { data: [{ index: 0, media_type: "audio/pcm", data: "AAAA" }] },
      { text: "Hello" },
      { data: [{ index: 0, media_type: "audio/pcm", data: "AQID" }] },
    ]);
  });

  it("may have pictures, each a block of its own", () => {
    const image = (data: string) => ({ image_url: { url: `data:image/PNG;base64,${data}` } });

    const chunks = read({ images: [image("AAAA"), image("AQID")] }, { images: [image("AAAA")] });

    const indexes = chunks.flatMap(({ data = [] }) => data.map(({ index }) => index));
    expect(chunks[0]?.data?.[0]).toEqual({ index: 1, media_type: "image/png", data: "AAAA" });
    expect(new Set(indexes).size).toBe(3);
  });

  it.each([
    { audio: { data: "not base64!" } },
    { audio: { data: "AAA" } },
    { audio: "AAAA" },
    { images: [{ image_url: { url: "https://example.com/x.png" } }] },
    { images: [{ image_url: { url: "data:text/html;base64,AAAA" } }, null, 7] },
  ])("has no media with %j", (delta) => {
    expect(read(delta)).toEqual([]);
  });

  it("with audio is never taken for one with a token alone", () => {
    const token = (content: string) => ({ content, audio: { data: "AAAA" } });

    expect(read(token("a"), token("b"), token("c"))).toHaveLength(3);
  });
});
