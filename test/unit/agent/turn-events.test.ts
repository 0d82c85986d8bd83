// Blocks that a model's chunks open and close, and their order.
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { functionTools } from "../../support/function-tools.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const DONE: readonly ModelChunk[] = [{ text: "Done" }];

/** The first model call as a line of blocks: `text[` begins one, `]text` ends it, between them what came. */
function lineOf(events: readonly LoggedEvent[]): string {
  const end = events.findIndex(({ type }) => type === "MODEL_CALL_END");
  return events
    .slice(0, end)
    .flatMap((event) => {
      switch (event.type) {
        case "TEXT_BLOCK_START":
          return "text[";
        case "TEXT_BLOCK_END":
          return "]text";
        case "THINKING_BLOCK_START":
          return "thought[";
        case "THINKING_BLOCK_END":
          return "]thought";
        case "TOOL_CALL_START":
          return `${event.tool_call_id}[`;
        case "TOOL_CALL_END":
          return `]${event.tool_call_id}`;
        case "DATA_BLOCK_START":
          return `${event.media_type}[`;
        case "DATA_BLOCK_END":
          return "]data";
        case "HINT_BLOCK":
          return typeof event.hint === "string" ? `(${event.hint})` : [];
        case "DATA_BLOCK_DELTA":
          return event.data ?? "";
        case "TEXT_BLOCK_DELTA":
        case "THINKING_BLOCK_DELTA":
        case "TOOL_CALL_DELTA":
          return event.delta;
        default:
          return [];
      }
    })
    .join(" ");
}

function call(index: number, delta: string): ModelChunk {
  return { tool_calls: [{ index, id: `c${index}`, name: "look", delta }] };
}

describe("the blocks of a turn", () => {
  it.each<[string, readonly ModelChunk[], string]>([
    [
      "a thought ends where the text begins, and the text where a thought does",
      [{ thinking: "a" }, { thinking: "b" }, { text: "c" }, { thinking: "d" }, { text: "e" }],
      "thought[ a b ]thought text[ c ]text thought[ d ]thought text[ e ]text",
    ],
    [
      "a thought and a text of one chunk are open beside each other, the thought first",
      [
        { thinking: "a", text: "b" },
        { thinking: "c", text: "d" },
      ],
      "thought[ a text[ b c d ]text ]thought",
    ],
    ["a call ends what was being said", [{ text: "a" }, call(0, "{}")], "text[ a ]text c0[ {} ]c0"],
    [
      "a call ends what was being thought",
      [{ thinking: "a" }, call(0, "{}")],
      "thought[ a ]thought c0[ {} ]c0",
    ],
    [
      "an empty list of calls, usage and empty chunks end nothing",
      [{ text: "a" }, { tool_calls: [] }, {}, { usage: usage() }, { text: "b" }],
      "text[ a b ]text",
    ],
    [
      "a hint and data end nothing",
      [
        { text: "a" },
        { hint: "no pictures" },
        { data: [{ index: 0, media_type: "image/png", data: "AAAA" }] },
        { text: "b" },
      ],
      "text[ a (no pictures) image/png[ AAAA b ]text ]data",
    ],
    [
      "calls stay open beside each other until the turn ends",
      [call(0, '{"a"'), call(1, "{"), call(0, ":1}"), call(1, "}")],
      'c0[ {"a" c1[ { :1} } ]c0 ]c1',
    ],
    [
      "data of one index is one block, of two are two",
      [
        { data: [{ index: 0, media_type: "image/png", data: "AAAA" }] },
        { data: [{ index: 1, media_type: "audio/wav", data: "BBBB" }] },
        { data: [{ index: 0, media_type: "image/png", data: "CCCC" }] },
      ],
      "image/png[ AAAA audio/wav[ BBBB CCCC ]data ]data",
    ],
  ])("%s", async (_title, chunks, line) => {
    const log = await runScript({
      script: "hi",
      models: [playedModel("m", chunks, DONE)],
      tools: functionTools({ look: { run: () => "seen" } }),
    });

    expect(lineOf(log.events)).toBe(line);
  });
});

describe("a call whose name never came", () => {
  it("fails the model's call, also beside one that is whole", async () => {
    const nameless: ModelChunk = { tool_calls: [{ index: 1, delta: '{"id":1}' }] };
    const ran: string[] = [];
    const log = await runScript({
      script: "hi",
      models: [playedModel("m", [call(0, "{}"), nameless], DONE)],
      tools: functionTools({ look: { run: () => String(ran.push("look")) } }),
    });

    expect(ran).toEqual([]);
    expect(log.state.message.content).toMatchObject([{ type: "text", text: "Done" }]);
  });

  it.each([
    ["an input", { id: "call_1", delta: "" }],
    ["an id, and with an empty object as its input", { delta: "{ }" }],
  ])("router-for-me/CLIProxyAPI#3474: is no call without %s", async (_case, piece) => {
    const nothing: ModelChunk = { tool_calls: [{ index: 1, ...piece }] };
    const ran: string[] = [];
    await runScript({
      script: "hi",
      models: [playedModel("m", [call(0, "{}"), nothing], DONE)],
      tools: functionTools({ look: { run: () => String(ran.push("look")) } }),
    });

    expect(ran).toEqual(["look"]);
  });
});

function usage() {
  return {
    input_tokens: 1,
    output_tokens: 1,
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
}
