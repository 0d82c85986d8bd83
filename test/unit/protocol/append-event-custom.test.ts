// The CUSTOM events that the fold honours, and the ones that it does not.
import { describe, expect, it } from "vitest";

import { appendEvent } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { caseEvent, fold } from "../../support/fold.ts";

const call = { tool_call_id: "c1", tool_call_name: "f" };
const times = { created_at: "T", finished_at: null };
const callBlock = {
  type: "tool_call",
  id: "c1",
  name: "f",
  input: "{}",
  state: "pending",
  suggested_rules: [],
  created_at: "T",
  finished_at: "T",
};

/** Thinking, text, data, a hint and a call whose ids are all but the last the same. */
function busyMessage(): Msg {
  return fold([
    { type: "THINKING_BLOCK_START", block_id: "b1" },
    { type: "TEXT_BLOCK_START", block_id: "b1" },
    { type: "TEXT_BLOCK_START", block_id: "b2" },
    { type: "DATA_BLOCK_START", block_id: "b1", media_type: "image/png" },
    { type: "HINT_BLOCK", block_id: "b1", hint: "h" },
    { type: "TOOL_CALL_START", ...call },
    { type: "TOOL_CALL_DELTA", tool_call_id: "c1", delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: "c1" },
  ]);
}

function finishedCall(): Msg {
  return fold([
    { type: "TOOL_CALL_START", ...call },
    { type: "TOOL_CALL_DELTA", tool_call_id: "c1", delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: "c1" },
    { type: "TOOL_RESULT_START", ...call },
    { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "half" },
    {
      type: "TOOL_RESULT_END",
      tool_call_id: "c1",
      state: "success",
      metadata: { k: 1 },
      created_at: "T2",
    },
  ]);
}

function recovered(lists: Record<string, unknown>) {
  const none = { discard_block_ids: [], discard_tool_call_ids: [], discard_tool_result_ids: [] };
  const value = { reply_id: "r1", ...none, ...lists };
  return { type: "CUSTOM", name: "reply_recovered", reply_id: "r1", value };
}

function edited(value: Record<string, unknown>) {
  return { type: "CUSTOM", name: "tool_call_edited", reply_id: "r1", value };
}

describe("reply_recovered", () => {
  it("takes back text, thinking, data and hint blocks and leaves calls with the same id", () => {
    const message = fold([recovered({ discard_block_ids: ["b1", "c1"] })], busyMessage());

    expect(message.content).toEqual([{ type: "text", text: "", id: "b2", ...times }, callBlock]);
  });

  it("takes back calls and leaves blocks with the same id", () => {
    const message = fold([recovered({ discard_tool_call_ids: ["b1", "c1"] })], busyMessage());

    expect(message.content.map((block) => block.type)).toEqual([
      "thinking",
      "text",
      "text",
      "data",
      "hint",
    ]);
  });

  it("puts a result back to where its START had put it, and its call to allowed", () => {
    const message = fold([recovered({ discard_tool_result_ids: ["c1"] })], finishedCall());

    expect(message.content).toEqual([
      { ...callBlock, state: "allowed" },
      {
        type: "tool_result",
        id: "c1",
        name: "f",
        output: [],
        state: "running",
        metadata: {},
        ...times,
      },
    ]);
  });

  it("leaves the state of a call that had not finished", () => {
    const message = fold([
      { type: "TOOL_CALL_START", ...call },
      { type: "TOOL_RESULT_START", ...call },
      { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "half" },
      recovered({ discard_tool_result_ids: ["c1"] }),
    ]);

    expect(message.content.map((block) => "state" in block && block.state)).toEqual([
      "pending",
      "running",
    ]);
  });

  it("lets the reply go on without a second START of the result", () => {
    const message = fold(
      [
        recovered({ discard_tool_result_ids: ["c1"] }),
        { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "whole", created_at: "T3" },
        { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "success", created_at: "T4" },
      ],
      finishedCall(),
    );

    expect(message.content[1]).toEqual({
      type: "tool_result",
      id: "c1",
      name: "f",
      output: [{ type: "text", text: "whole", id: "c1_0", created_at: "T3", finished_at: null }],
      state: "success",
      metadata: {},
      created_at: "T",
      finished_at: "T4",
    });
  });

  it("changes nothing the second time", () => {
    const event = caseEvent(
      recovered({ discard_block_ids: ["b1"], discard_tool_result_ids: ["c1"] }),
    );
    const once = appendEvent(finishedCall(), event);

    expect(appendEvent(once, event)).toBe(once);
  });

  it("ignores unknown ids", () => {
    const message = finishedCall();
    const unknown = ["zz"];
    const event = recovered({
      discard_block_ids: unknown,
      discard_tool_call_ids: unknown,
      discard_tool_result_ids: unknown,
    });

    expect(fold([event], message)).toBe(message);
  });

  it.each([
    ["a list that is no list", { discard_block_ids: "b1" }],
    ["a list with something that is no id", { discard_block_ids: ["b1", 7] }],
    ["a null list", { discard_block_ids: ["b1"], discard_tool_call_ids: null }],
    ["another reply's id", { discard_block_ids: ["b1"], reply_id: "r2" }],
    ["no reply's id", { discard_block_ids: ["b1"], reply_id: undefined }],
  ])("ignores a value with %s", (_what, lists) => {
    const message = busyMessage();

    expect(fold([recovered(lists)], message)).toBe(message);
  });
});

