// Bytes that endpoints put between the events of an answer, and their ways to end a stream: the answer is the same.
import { describe, expect, it } from "vitest";

import { modelError } from "../../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { eventText, startWire, WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };

async function play(wire: Wire, raw: string): Promise<ModelChunk[]> {
  const server = await startWire(wire, (body) => {
    body.raw(raw);
    body.end();
  });
  const chunks = await collect(
    wire.model(server.url).stream(request, new AbortController().signal),
  );
  expect(server.requests).toHaveLength(1);
  return joinChunks(chunks);
}

/** A short answer with its counts. */
function answerOf(wire: Wire): readonly object[] {
  return [...wire.text("All "), ...wire.text("done."), ...wire.end(11, 7)];
}

const whole: readonly ModelChunk[] = [
  { text: "All done." },
  {
    usage: {
      input_tokens: 11,
      output_tokens: 7,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  },
];

function between(frame: string): (events: readonly object[]) => string {
  return (events) => events.map((event) => `${frame}${eventText([event])}`).join("") + frame;
}

function ending(end: string): (events: readonly object[]) => string {
  return (events) => eventText(events).trimEnd() + end;
}

const FRAMES: readonly [string, (events: readonly object[]) => string][] = [
  ["openai/openai-node#2725: a last event with one line end", ending("\n")],
  ["openai/openai-node#2725: a last event without a line end", ending("")],
  ["a last event that ends with a carriage return", ending("\r")],
  ["a last event and the start of a comment", ending("\n: bye")],
  ["a last event and the start of a field", ending("\n\nda")],
  ["openclaw/openclaw#52679: pings without data", between("event: ping\n\n")],
  ["openclaw/openclaw#52679: pings with empty data", between("event: ping\ndata: \n\n")],
  ["openclaw/openclaw#52679: pings with an empty object", between("event: ping\ndata: {}\n\n")],
  ["caozhiyuan/copilot-api#88: words of a keepalive", between("event: keepalive\ndata: ok\n\n")],
  ["a heartbeat that is no JSON after all", between("event: heartbeat\ndata: {\n\n")],
  ["an event of a name unknown, with words", between("event: queue\ndata: position 3\n\n")],
  ["empty data", between("data:\n\n")],
  ["data of a space", between("data: \n\n")],
  ["data of two empty lines", between("data:\ndata:\n\n")],
  ["lines of no field", between("[info] still there\n\n")],
  [
    "lines of JSON without data:",
    (events) => events.map((event) => JSON.stringify(event)).join("\n"),
  ],
  ["the default name in its line", (events) => named(events, () => "message")],
  ["lidge-jun/opencodex#658: [DONE] at the end", ending("\n\ndata: [DONE]\n\n")],
  ["[DONE] at the end without its blank line", ending("\n\ndata: [DONE]")],
  ["[DONE] between spaces", ending("\n\ndata:  [DONE] \n\n")],
  ["half of [DONE]", ending("\n\ndata: [DO")],
];

function named(events: readonly object[], nameOf: (event: object) => string): string {
  return events.map((event) => `event: ${nameOf(event)}\n${eventText([event])}`).join("");
}

describe.each(WIRES)("the answer of $name", (wire) => {
  it.each(FRAMES)("is whole with %s", async (_case, frame) => {
    expect(await play(wire, frame(answerOf(wire)))).toEqual(whole);
  });

  it("has failed when an event without a name is no JSON", async () => {
    const [first, ...rest] = answerOf(wire);

    const chunks = await play(wire, `${eventText([first!])}data: {"a":\n\n${eventText(rest)}`);

    expect(chunks).toEqual([{ text: "All " }, { error: modelError("upstream") }]);
  });
});

describe.each(WIRES.filter(({ name }) => name !== "chat completions"))(
  "the answer of $name",
  (wire) => {
    it("Oaklight/llm-rosetta#56: is whole with the types in the lines of events alone", async () => {
      const raw = answerOf(wire).map((event) => {
        const { type, ...rest } = event as { type: string };
        return `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`;
      });

      expect(await play(wire, raw.join(""))).toEqual(whole);
    });

    it("has failed when an event that belongs to it is no JSON", async () => {
      const [first, ...rest] = answerOf(wire);
      const { type } = first as { type: string };

      const chunks = await play(wire, `event: ${type}\ndata: All\n\n${eventText(rest)}`);

      expect(chunks).toEqual([{ error: modelError("upstream") }]);
    });

    it("is cut off when [DONE] comes in place of its end", async () => {
      const chunks = await play(wire, `${eventText(wire.text("All "))}data: [DONE]\n\n`);

      expect(chunks).toEqual([{ text: "All " }, { error: modelError("connection") }]);
    });
  },
);
