// Endpoints of the wires that send what no model sends; test/unit/models/openai-hostile.test.ts has chat completions.
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { modelError } from "../../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import type { ErrorType } from "../../../../protocol/messages/messages.ts";
import {
  MAX_CALL_TOKENS,
  MAX_MODEL_ANSWER_BYTES,
  MAX_MODEL_EVENT_CHARACTERS,
  MAX_MODEL_EVENT_VALUES,
  MAX_THINKING_SIGNATURE_CHARACTERS,
  MAX_TURN_CALLS,
} from "../../../../protocol/models/limits.ts";
import { collect } from "../../../support/collect.ts";
import type { EndpointTurn, FakeBody } from "../../../support/fake-endpoint.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { eventText, NEW_WIRES, startWire, type Wire } from "./wires.ts";
import { BROAD } from "../../../support/breadth.ts";

const request = { system_prompt: "", messages: [], tools: [] };

type Turn = EndpointTurn<FakeBody>;

async function play(wire: Wire, turn: Turn, stall_ms?: number): Promise<ModelChunk[]> {
  const server = await startWire(wire, turn);
  const model = wire.model(server.url, stall_ms === undefined ? {} : { stall_ms });
  return collect(model.stream(request, new AbortController().signal));
}

/** Sends these events and ends. */
function sends(events: readonly object[]): Turn {
  return (body) => {
    body.raw(eventText(events));
    body.end();
  };
}

const STREAMS: readonly [string, Turn][] = [
  ["one line without an end", (body) => (body.raw("data: "), body.flood("x".repeat(65_536)))],
  ["one event of lines without an end", (body) => body.flood("data: xxxxxxxxxxxxxxx\n")],
  [
    "comments of more bytes than words ever need",
    (body) => body.flood(`: ${"x".repeat(1_000_000)}\n`),
  ],
  [
    "comments, packed a thousand to one",
    (body) => {
      body.head(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      return body.flood(gzipSync(Buffer.alloc(100_000_000, ":\n")));
    },
  ],
  ["an event that is no JSON", (body) => (body.raw("data: {\n\n"), body.end())],
  ["an event that is no object", (body) => (body.raw("data: 1\n\n"), body.end())],
  [
    "an event of more values than any",
    (body) => {
      body.raw(`data: {"a":[${"{ }, ".repeat(MAX_MODEL_EVENT_VALUES)}{}]}\n\n`);
      body.end();
    },
  ],
  [
    "an event deeper than any",
    (body) => (body.raw(`data: {"a":${"[".repeat(40_000)}${"]".repeat(40_000)}}\n\n`), body.end()),
  ],
  ["a web page", (body) => body.answer("<html>", "text/html")],
];

const REFUSALS: readonly [string, number, ErrorType][] = [
  ["a failure whose text has no end", 503, "upstream"],
  ["a refusal whose text has no end", 400, "invalid_request"],
  ["a redirect whose text has no end", 307, "upstream"],
];

describe.each(NEW_WIRES)("an endpoint of $name that answers with", (wire) => {
  it.each(REFUSALS)("%s is told by its status", async (_case, status, type) => {
    const chunks = await play(wire, async (body) => {
      body.head(status, { location: "/" });
      await body.flood("no ".repeat(10_000));
    });

    expect(chunks).toEqual([{ error: modelError(type) }]);
  });

  it.each(STREAMS)("%s has failed", async (_case, turn) => {
    expect(await play(wire, turn)).toEqual([{ error: modelError("upstream") }]);
  });

  it("a few words in more bytes than any answer has is stopped for good", BROAD, async () => {
    const events = eventText(wire.text("a", "x".repeat(1_000_000)));

    const chunks = await play(wire, (body) => body.flood(events));

    expect(chunks.at(-1)).toEqual({ error: modelError("output_limit") });
    expect(chunks).toHaveLength(Math.ceil(MAX_MODEL_ANSWER_BYTES / 1_000_000) + 1);
  });

  it("a text in one event as long as one may be is read", async () => {
    const text = "x".repeat(MAX_MODEL_EVENT_CHARACTERS - 1_000);

    const chunks = await play(wire, sends([...wire.text(text), ...wire.end(1, 1)]));

    expect(chunks[0]).toEqual({ text });
    expect(chunks.at(-1)?.error).toBeUndefined();
  });

  it.each([
    ["negative", -1],
    ["broken", 1.5],
    ["of text", "7"],
    ["greater than any", MAX_CALL_TOKENS + 1],
    ["beyond numbers", 1e300],
    ["missing", undefined],
  ])("counts that are %s counts nothing", async (_case, count) => {
    const chunks = await play(wire, sends([...wire.text("Hi"), ...wire.end(count, count)]));

    expect(chunks).toEqual([
      { text: "Hi" },
      {
        usage: {
          input_tokens: 0,
          output_tokens: 0,
          cache_input_tokens: 0,
          cache_creation_input_tokens: 0,
        },
      },
    ]);
  });

  it("more calls than a turn has lets the surplus share one index", async () => {
    const calls = Array.from({ length: MAX_TURN_CALLS * 2 }, (_, index) => wire.call(index));

    const chunks = await play(wire, sends([...calls.flat(), ...wire.end(1, 1)]));

    const indexes = chunks.flatMap(({ tool_calls = [] }) => tool_calls.map(({ index }) => index));
    expect(Math.max(...indexes)).toBe(MAX_TURN_CALLS);
  });

  it("members of other types than their own says nothing, and does not end the call", async () => {
    const strange = wire.answer.slice(0, -1).map((event) => ({
      ...event,
      index: {},
      output_index: [],
      delta: 7,
      item: null,
      message: [],
      content_block: "x",
      response: 1,
    }));

    const chunks = await play(wire, sends([...strange, ...wire.text("Hi"), ...wire.end(1, 1)]));

    expect(joinChunks(chunks.filter(({ usage }) => !usage))).toEqual([{ text: "Hi" }]);
    expect(chunks.at(-1)?.error).toBeUndefined();
  });

  it("nothing at all is a lost connection", async () => {
    expect(await play(wire, () => undefined, 200)).toEqual([{ error: modelError("connection") }]);
  });

  it("silence in the middle is a lost connection", async () => {
    const chunks = await play(wire, (body) => body.raw(eventText(wire.text("Hi"))), 1_000);

    expect(chunks).toEqual([{ text: "Hi" }, { error: modelError("connection") }]);
  });

  it("signs of life alone is a lost connection in the end", async () => {
    const turn: Turn = async (body) => {
      while (body.isOpen) {
        body.raw(eventText(wire.alive));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    expect(await play(wire, turn, 100)).toEqual([{ error: modelError("connection") }]);
  });

  it("words is left as soon as nobody wants more of it", async () => {
    const server = await startWire(wire, (body) => body.flood(eventText(wire.text("a"))));
    const stop = new AbortController();

    for await (const chunk of wire.model(server.url).stream(request, stop.signal)) {
      expect(chunk.error).toBeUndefined();
      stop.abort();
    }

    await server.abandoned;
  });
});

describe("a proof of thinking that is too long to be kept", () => {
  it.each(NEW_WIRES)("is dropped by $name", async (wire) => {
    const long = "x".repeat(MAX_THINKING_SIGNATURE_CHARACTERS);
    const answer = JSON.parse(
      JSON.stringify(wire.answer).replaceAll("c2ln", long).replaceAll("Z0FB", long),
    ) as object[];

    const chunks = await play(wire, sends(answer));

    expect(chunks.filter(({ thinking_signature }) => thinking_signature)).toEqual([]);
    expect(chunks.at(-1)?.error).toBeUndefined();
  });
});
