import { describe, expect, it } from "vitest";

import { completeAnswer, type WrittenAnswer } from "../../../agent/json/complete-answer.ts";
import {
  advanceReply,
  startReplyState,
  type ReplyState,
} from "../../../agent/state/reply-state.ts";
import { TOOL_CALL_EDITED } from "../../../protocol/fold/append-custom.ts";
import { ToolCallBlockSchema, ToolResultBlockSchema } from "../../../protocol/messages/blocks.ts";
import { AgentEventSchema, type EventOf } from "../../../protocol/events.ts";

const AT = "2026-11-21T09:30:00.000Z";
const reply_id = "rep_1";
const base = { id: "evt", created_at: AT, metadata: {}, reply_id };
const call = { tool_call_id: "call_1", tool_call_name: "refund" };
const edit = { reply_id, tool_call_id: "call_1", input: "{}" };

function written(target: typeof call, delta: string): readonly object[] {
  return [
    { type: "TOOL_CALL_START", ...target },
    { type: "TOOL_CALL_DELTA", ...target, delta },
    { type: "TOOL_CALL_END", ...target },
  ];
}

function stateAfter(events: readonly object[]): ReplyState {
  return events
    .map((event) => AgentEventSchema.parse({ ...base, ...event }))
    .reduce(
      advanceReply,
      startReplyState(
        AgentEventSchema.parse({
          ...base,
          type: "REPLY_START",
          session_id: "ses_1",
          name: "Desk",
        }) as EventOf<"REPLY_START">,
      ),
    );
}

const edited = { type: "CUSTOM", name: TOOL_CALL_EDITED, value: edit };
/** A reply with one call, whose input `{"a":1}` was edited to `{}`. */
const state = stateAfter([...written(call, '{"a":1}'), edited]);

function confirmation(given: { id: string; name?: string; input?: string }): WrittenAnswer {
  const { id, name, input } = given;
  const whole = ToolCallBlockSchema.parse({
    type: "tool_call",
    id,
    name: "",
    input: "",
    created_at: AT,
  });
  const tool_call = { ...whole, name, input };
  const confirm_results = [{ confirmed: true, tool_call, rules: null }];
  return { ...base, type: "USER_CONFIRM_RESULT", confirm_results };
}

describe("an answer", () => {
  it.each([
    [{ id: "call_1" }, ["refund", '{"a":1}']],
    [{ id: "call_1", input: "{}" }, ["refund", "{}"]],
    [{ id: "call_1", input: "" }, ["refund", ""]],
    [{ id: "call_1", name: "label" }, ["label", '{"a":1}']],
    [{ id: "call_2" }, ["", ""]],
  ])("to %j is one to %j", (given, expected) => {
    const event = completeAnswer(state, confirmation(given));

    expect(
      event.type === "USER_CONFIRM_RESULT" &&
        event.confirm_results.map(({ tool_call }) => [tool_call.name, tool_call.input]),
    ).toEqual([expected]);
  });

  it("is one to what an earlier version made of JSON that was cut off, among the calls of its turn", () => {
    const text = "x".repeat(3_000);
    const calls = Array.from({ length: 16 }, (_, index) =>
      written({ ...call, tool_call_id: `call_${index + 1}` }, `{"a":"${text}","b":`),
    ).flat();
    const event = completeAnswer(stateAfter([...calls, edited]), confirmation({ id: "call_1" }));

    expect(event.type === "USER_CONFIRM_RESULT" && event.confirm_results[0]?.tool_call.input).toBe(
      JSON.stringify({ a: text }),
    );
  });

  it("of a system outside gets its call's name", () => {
    const result = ToolResultBlockSchema.parse({
      type: "tool_result",
      id: "call_1",
      name: "",
      output: "x",
      created_at: AT,
    });
    const written: WrittenAnswer = {
      ...base,
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ ...result, name: undefined }, result],
    };

    const event = completeAnswer(state, written);

    expect(event).toEqual({
      ...written,
      execution_results: [{ ...result, name: "refund" }, result],
    });
  });

  it("to a reply that is not there has nothing filled in", () => {
    const event = completeAnswer(null, confirmation({ id: "call_1" }));

    expect(event).toEqual(confirmation({ id: "call_1", name: "", input: "" }));
  });
});
