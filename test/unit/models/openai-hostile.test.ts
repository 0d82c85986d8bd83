// Endpoints that send what no model sends: more of it than anybody reads, and numbers that nobody believes.
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import { modelError } from "../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { createOpenAiModel } from "../../../model/openai/openai-model.ts";
import { ChunkReader } from "../../../model/openai/chunk-reader.ts";
import {
  MAX_CALL_TOKENS,
  MAX_MODEL_ANSWER_BYTES,
  MAX_MODEL_EVENT_VALUES,
  MAX_TURN_CALLS,
  MAX_MODEL_EVENT_CHARACTERS,
} from "../../../protocol/models/limits.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import { startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { BROAD } from "../../support/breadth.ts";

async function play(turn: FakeTurn): Promise<ModelChunk[]> {
  const server = await startFakeOpenAi(turn);
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: { provider: "openai", name: "m", base_url: server.baseUrl, parameters: {} },
    outgoing: createOutgoing({ environment: "local", fetch }),
  });
  const request = { system_prompt: "", messages: [], tools: [] };
  return collect(model.stream(request, new AbortController().signal));
}

/** The chunks of one read. */
function read(...events: readonly unknown[]): readonly ModelChunk[] {
  return new ChunkReader(true, "anybody").read(events.map((event) => JSON.stringify(event)));
}

function usageEvent(prompt_tokens: unknown, completion_tokens: unknown): object {
  return { choices: [], usage: { prompt_tokens, completion_tokens } };
}

const REFUSALS: readonly [string, number, string][] = [
  ["a failure whose text has no end", 503, "upstream"],
  ["a refusal whose text has no end", 400, "invalid_request"],
  ["a redirect whose text has no end", 307, "upstream"],
];

const STREAMS: readonly [string, FakeTurn][] = [
  ["one line without an end", (stream) => (stream.raw("data: "), stream.flood("x".repeat(65_536)))],
  ["one event of lines without an end", (stream) => stream.flood("data: xxxxxxxxxxxxxxx\n")],
  [
    "comments of more bytes than words ever need",
    (stream) => stream.flood(`: ${"x".repeat(1_000_000)}\n`),
  ],
  [
    "comments, packed a thousand to one",
    (stream) => {
      stream.head(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      return stream.flood(gzipSync(Buffer.alloc(100_000_000, ":\n")));
    },
  ],
];

describe("an endpoint that answers with", () => {
  it.each(REFUSALS)("%s is told by its status", async (_case, status, type) => {
    const chunks = await play(async (stream) => {
      stream.head(status, { location: "/" });
      await stream.flood("no ".repeat(10_000));
    });

    expect(chunks).toEqual([{ error: modelError(type as "upstream") }]);
  });

  it("a few words in more bytes than any answer has is stopped for good", BROAD, async () => {
    const padding = "x".repeat(1_000_000);
    const event = { choices: [{ delta: { content: "a" } }], padding };
    const chunks = await play((stream) => stream.flood(`data: ${JSON.stringify(event)}\n\n`));

    expect(chunks.at(-1)).toEqual({ error: modelError("output_limit") });
    expect(chunks).toHaveLength(Math.ceil(MAX_MODEL_ANSWER_BYTES / 1_000_000) + 1);
  });

  it.each(STREAMS)("%s has failed", async (_case, turn) => {
    expect(await play(turn)).toEqual([{ error: modelError("upstream") }]);
  });
});

describe("an event", () => {
  it.each([
    ["has more values than any", `[${"{ }, ".repeat(MAX_MODEL_EVENT_VALUES)}{}]`],
    ["is deeper than any", `${"[".repeat(40_000)}${"]".repeat(40_000)}`],
  ])("that %s is not parsed", async (_case, choices) => {
    const chunks = await play((stream) => stream.raw(`data: {"choices":${choices}}\n\n`));

    expect(chunks).toEqual([{ error: modelError("upstream") }]);
  });

  it("that is nearly as long as it may be is read", async () => {
    const text = "word ".repeat(MAX_MODEL_EVENT_CHARACTERS / 5 - 100);
    const chunks = await play((stream) => {
      stream.text(text);
      stream.done();
    });

    expect(chunks).toEqual([{ text }]);
  });
});

describe("usage", () => {
  it.each([
    ["as an endpoint tells it", usageEvent(12, 34), 12, 34],
    ["of the largest context", usageEvent(MAX_CALL_TOKENS, 1), MAX_CALL_TOKENS, 1],
    ["beyond any context", usageEvent(MAX_CALL_TOKENS + 1, 9e15), 0, 0],
    ["below nothing", usageEvent(-1, Number.MIN_SAFE_INTEGER), 0, 0],
    ["in parts of tokens", usageEvent(0.5, 1e-9), 0, 0],
    ["in words", usageEvent("12", "9e15"), 0, 0],
    ["that is no number", usageEvent(null, [1]), 0, 0],
  ])("%s is believed as far as it can be true", (_case, event, input_tokens, output_tokens) => {
    expect(read(event)).toEqual([
      {
        usage: {
          input_tokens,
          output_tokens,
          cache_input_tokens: 0,
          cache_creation_input_tokens: 0,
        },
      },
    ]);
  });
});

describe("pieces of calls that are interleaved", () => {
  it("are one piece for each call and read", () => {
    const pieces = [...Array(300).keys()].map((number) => ({
      choices: [
        {
          delta: {
            tool_calls: [
              { index: number % 2, function: { name: `n${number % 2}`, arguments: "1" } },
            ],
          },
        },
      ],
    }));

    expect(read(...pieces)).toEqual([
      {
        tool_calls: [
          { index: 0, name: "n0", delta: "1".repeat(150) },
          { index: 1, name: "n1", delta: "1".repeat(150) },
        ],
      },
    ]);
  });
});

describe("calls beyond those of a turn", () => {
  function call(index: unknown, id: string, args = ""): object {
    return {
      choices: [
        { delta: { tool_calls: [{ index, id, function: { name: "n", arguments: args } }] } },
      ],
    };
  }

  it("all have the same number, however they are numbered", () => {
    const numbers = [...Array(2_000).keys()].map((index) => ({ index }));
    const chunks = read(...numbers.map(({ index }) => call({ index }, `c${index}`)));

    const indexes = chunks.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).map(({ index }) => index),
    );
    expect(Math.max(...indexes)).toBe(MAX_TURN_CALLS);
    expect(new Set(indexes).size).toBe(MAX_TURN_CALLS + 1);
  });

  it("take their pieces with them when all have the same index", () => {
    const events = [...Array(MAX_TURN_CALLS + 1).keys()].map((number) => call(0, `c${number}`));
    const piece = {
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: "x" } }] } }],
    };

    expect(
      read(...events, piece)
        .at(-1)
        ?.tool_calls?.slice(-2),
    ).toEqual([
      { index: MAX_TURN_CALLS - 1, id: "c127", name: "n", delta: "" },
      { index: MAX_TURN_CALLS, id: "c128", name: "n", delta: "x" },
    ]);
  });
});

describe("proofs of thoughts", () => {
  it("that nobody keeps are not collected", () => {
    const details = (type: string) => ({
      choices: [{ delta: { reasoning_details: [{ type, index: 0, data: "x".repeat(200_000) }] } }],
    });
    const reader = new ChunkReader(true, "anybody");
    reader.read([JSON.stringify(details("reasoning.encrypted"))]);

    expect(reader.finish()).toBe(null);
  });
});
