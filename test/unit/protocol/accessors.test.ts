import { describe, expect, expectTypeOf, it } from "vitest";

import {
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
} from "../../../protocol/messages/accessors.ts";
import type { ContentBlock, TextBlock, ThinkingBlock } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";

const message = AssistantMsg("A", [
  { type: "text", text: "1" },
  { type: "thinking", thinking: "t" },
  { type: "text", text: "2" },
]);
const [first, thinking, second] = message.content;
const empty = AssistantMsg("A", []);

describe("getTextContent", () => {
  it.each([
    ["is null without a text block", [], null],
    ["joins the text blocks with a line break", ["1", "2"], "1\n2"],
    ["is empty when a text block is", [""], ""],
  ])("V19 %s", (_title, texts, expected) => {
    const blocks = texts.map((text) => ({ type: "text" as const, text }));

    expect(getTextContent(AssistantMsg("A", blocks))).toBe(expected);
  });

  it.each([
    ["is the JSON of a structured output without text", [], '{"age":1}'],
    ["is that of an empty text", [""], '{"age":1}'],
    ["is the model's own text where there is one", ["One."], "One."],
  ])("%s", (_title, texts, expected) => {
    const blocks = texts.map((text) => ({ type: "text" as const, text }));
    const told = AssistantMsg("A", blocks, { structured_output: { age: 1 } });

    expect(getTextContent(told)).toBe(expected);
  });

  it("takes another separator and skips other blocks", () => {
    expect(getTextContent(message, "")).toBe("12");
  });
});

describe("getContentBlocks", () => {
  it("filters by one type, by several, or not at all", () => {
    expect([
      getContentBlocks(message, "text"),
      getContentBlocks(message, ["thinking", "hint"]),
      getContentBlocks(message),
    ]).toEqual([[first, second], [thinking], [first, thinking, second]]);
  });

  it("knows the type of what it gives", () => {
    expectTypeOf(getContentBlocks(message, "text")).toEqualTypeOf<TextBlock[]>();
    expectTypeOf(getContentBlocks(message, ["text", "thinking"])).toEqualTypeOf<
      (TextBlock | ThinkingBlock)[]
    >();
    expectTypeOf(getContentBlocks(message)).toEqualTypeOf<ContentBlock[]>();
    expectTypeOf(getFirstContentBlock(message, "text")).toEqualTypeOf<TextBlock | null>();
  });
});

describe("getFirstContentBlock", () => {
  it("gives the first block of the type, or null", () => {
    expect([getFirstContentBlock(message, "text"), getFirstContentBlock(message, "data")]).toEqual([
      first,
      null,
    ]);
  });
});

describe("hasContentBlocks", () => {
  it("looks for one type, for several, or for any block", () => {
    expect([
      hasContentBlocks(message, "thinking"),
      hasContentBlocks(message, ["data", "hint"]),
      hasContentBlocks(message),
      hasContentBlocks(empty),
    ]).toEqual([true, false, true, false]);
  });
});
