import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import {
  sealUnsigned,
  type ReasoningMember,
} from "../../../model/conversation/unsigned-reasoning.ts";
import { ChunkReader } from "../../../model/openai/chunk-reader.ts";
import { runs } from "../../support/breadth.ts";
import { joinChunks } from "../../support/join-chunks.ts";

/** The part of an event beside its token. */
interface Envelope {
  readonly created: number;
  readonly padding: string;
}

interface Said {
  readonly field: "content" | "parts" | "thoughts" | "refusal" | "reasoning" | "reasoning_content";
  readonly token: string;
  readonly envelope: Envelope;
}

/** Some have the very letters of other strings of the event, or what cannot stand in JSON as it is. */
const token = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "mock",
    "content",
    "stop",
    "null",
    '"',
    "\\",
    '"}',
    "\u2028",
    "\u007f",
    "a\tb",
    "é",
    "\\u0041",
  ),
);
const same: Envelope = { created: 1, padding: "mock" };
const envelope = fc.oneof(
  { weight: 4, arbitrary: fc.constant(same) },
  {
    weight: 1,
    arbitrary: fc.record({ created: fc.nat(3), padding: fc.string({ maxLength: 6 }) }),
  },
);
const field = fc.constantFrom<Said["field"][]>(
  "content",
  "content",
  "content",
  "parts",
  "thoughts",
  "refusal",
  "reasoning",
  "reasoning_content",
);
const stream = fc.array(fc.record({ field, token, envelope }), { maxLength: 40 });

function eventOf({ field: key, token: text, envelope: { created, padding } }: Said): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    created,
    model: "mock",
    choices: [{ index: 0, delta: deltaOf(key, text), finish_reason: null }],
    obfuscation: padding,
  });
}

function deltaOf(key: Said["field"], text: string): object {
  if (key === "parts") return { content: [{ type: "text", text }] };
  return key === "thoughts"
    ? { content: [{ type: "thinking", thinking: [{ text }] }] }
    : { [key]: text };
}

/** The words after a thought say first who it is of; one among the parts of a content has no author. */
function meantBy(said: readonly Said[]): ModelChunk[] {
  let thought: ReasoningMember | null = null;
  return said.map(({ field: key, token: text }) => {
    if (key === "thoughts") return { thinking: text };
    if (key === "reasoning" || key === "reasoning_content") {
      thought = key;
      return { thinking: text };
    }
    const thinking_signature = thought === null ? undefined : sealUnsigned("someone", thought);
    thought = null;
    return thinking_signature === undefined ? { text } : { thinking_signature, text };
  });
}

function readInPieces(events: readonly string[], size: number): ModelChunk[] {
  const reader = new ChunkReader(true, "someone");
  const chunks: ModelChunk[] = [];
  for (let from = 0; from < events.length; from += size) {
    chunks.push(...reader.read(events.slice(from, from + size)));
  }
  return chunks;
}

describe("the events of a chat completions stream", () => {
  it("bring what each of them says, however alike they are and however they come", () => {
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 9 }), (said, size) => {
        const chunks = readInPieces(said.map(eventOf), size);

        const meant = meantBy(said.filter((each) => each.token !== ""));
        expect(joinChunks(chunks)).toEqual(joinChunks(meant));
      }),
      { numRuns: runs(500) },
    );
  });

  it("are one chunk for each run of words that one read brought", () => {
    const said = [..."abc"].map((text) =>
      eventOf({ field: "content", token: text, envelope: same }),
    );
    const thought = eventOf({ field: "reasoning", token: "hm", envelope: same });

    const reader = new ChunkReader(true, "someone");

    expect(reader.read([thought, thought, ...said])).toEqual([
      { thinking: "hmhm" },
      { thinking_signature: sealUnsigned("someone", "reasoning"), text: "a" },
      { text: "bc" },
    ]);
    expect(reader.read(said)).toEqual([{ text: "abc" }]);
  });

  it("are read no further than the end of the stream", () => {
    const one = eventOf({ field: "content", token: "one", envelope: same });
    const reader = new ChunkReader(true, "someone");

    expect(reader.read([one, one, "[DONE]", one])).toEqual([{ text: "oneone" }]);
    expect(reader.read([one])).toEqual([]);
    expect(reader.failure).toBeNull();
  });

  it("are read no further than an error, whatever came before it", () => {
    const one = eventOf({ field: "content", token: "one", envelope: same });
    const error = JSON.stringify({ error: { message: "overloaded", type: "server_error" } });
    const reader = new ChunkReader(true, "someone");

    expect(reader.read([one, one, error, one])).toEqual([{ text: "oneone" }]);
    expect(reader.isOver).toBe(true);
  });

  it("give a proof before the next word, though the word's event is like those before it", () => {
    const one = eventOf({ field: "content", token: "one", envelope: same });
    const proof = JSON.stringify({
      choices: [{ index: 0, delta: { thinking_blocks: [{ type: "thinking", signature: "s" }] } }],
    });
    const reader = new ChunkReader(true, "someone");

    const chunks = reader.read([one, one, proof, one, one]);

    expect(chunks).toEqual([
      { text: "oneone" },
      { text: "one", thinking_signature: expect.stringContaining("someone") },
      { text: "one" },
    ]);
  });
});
