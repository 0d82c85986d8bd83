// The change that a hook's answer makes at each point, and the next hook's view of it.
import { describe, expect, it } from "vitest";

import type { HookQuestion } from "../../../agent/hooks/hook-question.ts";
import {
  readChange as readChangeOf,
  replaceContents,
  withChange,
} from "../../../agent/hooks/read-change.ts";
import type { HookAnswer } from "../../../protocol/hooks/contract.ts";
import { HOOK_POINTS, type HookPoint } from "../../../protocol/hooks/events.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";

const AT = "2026-11-27T00:00:00.000Z";

function text(id: string, words: string): ContentBlock {
  return { type: "text", id, text: words, created_at: AT, finished_at: AT };
}

const THOUGHT: ContentBlock = {
  type: "thinking",
  id: "t1",
  thinking: "hm",
  created_at: AT,
  finished_at: AT,
};
const MESSAGES = [
  { id: "m1", role: "user" as const, name: "user", content: [text("b1", "one")] },
  { id: "m2", role: "user" as const, name: "user", content: [] },
];

/** The question of a hook at the point, with everything that any point shows. */
function shownAt(point: HookPoint, more: Partial<HookQuestion> = {}): HookQuestion {
  return {
    point,
    step: null,
    input: {
      messages: MESSAGES,
      tool_choice: { name: "pay" },
      tool_call: { id: "c1", name: "pay", input: { to: "A" } },
      block: { id: "b1", type: "text", text: "said" },
    },
    output: {
      message_id: "rep_1",
      blocks: [text("b1", "one"), THOUGHT],
      state: "success",
      text: "done",
    },
    ...more,
  };
}

function readChange(given: HookAnswer, shown: Parameters<typeof readChangeOf>[1]) {
  let ids = 0;
  return readChangeOf(given, shown, () => `blk_${(ids += 1)}` as never);
}

function answer(parts: Partial<HookAnswer>): HookAnswer {
  return { action: "continue", ...parts };
}

/** Changes everything that any point lets a hook change. */
const EVERYTHING = answer({
  input: {
    messages: [{ id: "m1", content: [text("b9", "other") as never] }],
    tool_choice: { name: "refund" } as never,
    tool_call: { input: { to: "B" } },
    block: { text: "said otherwise" },
  },
  output: { blocks: [{ id: "b1", text: "two" }], text: "done otherwise" },
});

describe("what an answer changes", () => {
  it("is the member of its point, and no other", () => {
    expect(
      Object.fromEntries(HOOK_POINTS.map((at) => [at, readChange(EVERYTHING, shownAt(at))])),
    ).toEqual({
      pre_reply: { messages: [{ id: "m1", content: [text("b9", "other")] }] },
      post_reply: { blocks: [{ id: "b1", text: "two" }] },
      pre_print: { text: "said otherwise" },
      post_print: null,
      pre_reasoning: { tool_choice: { name: "refund" } },
      pre_model_call: null,
      post_reasoning: { blocks: [{ id: "b1", text: "two" }] },
      pre_acting: { tool_input: '{"to":"B"}' },
      post_acting: { text: "done otherwise" },
      pre_observe: { messages: [{ id: "m1", content: [text("b9", "other")] }] },
      post_observe: null,
    });
  });

  it("is nothing where the answer has no such member", () => {
    for (const point of HOOK_POINTS) {
      expect(readChange(answer({}), shownAt(point))).toBeNull();
      expect(readChange(answer({ input: {}, output: {} }), shownAt(point))).toBeNull();
    }
  });

  it("is nothing where it sends back what it was shown", () => {
    const back = answer({
      input: {
        messages: [{ id: "m1", content: [text("b1", "one") as never] }],
        tool_choice: { name: "pay" } as never,
        tool_call: { input: { to: "A" } },
        block: { text: "said" },
      },
      output: { blocks: [{ id: "b1", text: "one" }, { id: "t1" }], text: "done" },
    });

    for (const point of HOOK_POINTS) expect(readChange(back, shownAt(point))).toBeNull();
  });

  it("is nothing for lists that are empty, and for a choice of null where there is none", () => {
    const empty = answer({ input: { messages: [], tool_choice: null }, output: { blocks: [] } });

    for (const point of ["pre_reply", "post_reply"] as const) {
      expect(readChange(empty, shownAt(point))).toBeNull();
    }
    expect(readChange(empty, { point: "pre_reasoning", input: {} })).toBeNull();
    expect(readChange(empty, shownAt("pre_reasoning"))).toEqual({ tool_choice: null });
  });

  it("is a text of a message in the place of its first block, or of a block of its own", () => {
    const given = answer({
      input: {
        messages: [
          { id: "m1", content: "other" },
          { id: "m2", content: "new" },
        ],
      },
    });

    expect(readChange(given, shownAt("pre_reply"))).toEqual({
      messages: [
        { id: "m1", content: [text("b1", "other")] },
        { id: "m2", content: [{ ...text("m2_0", "new"), created_at: "", finished_at: "" }] },
      ],
    });
  });

  it("holds texts of text blocks alone", () => {
    const given = answer({
      output: { blocks: [{ id: "t1", text: "thought" }, { id: "b1" }, { id: "b1", text: "two" }] },
    });

    expect(readChange(given, shownAt("post_reply"))).toEqual({
      blocks: [{ id: "b1", text: "two" }],
    });
  });

  it.each([
    [
      "a message that was not shown",
      "pre_reply",
      { input: { messages: [{ id: "m3", content: "x" }] } },
    ],
    ["a block that was not shown", "post_reply", { output: { blocks: [{ id: "b2", text: "x" }] } }],
  ] as const)("is invalid for %s", (_, point, parts) => {
    expect(readChange(answer(parts as never), shownAt(point))).toBe("invalid");
    expect(readChange(answer(parts as never), { point, input: {} })).toBe("invalid");
  });

  it("is invalid for an input that does not fit its tool", () => {
    const seen: unknown[] = [];
    const fitsTool = (fits: boolean) => (input: unknown) => (seen.push(input), fits);

    expect(readChange(EVERYTHING, shownAt("pre_acting", { fitsTool: fitsTool(false) }))).toBe(
      "invalid",
    );
    expect(readChange(EVERYTHING, shownAt("pre_acting", { fitsTool: fitsTool(true) }))).toEqual({
      tool_input: '{"to":"B"}',
    });
    expect(seen).toEqual([{ to: "B" }, { to: "B" }]);
  });
});

