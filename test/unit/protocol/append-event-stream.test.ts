// One reply of 39 events that uses every kind of block, checked as a whole after every step.
import { describe, expect, it } from "vitest";

import { appendEvent } from "../../../protocol/fold/append-event.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

type Fields = Record<string, unknown>;
/** The change of a step: members of the message, of a block (by its index), or a block that is added. */
type Change =
  | { readonly message: Fields }
  | { readonly block: number; readonly set: Fields }
  | { readonly add: Fields };
type Step = readonly [type: string, fields: Fields, ...changes: Change[]];

const add = (block: Fields): Change => ({ add: { ...block, created_at: "T", finished_at: null } });
const set = (block: number, members: Fields): Change => ({ block, set: members });
const ended = { finished_at: "T" };

function toolCall(id: string, name: string): Fields {
  return { type: "tool_call", id, name, input: "", state: "pending", suggested_rules: [] };
}
function toolResult(id: string, name: string): Fields {
  return { type: "tool_result", id, name, output: [], state: "running", metadata: {} };
}
function outputText(text: string): Fields {
  return { type: "text", text, id: "tc_allow_001_0", created_at: "T", finished_at: null };
}
const pngBlock = {
  type: "data",
  id: "res_data_001",
  source: { type: "base64", data: "YWJj", media_type: "image/png" },
  name: null,
  created_at: "T",
  finished_at: null,
};
const jpegBlock = {
  ...pngBlock,
  id: "res_url_001",
  source: { type: "url", url: "https://example.com/a.jpg", media_type: "image/jpeg" },
};
const text = { block_id: "b_text_001" };
const thinking = { block_id: "b_think_001" };
const data = { block_id: "b_data_001", media_type: "image/png" };
const allow = { tool_call_id: "tc_allow_001" };
const deny = { tool_call_id: "tc_deny_001" };
const external = { tool_call_id: "tc_ext_001" };
const image = { tool_call_id: "tc_img_001" };
const png = (base64: string) => ({
  source: { type: "base64", data: base64, media_type: "image/png" },
});
const asked = (id: string, name: string) => ({ tool_calls: [toolCall(id, name)] });
const answered = (id: string, name: string, confirmed: boolean) => ({
  confirm_results: [{ confirmed, tool_call: toolCall(id, name) }],
});
const counters = (input: number, output: number, cached: number, created: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_input_tokens: cached,
  cache_creation_input_tokens: created,
});
const END_TIME = "2026-01-01T12:00:00";

