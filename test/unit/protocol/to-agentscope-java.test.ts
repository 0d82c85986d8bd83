// The stream for AgentScope for Java: its names and shapes, and the events that it has besides.
import { describe, expect, it } from "vitest";

import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import type { JavaLogEvent } from "../../../protocol/dialects/to-java-event.ts";
import { toJavaMessage } from "../../../protocol/dialects/to-agentscope-java-message.ts";
import { startMessage } from "../../../protocol/fold/append-event.ts";
import type { EventOf, LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent, parseMessage } from "../../../protocol/parse.ts";

const AT = "2026-11-21T09:30:00.000Z";
const shown = { createdAt: AT, replyId: "r1" };
const START = { type: "REPLY_START", session_id: "s1", name: "Desk" };
const END = { type: "REPLY_END", session_id: "s1" };
const MODEL_CALL = [
  { type: "MODEL_CALL_START", model_name: "m" },
  { type: "MODEL_CALL_END", input_tokens: 2, output_tokens: 1 },
] as const;
const CALL = {
  type: "tool_call",
  id: "c1",
  name: "refund",
  input: '{"a":1}',
  created_at: AT,
  state: "asking",
};
const TOOL_USE = {
  type: "tool_use",
  id: "c1",
  name: "refund",
  input: { a: 1 },
  content: '{"a":1}',
  metadata: { reprise: { suggested_rules: [], created_at: AT } },
  state: "ASKING",
};

function log(events: readonly object[]): LoggedEvent[] {
  return events.map(
    (event, index) =>
      parseEvent({
        reply_id: "r1",
        ...event,
        id: `evt_${index + 1}`,
        created_at: AT,
        seq: index + 1,
      }) as LoggedEvent,
  );
}

function translate(...events: readonly object[]): JavaLogEvent[] {
  const translator = createJavaTranslator();
  return log(events).flatMap((event) => translator.translate(event));
}

/** The last event's Java events. */
function last(...events: readonly object[]): readonly JavaLogEvent[] {
  const translator = createJavaTranslator();
  return (
    log(events)
      .map((event) => translator.translate(event))
      .at(-1) ?? []
  );
}

function call(id: string): readonly object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: "refund" },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: '{"a":1}' },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

function result(id: string, state: string): readonly object[] {
  return [
    { type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: "refund" },
    { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "No." },
    { type: "TOOL_RESULT_END", tool_call_id: id, state },
  ];
}

const types = (events: readonly JavaLogEvent[]) => events.map(({ type }) => type);
const reasons = (events: readonly JavaLogEvent[]) =>
  events.flatMap((event) => (event.type === "REQUEST_STOP" ? [event["generateReason"]] : []));