describe("what the next hook is shown", () => {
  it("is the question as it is where nothing was changed", () => {
    const question = shownAt("pre_reply");

    expect(withChange(question, undefined)).toBe(question);
    expect(withChange(question, {})).toEqual(question);
  });

  it.each([
    [
      "pre_reply",
      { messages: [{ id: "m1", content: [] }] },
      { messages: [{ ...MESSAGES[0], content: [] }, MESSAGES[1]] },
    ],
    ["pre_reasoning", { tool_choice: null }, { tool_choice: null }],
    [
      "pre_acting",
      { tool_input: '{"to":"B"}' },
      { tool_call: { id: "c1", name: "pay", input: { to: "B" } } },
    ],
    ["pre_print", { text: "other" }, { block: { id: "b1", type: "text", text: "other" } }],
    ["pre_print", { text: "" }, { block: { id: "b1", type: "text", text: "" } }],
  ] as const)("is the input that the one before has made, at %s", (point, change, input) => {
    const question = shownAt(point, { output: undefined });

    expect(withChange(question, change)).toEqual({
      ...question,
      input: { ...question.input, ...input },
    });
  });

  it("is the output that the one before has made, and an input as it was", () => {
    const question = shownAt("post_acting");
    const blocks = [
      { id: "b1", text: "two" },
      { id: "t1", text: "thought" },
    ];

    expect(withChange(question, { text: "other", blocks })).toEqual({
      ...question,
      output: { ...question.output, text: "other", blocks: [text("b1", "two"), THOUGHT] },
    });
  });

  it("gets no members that the point does not show", () => {
    const change = {
      messages: [],
      tool_input: "{}",
      text: "other",
      blocks: [{ id: "b1", text: "x" }],
    };

    expect(withChange({ point: "pre_print", input: {} }, change)).toEqual({
      point: "pre_print",
      input: {},
    });
    expect(
      withChange({ point: "post_acting", input: {}, output: {} }, { blocks: change.blocks }),
    ).toEqual({
      point: "post_acting",
      input: {},
      output: {},
    });
  });
});

it("contents are replaced in the messages that they are of, in any order, and the others are the same objects", () => {
  const replaced = replaceContents(MESSAGES, [
    { id: "m9", content: [] },
    { id: "m2", content: [text("b2", "two")] },
  ]);

  expect(replaced).toEqual([MESSAGES[0], { ...MESSAGES[1], content: [text("b2", "two")] }]);
  expect(replaced[0]).toBe(MESSAGES[0]);
});
