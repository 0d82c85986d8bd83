import { describe, expect, it } from "vitest";

import type { ContentBlockInput } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg, SystemMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { MsgSchema } from "../../../protocol/messages/messages.ts";

const GENERATED = expect.stringMatching(/^[0-9a-f]{32}$/);
const times = { created_at: "T", finished_at: null };
const open = {
  metadata: {},
  created_at: "T",
  usage: null,
  finished_reason: null,
  structured_output: null,
  error: null,
};

describe.each([
  ["UserMsg", UserMsg, "user", "T"],
  ["SystemMsg", SystemMsg, "system", "T"],
  ["AssistantMsg", AssistantMsg, "assistant", null],
] as const)("%s", (_name, create, role, finished_at) => {
  it("wraps a string in a text block (V20: only an assistant's message is open)", () => {
    expect(create("Ann", "hi", { created_at: "T" })).toEqual({
      ...open,
      name: "Ann",
      content: [{ type: "text", text: "hi", id: GENERATED, ...times }],
      role,
      id: GENERATED,
      finished_at,
    });
  });

  it("makes the same of arguments and of one object", () => {
    const content = [{ type: "text", text: "hi", id: "b" }] as const;
    const rest = { id: "m1", metadata: { k: 1 }, created_at: "T" };

    expect(create({ name: "Ann", content, ...rest })).toEqual(create("Ann", content, rest));
  });

  it("keeps what it is given", () => {
    const given = {
      name: "Ann",
      content: [],
      role,
      id: "m1",
      metadata: { k: 1 },
      created_at: "T",
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
      finished_at: "T2",
      finished_reason: "error",
      structured_output: { a: 1 },
      error: { type: "upstream", message: "m" },
    } as const;

    expect(JSON.stringify(create(given))).toBe(JSON.stringify(given));
  });

  it("has the moment of its making when it is given none", () => {
    expect(create("Ann", "hi").created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe("blocks written by hand", () => {
  const source = { type: "base64", data: "YQ==", media_type: "image/png" } as const;
  const rule = { source: "s", behavior: "allow", rule_content: null, tool_name: "f" } as const;
  const cases: readonly (readonly [string, ContentBlockInput, unknown])[] = [
    ["text", { text: "x", type: "text" }, { type: "text", text: "x", id: GENERATED, ...times }],
    [
      "thinking with its strangers",
      { signature: "sig", thinking: "x", type: "thinking" },
      { type: "thinking", thinking: "x", id: GENERATED, ...times, signature: "sig" },
    ],
    [
      "data",
      { source, type: "data" },
      { type: "data", id: GENERATED, source, name: null, ...times },
    ],
    [
      "hint, finished when it is made",
      { hint: [{ type: "text", text: "x", id: "t" }], type: "hint" },
      {
        type: "hint",
        hint: [{ type: "text", text: "x", id: "t", ...times }],
        id: GENERATED,
        source: null,
        created_at: "T",
        finished_at: "T",
      },
    ],
    [
      "tool_call",
      { input: "{}", name: "f", id: "c1", type: "tool_call", suggested_rules: [rule] },
      {
        type: "tool_call",
        id: "c1",
        name: "f",
        input: "{}",
        state: "pending",
        suggested_rules: [rule],
        ...times,
      },
    ],
    [
      "tool_result with data",
      { output: [{ type: "data", source, id: "d" }], name: "f", id: "c1", type: "tool_result" },
      {
        type: "tool_result",
        id: "c1",
        name: "f",
        output: [{ type: "data", id: "d", source, name: null, ...times }],
        state: "running",
        metadata: {},
        ...times,
      },
    ],
  ];

  it.each(cases)("are completed: %s", (_title, input, expected) => {
    const message = AssistantMsg("A", [input], { created_at: "T" });

    expect(message.content).toEqual([expected]);
    expect(JSON.stringify(MsgSchema.parse(message))).toBe(JSON.stringify(message));
  });

  it("are refused when their type is unknown", () => {
    const block = { type: "poem", text: "x" } as unknown as ContentBlockInput;

    expect(() => AssistantMsg("A", [block])).toThrow(
      new TypeError(
        'no content block has the type "poem"; there are text, thinking, data, hint, tool_call and tool_result',
      ),
    );
  });
});
