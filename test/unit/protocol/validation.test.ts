import { describe, expect, it } from "vitest";

import { appendEvent } from "../../../protocol/fold/append-event.ts";
import { UrlSourceSchema, type ContentBlock } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg, SystemMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import {
  parseEvent,
  parseMessage,
  safeParseEvent,
  safeParseMessage,
} from "../../../protocol/parse.ts";
import { PermissionRuleSchema } from "../../../protocol/messages/permission.ts";

const resultDelta = {
  type: "TOOL_RESULT_DATA_DELTA",
  id: "e",
  created_at: "T",
  reply_id: "r1",
  tool_call_id: "c1",
  block_id: "b",
  media_type: "m",
};
const message = { name: "A", id: "m1", created_at: "T", role: "user" };
const times = { created_at: "T", finished_at: null };
const BLOCKS: { readonly [Type in ContentBlock["type"]]: Extract<ContentBlock, { type: Type }> } = {
  text: { type: "text", text: "x", id: "b", ...times },
  data: {
    type: "data",
    id: "b",
    source: { type: "base64", data: "", media_type: "image/png" },
    name: null,
    ...times,
  },
  thinking: { type: "thinking", thinking: "x", id: "b", ...times },
  hint: { type: "hint", hint: "x", id: "b", source: null, ...times },
  tool_call: {
    type: "tool_call",
    id: "b",
    name: "f",
    input: "{}",
    state: "pending",
    suggested_rules: [],
    ...times,
  },
  tool_result: {
    type: "tool_result",
    id: "b",
    name: "f",
    output: "x",
    state: "running",
    metadata: {},
    ...times,
  },
};
type BlockName = keyof typeof BLOCKS;

/** Paths at which the input is wrong, or an empty list. */
function errorPaths(result: ReturnType<typeof safeParseEvent | typeof safeParseMessage>) {
  return (result.error?.issues ?? []).map((issue) => issue.path.join("/"));
}

describe("events on input", () => {
  it.each([
    ["V1 refuses a data delta of a result with data and url", { data: "YQ==", url: "https://h/x" }],
    ["V2 refuses a data delta of a result with neither data nor url", {}],
  ])("%s", (_title, payload) => {
    expect(errorPaths(safeParseEvent({ ...resultDelta, ...payload }))).toEqual(["data"]);
  });

  it("V3 takes a data delta of a result with empty data", () => {
    expect(parseEvent({ ...resultDelta, data: "" })).toEqual({
      ...resultDelta,
      metadata: {},
      data: "",
      url: null,
    });
  });

  it("V4 drops unknown members", () => {
    const event = { type: "USER_INTERRUPT", id: "e", created_at: "T", reply_id: "r1" };

    expect(parseEvent({ ...event, surprise: 1 })).toEqual({ ...event, metadata: {} });
  });

  it("V5 refuses an event without its reply", () => {
    expect(errorPaths(safeParseEvent({ type: "TEXT_BLOCK_START", block_id: "b" }))).toEqual([
      "reply_id",
    ]);
  });

  it("V6 fills in the id, the time and the role of a start", () => {
    const event = parseEvent({ type: "REPLY_START", session_id: "s", reply_id: "r1", name: "A" });

    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      metadata: {},
      type: "REPLY_START",
      session_id: "s",
      reply_id: "r1",
      name: "A",
      role: "assistant",
    });
  });

  it("refuses a url that the message could not hold", () => {
    expect(errorPaths(safeParseEvent({ ...resultDelta, url: "not a url" }))).toEqual(["url"]);
  });

  it("refuses an unknown type", () => {
    expect(errorPaths(safeParseEvent({ type: "REPLY_PAUSE", reply_id: "r1" }))).toEqual(["type"]);
  });
});