describe("a reply in the dialect of AgentScope for Java", () => {
  it("has its names, camelCase, and AGENT_RESULT just before AGENT_END", () => {
    const text = { block_id: "b1" };
    expect(
      translate(
        START,
        { type: "HINT_BLOCK", block_id: "h1", source: "runtime", hint: "It is noon." },
        MODEL_CALL[0],
        { type: "TEXT_BLOCK_START", ...text },
        { type: "TEXT_BLOCK_DELTA", ...text, delta: "Hi" },
        { type: "TEXT_BLOCK_END", ...text },
        MODEL_CALL[1],
        END,
      ),
    ).toEqual([
      {
        id: "evt_1",
        ...shown,
        type: "AGENT_START",
        sessionId: "s1",
        name: "Desk",
        role: "assistant",
      },
      {
        id: "evt_2",
        ...shown,
        type: "HINT_BLOCK",
        blockId: "h1",
        hintSource: "runtime",
        hint: "It is noon.",
      },
      { id: "evt_3", ...shown, type: "MODEL_CALL_START", modelName: "m" },
      { id: "evt_4", ...shown, type: "TEXT_BLOCK_START", blockId: "b1" },
      { id: "evt_5", ...shown, type: "TEXT_BLOCK_DELTA", blockId: "b1", delta: "Hi" },
      { id: "evt_6", ...shown, type: "TEXT_BLOCK_END", blockId: "b1" },
      {
        id: "evt_7",
        ...shown,
        type: "MODEL_CALL_END",
        usage: {
          inputTokens: 2,
          outputTokens: 1,
          cacheInputTokens: 0,
          cacheCreationInputTokens: 0,
        },
      },
      {
        id: "evt_8.1",
        ...shown,
        type: "AGENT_RESULT",
        result: {
          id: "r1",
          name: "Desk",
          role: "ASSISTANT",
          content: [
            { type: "hint", id: "h1", hint: "It is noon.", hintSource: "runtime" },
            { type: "text", id: "b1", text: "Hi" },
          ],
          metadata: {
            agentscope_generate_reason: "MODEL_STOP",
            reprise: { finished_at: AT, finished_reason: "completed" },
          },
          timestamp: "2026-11-21 09:30:00.000",
          usage: {
            inputTokens: 2,
            outputTokens: 1,
            cacheInputTokens: 0,
            cacheCreationInputTokens: 0,
          },
        },
      },
      {
        id: "evt_8",
        ...shown,
        metadata: { reprise: { session_id: "s1", finished_reason: "completed" } },
        type: "AGENT_END",
      },
    ]);
  });

  it("names the tool in all of a result's events, and has a whole block for its data", () => {
    const data = { type: "TOOL_RESULT_DATA_DELTA", tool_call_id: "c1", media_type: "a/b" };
    const events = translate(
      START,
      { type: "TOOL_RESULT_START", tool_call_id: "c1", tool_call_name: "refund" },
      { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "x" },
      { ...data, block_id: "d1", data: "YQ==" },
      { ...data, block_id: "d2", url: "https://example.com/" },
      { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "success", metadata: { n: 1 } },
    );
    const named = { ...shown, toolCallId: "c1", toolCallName: "refund" };
    const source = { type: "base64", media_type: "a/b", data: "YQ==" };
    const address = { type: "url", url: "https://example.com/", mime_type: "a/b" };
    expect(events.slice(1)).toEqual([
      { id: "evt_2", ...named, type: "TOOL_RESULT_START" },
      { id: "evt_3", ...named, type: "TOOL_RESULT_TEXT_DELTA", delta: "x" },
      {
        id: "evt_4",
        ...named,
        type: "TOOL_RESULT_DATA_DELTA",
        data: { type: "data", id: "d1", source },
      },
      {
        id: "evt_5",
        ...named,
        type: "TOOL_RESULT_DATA_DELTA",
        data: { type: "data", id: "d2", source: address },
      },
      { id: "evt_6", ...named, metadata: { n: 1 }, type: "TOOL_RESULT_END", state: "SUCCESS" },
    ]);
  });

  it("asks with tool_use and requests the stop once, until the reply goes on", () => {
    const ask = { type: "REQUIRE_USER_CONFIRM", tool_calls: [CALL] };
    const [, , , asked, stop, again, outside, suspended, answered, ...later] = translate(
      START,
      ...MODEL_CALL,
      ask,
      ask,
      { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls: [CALL] },
      {
        type: "USER_CONFIRM_RESULT",
        confirm_results: [{ confirmed: true, tool_call: CALL, rules: [] }],
      },
      ask,
    );
    expect(asked).toEqual({
      id: "evt_4",
      ...shown,
      type: "REQUIRE_USER_CONFIRM",
      toolCalls: [TOOL_USE],
    });
    expect(stop).toEqual({
      id: "evt_4.2",
      ...shown,
      type: "REQUEST_STOP",
      reason: "a person has to confirm a tool call",
      generateReason: "PERMISSION_ASKING",
    });
    expect([
      again?.type,
      outside?.type,
      suspended?.["generateReason"],
      answered,
      types(later),
    ]).toEqual([
      "REQUIRE_USER_CONFIRM",
      "REQUIRE_EXTERNAL_EXECUTION",
      "TOOL_SUSPENDED",
      {
        id: "evt_7",
        ...shown,
        type: "USER_CONFIRM_RESULT",
        confirmResults: [{ confirmed: true, toolCall: TOOL_USE, rules: [] }],
      },
      ["REQUIRE_USER_CONFIRM", "REQUEST_STOP"],
    ]);
  });

  it("says ALL_TOOLS_DENIED with the result that makes it so", () => {
    const turn = [START, ...MODEL_CALL, ...call("c1"), ...call("c2"), ...result("c1", "denied")];
    const denied = last(...turn, ...result("c2", "denied"));
    expect([types(last(...turn)), types(last(...turn, ...result("c2", "success")))]).toEqual([
      ["TOOL_RESULT_END"],
      ["TOOL_RESULT_END"],
    ]);
    const finished = (id: string) => ({
      ...TOOL_USE,
      id,
      state: "FINISHED",
      metadata: { reprise: { suggested_rules: [], created_at: AT, finished_at: AT } },
    });
    expect(denied).toEqual([
      expect.objectContaining({ type: "TOOL_RESULT_END", toolCallId: "c2", state: "DENIED" }),
      {
        id: `evt_${turn.length + 3}.2`,
        ...shown,
        type: "ALL_TOOLS_DENIED",
        deniedToolCalls: [finished("c1"), finished("c2")],
      },
    ]);
  });

  it("looks at the calls of one turn alone", () => {
    const first = [START, ...MODEL_CALL, ...call("c1"), ...result("c1", "success")];
    expect(types(last(...first, ...MODEL_CALL, ...call("c2"), ...result("c2", "denied")))).toEqual([
      "TOOL_RESULT_END",
      "ALL_TOOLS_DENIED",
    ]);
  });

  it("counts the rounds when there are too many", () => {
    const name = { name: "Desk" };
    const events = last(START, ...MODEL_CALL, ...MODEL_CALL, { type: "EXCEED_MAX_ITERS", ...name });
    expect(events).toEqual([
      {
        id: "evt_6",
        ...shown,
        metadata: { reprise: { metadata: {}, ...name } },
        type: "EXCEED_MAX_ITERS",
        maxIters: 2,
        currentIter: 2,
      },
    ]);
  });

  it.each([
    ["completed", "MODEL_STOP", []],
    ["interrupted", "INTERRUPTED", ["INTERRUPTED"]],
    ["exceed_max_iters", "MAX_ITERATIONS", []],
    ["error", undefined, []],
  ])("ends %s with the reason %s", (finished_reason, reason, stops) => {
    const events = last(START, { ...END, finished_reason });
    const [message, end] = events.slice(-2);
    const { metadata } = (message?.["result"] ?? {}) as { metadata?: Record<string, unknown> };
    expect([
      metadata?.["agentscope_generate_reason"],
      reasons(events),
      end?.type,
      message?.type,
    ]).toEqual([reason, stops, "AGENT_END", "AGENT_RESULT"]);
  });

  it("ends with STRUCTURED_OUTPUT when there is one, and shows it", () => {
    const value = { reply_id: "r1", output: { total: 2 } };
    const [message] = last(START, { type: "CUSTOM", name: "structured_output", value }, END);
    expect(message?.["result"]).toMatchObject({
      metadata: {
        agentscope_generate_reason: "STRUCTURED_OUTPUT",
        reprise: { structured_output: { total: 2 } },
      },
    });
  });

  it("shows an event of a type that it does not know with its members as they are", () => {
    const [event] = log([{ type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "x" }]);
    const newer = { ...event, type: "SMELL_BLOCK_DELTA" } as never;
    expect(createJavaTranslator().translate(newer)).toEqual([
      { id: "evt_1", ...shown, type: "SMELL_BLOCK_DELTA", block_id: "b", delta: "x" },
    ]);
  });

  it("forgets the reply before", () => {
    const [message] = last(START, END, { ...START, reply_id: "r2" }, { ...END, reply_id: "r2" });
    expect(message?.["result"]).toMatchObject({ id: "r2" });
  });
});