const STEPS: readonly Step[] = [
  ["TEXT_BLOCK_START", text, add({ type: "text", text: "", id: "b_text_001" })],
  ["TEXT_BLOCK_DELTA", { ...text, delta: "Hello" }, set(0, { text: "Hello" })],
  ["TEXT_BLOCK_DELTA", { ...text, delta: " World" }, set(0, { text: "Hello World" })],
  ["TEXT_BLOCK_END", text, set(0, ended)],
  ["THINKING_BLOCK_START", thinking, add({ type: "thinking", thinking: "", id: "b_think_001" })],
  ["THINKING_BLOCK_DELTA", { ...thinking, delta: "Let me" }, set(1, { thinking: "Let me" })],
  ["THINKING_BLOCK_DELTA", { ...thinking, delta: " think" }, set(1, { thinking: "Let me think" })],
  ["THINKING_BLOCK_END", thinking, set(1, ended)],
  ["DATA_BLOCK_START", data, add({ type: "data", id: "b_data_001", ...png(""), name: null })],
  ["DATA_BLOCK_DELTA", { ...data, data: "YWJj" }, set(2, png("YWJj"))],
  ["DATA_BLOCK_DELTA", { ...data, data: "ZGVm" }, set(2, png("YWJjZGVm"))],
  ["DATA_BLOCK_END", { block_id: "b_data_001" }, set(2, ended)],
  [
    "TOOL_CALL_START",
    { ...allow, tool_call_name: "search" },
    add(toolCall("tc_allow_001", "search")),
  ],
  ["TOOL_CALL_DELTA", { ...allow, delta: '{"q"' }, set(3, { input: '{"q"' })],
  ["TOOL_CALL_DELTA", { ...allow, delta: ': "hi"}' }, set(3, { input: '{"q": "hi"}' })],
  ["TOOL_CALL_END", allow, set(3, ended)],
  ["REQUIRE_USER_CONFIRM", asked("tc_allow_001", "search"), set(3, { state: "asking" })],
  ["USER_CONFIRM_RESULT", answered("tc_allow_001", "search", true), set(3, { state: "allowed" })],
  [
    "TOOL_RESULT_START",
    { ...allow, tool_call_name: "search" },
    add(toolResult("tc_allow_001", "search")),
  ],
  [
    "TOOL_RESULT_TEXT_DELTA",
    { ...allow, delta: "Found:" },
    set(4, { output: [outputText("Found:")] }),
  ],
  [
    "TOOL_RESULT_TEXT_DELTA",
    { ...allow, delta: " 3 items" },
    set(4, { output: [outputText("Found: 3 items")] }),
  ],
  [
    "TOOL_RESULT_END",
    { ...allow, state: "success" },
    set(4, { state: "success", ...ended }),
    set(3, { state: "finished" }),
  ],
  [
    "TOOL_CALL_START",
    { ...deny, tool_call_name: "delete" },
    add(toolCall("tc_deny_001", "delete")),
  ],
  ["TOOL_CALL_END", deny, set(5, ended)],
  ["REQUIRE_USER_CONFIRM", asked("tc_deny_001", "delete"), set(5, { state: "asking" })],
  ["USER_CONFIRM_RESULT", answered("tc_deny_001", "delete", false), set(5, { state: "finished" })],
  [
    "TOOL_CALL_START",
    { ...external, tool_call_name: "run_code" },
    add(toolCall("tc_ext_001", "run_code")),
  ],
  ["TOOL_CALL_END", external, set(6, ended)],
  ["REQUIRE_EXTERNAL_EXECUTION", asked("tc_ext_001", "run_code"), set(6, { state: "submitted" })],
  [
    "EXTERNAL_EXECUTION_RESULT",
    {
      execution_results: [
        {
          ...toolResult("tc_ext_001", "run_code"),
          output: "output: hello",
          state: "success",
          created_at: "T",
        },
      ],
    },
    add({ ...toolResult("tc_ext_001", "run_code"), output: "output: hello", state: "success" }),
    set(7, ended),
  ],
  [
    "TOOL_CALL_START",
    { ...image, tool_call_name: "screenshot" },
    add(toolCall("tc_img_001", "screenshot")),
  ],
  ["TOOL_CALL_END", image, set(8, ended)],
  [
    "TOOL_RESULT_START",
    { ...image, tool_call_name: "screenshot" },
    add(toolResult("tc_img_001", "screenshot")),
  ],
  [
    "TOOL_RESULT_DATA_DELTA",
    { ...image, block_id: "res_data_001", media_type: "image/png", data: "YWJj" },
    set(9, { output: [pngBlock] }),
  ],
  [
    "TOOL_RESULT_DATA_DELTA",
    {
      ...image,
      block_id: "res_url_001",
      media_type: "image/jpeg",
      url: "https://example.com/a.jpg",
    },
    set(9, { output: [pngBlock, jpegBlock] }),
  ],
  [
    "TOOL_RESULT_END",
    { ...image, state: "error" },
    set(9, { state: "error", ...ended }),
    set(8, { state: "finished" }),
  ],
  ["MODEL_CALL_END", counters(10, 20, 60, 40), { message: { usage: counters(10, 20, 60, 40) } }],
  ["MODEL_CALL_END", counters(5, 8, 12, 7), { message: { usage: counters(15, 28, 72, 47) } }],
  [
    "REPLY_END",
    { session_id: "s", created_at: END_TIME },
    { message: { finished_at: END_TIME, finished_reason: "completed" } },
  ],
];

function start(): Msg {
  return AssistantMsg({ id: "reply_001", name: "TestAgent", content: [], created_at: "T0" });
}

function event(type: string, fields: Fields, reply_id = "reply_001") {
  return deepFreeze(parseEvent({ type, id: "e", created_at: "T", reply_id, ...fields }));
}

function applyChange(message: Fields & { content: Fields[] }, change: Change) {
  if ("message" in change) return { ...message, ...change.message };
  if ("add" in change) return { ...message, content: [...message.content, change.add] };
  const content = message.content.map((block, index) =>
    index === change.block ? { ...block, ...change.set } : block,
  );
  return { ...message, content };
}

function finalMessage(): Msg {
  return STEPS.reduce(
    (message, [type, fields]) => appendEvent(message, event(type, fields)),
    start(),
  );
}

describe("the stream of 39 events", () => {
  it("has 39 of them", () => {
    expect(STEPS).toHaveLength(39);
  });

  it("gives the whole message after every step", () => {
    let message = start();
    let expected = { ...start() } as Fields & { content: Fields[] };
    for (const [index, [type, fields, ...changes]] of STEPS.entries()) {
      message = deepFreeze(appendEvent(message, event(type, fields)));
      expected = changes.reduce(applyChange, expected);

      expect(message, `step ${index + 1}, ${type}`).toEqual(expected);
    }
  });

  it("ignores events of another reply", () => {
    const message = finalMessage();

    expect(appendEvent(message, event("TEXT_BLOCK_START", text, "reply_002"))).toBe(message);
  });

  it.each([
    ["TEXT_BLOCK_DELTA", { block_id: "b_none", delta: "x" }],
    ["TEXT_BLOCK_END", { block_id: "b_none" }],
    ["THINKING_BLOCK_DELTA", { block_id: "b_text_001", delta: "x" }],
    ["DATA_BLOCK_DELTA", { block_id: "b_none", media_type: "image/png", data: "YQ==" }],
    ["TOOL_CALL_DELTA", { tool_call_id: "tc_none", delta: "x" }],
    ["TOOL_RESULT_TEXT_DELTA", { tool_call_id: "tc_none", delta: "x" }],
    ["TOOL_RESULT_END", { tool_call_id: "tc_none", state: "success" }],
  ])("ignores a %s for an id that was never started", (type, fields) => {
    const message = finalMessage();

    expect(appendEvent(message, event(type, fields))).toBe(message);
  });
});