describe("messages on input", () => {
  it("V7 refuses the role tool", () => {
    expect(errorPaths(safeParseMessage({ ...message, role: "tool", content: [] }))).toEqual([
      "role",
    ]);
  });

  it("V8 refuses a string as content", () => {
    expect(errorPaths(safeParseMessage({ ...message, content: "hi" }))).toEqual(["content"]);
  });

  it.each<BlockName>(["thinking", "hint", "tool_call", "tool_result"])(
    "V9 refuses a user message with a %s block",
    (type) => {
      const content = [BLOCKS.text, BLOCKS[type]];

      expect(errorPaths(safeParseMessage({ ...message, content }))).toEqual(["content/1/type"]);
      expect(() => UserMsg("A", content)).toThrow(
        new TypeError(`content[1]: a user message may hold text and data blocks, not ${type}`),
      );
    },
  );

  it.each<BlockName>(["data", "thinking", "hint", "tool_call", "tool_result"])(
    "V10 refuses a system message with a %s block",
    (type) => {
      const content = [BLOCKS[type]];

      expect(errorPaths(safeParseMessage({ ...message, role: "system", content }))).toEqual([
        "content/0/type",
      ]);
      expect(() => SystemMsg("A", content)).toThrow(
        new TypeError(`content[0]: a system message may hold text blocks, not ${type}`),
      );
    },
  );

  it("takes every block in an assistant message, as it is", () => {
    const content = Object.values(BLOCKS);

    expect(parseMessage({ ...message, role: "assistant", content }).content).toEqual(content);
  });

  it("V11 takes a user message without content", () => {
    expect(parseMessage({ ...message, content: [] })).toEqual({
      ...message,
      content: [],
      metadata: {},
      usage: null,
      finished_at: null,
      finished_reason: null,
      structured_output: null,
      error: null,
    });
  });

  it.each([
    ["V12 refuses an address that is none", "not a url", null],
    ["refuses a relative address", "/a.png", null],
    ["V13 normalises an address", "https://example.com", "https://example.com/"],
    ["V14 leaves a data address as it is", "data:text/plain,hi", "data:text/plain,hi"],
    ["takes schemes of its own", "workspace://a/b", "workspace://a/b"],
  ])("%s", (_title, url, expected) => {
    const source = { type: "url", url, media_type: "image/png" };

    expect(UrlSourceSchema.safeParse(source).data?.url ?? null).toBe(expected);
  });

  it("V15 refuses a rule without rule_content, which may be null", () => {
    const rule = { tool_name: "f", behavior: "allow", source: "suggested" };

    expect(PermissionRuleSchema.safeParse(rule).success).toBe(false);
    expect(PermissionRuleSchema.parse({ ...rule, rule_content: null })).toEqual({
      ...rule,
      rule_content: null,
    });
  });

  it("V16 takes a passthrough rule", () => {
    const rule = { tool_name: "f", rule_content: "x", behavior: "passthrough", source: "s" };

    expect(PermissionRuleSchema.parse(rule)).toEqual(rule);
  });

  it("V17 refuses an unknown finished_reason", () => {
    expect(
      errorPaths(safeParseMessage({ ...message, content: [], finished_reason: "zzz" })),
    ).toEqual(["finished_reason"]);
  });

  it("V18 keeps the strangers of a thinking block, and of no other", () => {
    const content = [
      { ...BLOCKS.thinking, signature: "sig" },
      { ...BLOCKS.text, signature: "sig" },
    ];

    expect(parseMessage({ ...message, role: "assistant", content }).content).toEqual([
      { ...BLOCKS.thinking, signature: "sig" },
      BLOCKS.text,
    ]);
  });

  it("V21 checks no role when an event is folded", () => {
    const start = { type: "THINKING_BLOCK_START", reply_id: "m1", block_id: "b", created_at: "T" };
    const user = UserMsg("A", [], { id: "m1" });

    expect(appendEvent(user, parseEvent(start)).content).toEqual([
      { ...BLOCKS.thinking, thinking: "" },
    ]);
  });

  it("drops a member named __proto__ or keeps it as plain data, and never obeys it", () => {
    const hostile = JSON.parse(
      '{"name":"A","role":"user","content":[],"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}',
    ) as unknown;

    const parsed = parseMessage(hostile) as unknown as Record<string, unknown>;

    expect([parsed["polluted"], Object.getPrototypeOf(parsed["metadata"])]).toEqual([
      undefined,
      Object.prototype,
    ]);
  });
});

describe("AssistantMsg", () => {
  it("takes every block", () => {
    const content = Object.values(BLOCKS);

    expect(AssistantMsg("A", content).content).toEqual(content);
  });
});