describe("a message in the dialect of AgentScope for Java", () => {
  it("has the role TOOL when it holds results alone, its output a list", () => {
    const block = { type: "tool_result", id: "c1", name: "f", output: "x", state: "success" };
    const [start] = log([START]) as [EventOf<"REPLY_START">];
    const message = { ...startMessage(start), content: [{ ...block, metadata: {} }] };
    expect(toJavaMessage(message as never)).toEqual({
      id: "r1",
      name: "Desk",
      role: "TOOL",
      content: [{ ...block, output: [{ type: "text", text: "x" }], state: "SUCCESS" }],
      timestamp: "2026-11-21 09:30:00.000",
    });
  });

  it("shows a call whose input is nested too deep to be an object by its text", () => {
    const input = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const [start] = log([START]) as [EventOf<"REPLY_START">];
    const message = { ...startMessage(start), content: [{ ...CALL, input }] };

    const shown = toJavaMessage(message as never);

    expect(shown["content"]).toMatchObject([{ type: "tool_use", input: {}, content: input }]);
    expect(JSON.stringify(shown).length).toBeGreaterThan(input.length);
  });

  it("keeps a thinking block's signature as metadata, and is a message again", () => {
    const content = [
      { type: "thinking", id: "t1", thinking: "Hm.", signature: "s" },
      { type: "hint", id: "h1", hint: [{ type: "text", id: "x", text: "a" }] },
    ];
    const message = toJavaMessage(
      parseMessage({ id: "m1", name: "A", role: "assistant", content, created_at: AT }),
    );
    expect(message["content"]).toEqual([
      { type: "thinking", id: "t1", thinking: "Hm.", metadata: { signature: "s" } },
      { type: "hint", id: "h1", hint: "a" },
    ]);
    expect(parseMessage(message)).toMatchObject({ role: "assistant", name: "A", id: "m1" });
  });
});