describe("tool_call_edited", () => {
  it("replaces the input of the call", () => {
    const value = { reply_id: "r1", tool_call_id: "c1", input: '{"amount":5}' };

    expect(fold([edited(value)], finishedCall()).content[0]).toEqual({
      ...callBlock,
      input: '{"amount":5}',
      state: "finished",
    });
  });

  it.each([
    ["an unknown call", { reply_id: "r1", tool_call_id: "zz", input: "{}" }],
    ["an input that is no text", { reply_id: "r1", tool_call_id: "c1", input: { amount: 5 } }],
    ["no call", { reply_id: "r1", input: '{"amount":5}' }],
    ["another reply", { reply_id: "r2", tool_call_id: "c1", input: '{"amount":5}' }],
  ])("ignores %s", (_what, value) => {
    const message = finishedCall();

    expect(fold([edited(value)], message)).toBe(message);
  });
});

describe("structured_output", () => {
  const filled = (value: Record<string, unknown>) => ({
    type: "CUSTOM",
    name: "structured_output",
    reply_id: "r1",
    value,
  });

  it("sets the message's structured output, the last one for good", () => {
    const message = finishedCall();
    const first = fold([filled({ reply_id: "r1", output: { b: 1, a: [null] } })], message);
    const second = fold([filled({ reply_id: "r1", output: {} })], first);

    expect(first).toEqual({ ...message, structured_output: { b: 1, a: [null] } });
    expect(JSON.stringify(first.structured_output)).toBe('{"b":1,"a":[null]}');
    expect(second).toEqual({ ...message, structured_output: {} });
  });

  it.each([
    ["no output", { reply_id: "r1" }],
    ["null", { reply_id: "r1", output: null }],
    ["a list", { reply_id: "r1", output: [{ a: 1 }] }],
    ["a text", { reply_id: "r1", output: "{}" }],
    ["another reply's id", { reply_id: "r2", output: { a: 1 } }],
  ])("ignores a value with %s", (_what, value) => {
    const message = finishedCall();

    expect(fold([filled(value)], message)).toBe(message);
  });
});

describe("other CUSTOM events", () => {
  it.each([
    ["without a reply", { name: "shared_state_updated", value: {} }],
    ["that are snapshots", { name: "ability_state", value: { ability: "notes", state: ["a"] } }],
    ["about this reply", { name: "message_added", reply_id: "r1", value: { reply_id: "r1" } }],
    [
      "of ours about another reply",
      {
        name: "tool_call_edited",
        reply_id: "r2",
        value: { reply_id: "r1", tool_call_id: "c1", input: "x" },
      },
    ],
  ])("are ignored %s", (_what, fields) => {
    const message = finishedCall();

    expect(fold([{ type: "CUSTOM", ...fields }], message)).toBe(message);
  });

  it("count for a reply that only their value names, as readers of AgentScope pass them on", () => {
    const value = { reply_id: "r1", tool_call_id: "c1", input: '{"amount":5}' };

    const message = fold([{ type: "CUSTOM", name: "tool_call_edited", value }], finishedCall());

    expect(message.content[0]).toHaveProperty("input", '{"amount":5}');
  });
});
