// Events under the names that the documents and releases of AgentScope have given them.
import { describe, expect, it } from "vitest";

import { normalizeEvent } from "../../../protocol/dialects/normalize-event.ts";
import { parseEvent } from "../../../protocol/parse.ts";

const base = { id: "e", created_at: "T", metadata: {} };
const javaBase = { id: "e", createdAt: "T", replyId: "r1" };
const reply = { reply_id: "r1" };
const javaCall = { type: "tool_use", id: "c1", name: "f", input: { a: 1 }, state: "ASKING" };
const call = {
  type: "tool_call",
  id: "c1",
  name: "f",
  input: '{"a":1}',
  state: "asking",
  suggested_rules: [],
  created_at: expect.any(String),
  finished_at: null,
};
const result = {
  type: "tool_result",
  id: "c1",
  name: "f",
  state: "success",
  metadata: {},
  created_at: "T",
  finished_at: null,
};

describe("first names of 2.0", () => {
  it.each([
    [
      "RUN_STARTED",
      { session_id: "s", name: "A" },
      { type: "REPLY_START", session_id: "s", name: "A", role: "assistant" },
    ],
    [
      "RUN_FINISHED",
      { session_id: "s" },
      { type: "REPLY_END", session_id: "s", finished_reason: "completed", error: null },
    ],
    ["MODEL_CALL_STARTED", { model_name: "m" }, { type: "MODEL_CALL_START", model_name: "m" }],
    [
      "MODEL_CALL_ENDED",
      { input_tokens: 1, output_tokens: 2 },
      {
        type: "MODEL_CALL_END",
        input_tokens: 1,
        output_tokens: 2,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
        finished_reason: "completed",
      },
    ],
    [
      "BINARY_BLOCK_START",
      { block_id: "b", media_type: "image/png" },
      { type: "DATA_BLOCK_START", block_id: "b", media_type: "image/png", name: null },
    ],
    [
      "BINARY_BLOCK_DELTA",
      { block_id: "b", media_type: "image/png", data: "YQ==" },
      { type: "DATA_BLOCK_DELTA", block_id: "b", media_type: "image/png", data: "YQ==", url: null },
    ],
    ["BINARY_BLOCK_END", { block_id: "b" }, { type: "DATA_BLOCK_END", block_id: "b" }],
    [
      "TOOL_RESULT_BINARY_DELTA",
      { tool_call_id: "c1", block_id: "b", media_type: "image/png", data: "YQ==" },
      {
        type: "TOOL_RESULT_DATA_DELTA",
        tool_call_id: "c1",
        block_id: "b",
        media_type: "image/png",
        data: "YQ==",
        url: null,
      },
    ],
    [
      "TOOL_RESULT_END",
      { tool_call_id: "c1", state: "INTERRUPTED" },
      { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "interrupted" },
    ],
  ])("%s is understood", (type, fields, expected) => {
    expect(parseEvent({ type, id: "e", created_at: "T", ...reply, ...fields })).toEqual({
      ...base,
      ...reply,
      ...expected,
    });
  });
});

describe("Java's events", () => {
  it.each([
    [
      "AGENT_START without a name",
      { type: "AGENT_START", sessionId: "s", role: "ASSISTANT" },
      { type: "REPLY_START", session_id: "s", name: "", role: "assistant" },
    ],
    [
      "AGENT_END with nothing but its reply",
      { type: "AGENT_END" },
      { type: "REPLY_END", session_id: "", finished_reason: "completed", error: null },
    ],
    [
      "MODEL_CALL_END with usage",
      { type: "MODEL_CALL_END", usage: { inputTokens: 3, outputTokens: 4, time: 1.5 } },
      {
        type: "MODEL_CALL_END",
        input_tokens: 3,
        output_tokens: 4,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
        finished_reason: "completed",
      },
    ],
    [
      "MODEL_CALL_END without usage",
      { type: "MODEL_CALL_END" },
      {
        type: "MODEL_CALL_END",
        input_tokens: 0,
        output_tokens: 0,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
        finished_reason: "completed",
      },
    ],
    [
      "TEXT_BLOCK_DELTA",
      { type: "TEXT_BLOCK_DELTA", blockId: "b", delta: "x" },
      { type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "x" },
    ],
    [
      "DATA_BLOCK_DELTA without a media type",
      { type: "DATA_BLOCK_DELTA", blockId: "b", data: "YQ==" },
      {
        type: "DATA_BLOCK_DELTA",
        block_id: "b",
        media_type: "application/octet-stream",
        data: "YQ==",
        url: null,
      },
    ],
    [
      "TOOL_RESULT_DATA_DELTA with a block of data",
      {
        type: "TOOL_RESULT_DATA_DELTA",
        toolCallId: "c1",
        toolCallName: "f",
        data: {
          type: "image",
          id: "b",
          source: { type: "base64", mediaType: "image/gif", data: "YQ==" },
        },
      },
      {
        type: "TOOL_RESULT_DATA_DELTA",
        tool_call_id: "c1",
        block_id: "b",
        media_type: "image/gif",
        data: "YQ==",
        url: null,
      },
    ],
    [
      "TOOL_RESULT_DATA_DELTA with a block that has a url",
      {
        type: "TOOL_RESULT_DATA_DELTA",
        toolCallId: "c1",
        blockId: "b",
        data: {
          type: "data",
          source: { type: "url", url: "https://h/a", mime_type: "audio/mpeg" },
        },
      },
      {
        type: "TOOL_RESULT_DATA_DELTA",
        tool_call_id: "c1",
        block_id: "b",
        media_type: "audio/mpeg",
        data: null,
        url: "https://h/a",
      },
    ],
    [
      "TOOL_RESULT_DATA_DELTA with a text block",
      { type: "TOOL_RESULT_DATA_DELTA", toolCallId: "c1", data: { type: "text", text: "x" } },
      { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "x" },
    ],
    [
      "HINT_BLOCK from a sub-agent",
      { type: "HINT_BLOCK", blockId: "b", hint: "h", hintSource: "plan", source: "main/helper" },
      {
        type: "HINT_BLOCK",
        block_id: "b",
        hint: "h",
        source: "plan",
        metadata: { source: "main/helper" },
      },
    ],
    [
      "EXCEED_MAX_ITERS with its numbers",
      { type: "EXCEED_MAX_ITERS", maxIters: 5, currentIter: 5, metadata: { taskId: "t" } },
      {
        type: "EXCEED_MAX_ITERS",
        name: "",
        metadata: { max_iters: 5, current_iter: 5, taskId: "t" },
      },
    ],
    [
      "REQUIRE_USER_CONFIRM",
      { type: "REQUIRE_USER_CONFIRM", toolCalls: [javaCall] },
      { type: "REQUIRE_USER_CONFIRM", tool_calls: [call] },
    ],
    [
      "USER_CONFIRM_RESULT",
      {
        type: "USER_CONFIRM_RESULT",
        confirmResults: [
          {
            confirmed: true,
            toolCall: javaCall,
            rules: [{ toolName: "f", ruleContent: null, behavior: "ALLOW", source: "s" }],
          },
        ],
      },
      {
        type: "USER_CONFIRM_RESULT",
        confirm_results: [
          {
            confirmed: true,
            tool_call: call,
            rules: [{ tool_name: "f", rule_content: null, behavior: "allow", source: "s" }],
          },
        ],
      },
    ],
    [
      "EXTERNAL_EXECUTION_RESULT",
      {
        type: "EXTERNAL_EXECUTION_RESULT",
        executionResults: [
          {
            type: "tool_result",
            id: "c1",
            name: "f",
            output: [],
            state: "SUCCESS",
            createdAt: "T",
          },
        ],
      },
      { type: "EXTERNAL_EXECUTION_RESULT", execution_results: [{ ...result, output: [] }] },
    ],
    [
      "CUSTOM, whose value is nobody's to rename",
      { type: "CUSTOM", name: "n", value: { replyId: "x", toolCalls: ["SUCCESS"] } },
      { type: "CUSTOM", name: "n", value: { replyId: "x", toolCalls: ["SUCCESS"] } },
    ],
    [
      "REQUEST_STOP",
      { type: "REQUEST_STOP", reason: "r", generateReason: "ACTING_STOP_REQUESTED" },
      {
        type: "CUSTOM",
        name: "request_stop",
        value: { reason: "r", generateReason: "ACTING_STOP_REQUESTED" },
      },
    ],
    [
      "ALL_TOOLS_DENIED",
      { type: "ALL_TOOLS_DENIED", deniedToolCalls: [javaCall] },
      { type: "CUSTOM", name: "all_tools_denied", value: { deniedToolCalls: [javaCall] } },
    ],
    [
      "AGENT_RESULT",
      { type: "AGENT_RESULT", result: { role: "ASSISTANT" } },
      { type: "CUSTOM", name: "agent_result", value: { result: { role: "ASSISTANT" } } },
    ],
    [
      "THREAD_EXPOSED, the older name of SUBAGENT_EXPOSED",
      { type: "THREAD_EXPOSED", subagentId: "x", agentId: "y", label: "l" },
      {
        type: "CUSTOM",
        name: "subagent_exposed",
        value: { subagentId: "x", agentId: "y", label: "l" },
      },
    ],
  ])("%s is understood", (_title, fields, expected) => {
    expect(parseEvent({ ...javaBase, ...fields })).toEqual({ ...base, ...reply, ...expected });
  });
});

describe("normalizeEvent", () => {
  it("leaves today's events as they are", () => {
    const event = { type: "HINT_BLOCK", ...reply, block_id: "b", hint: "h", source: "s" };

    expect(normalizeEvent(event)).toEqual(event);
  });

  it("lets a member under today's name win", () => {
    const event = { type: "USER_INTERRUPT", replyId: "old", reply_id: "new" };

    expect(normalizeEvent(event)).toEqual({ type: "USER_INTERRUPT", reply_id: "new" });
  });

  it("does not change what it is given", () => {
    const event = { ...javaBase, type: "REQUIRE_USER_CONFIRM", toolCalls: [javaCall] };
    const before = structuredClone(event);

    normalizeEvent(event);

    expect(event).toEqual(before);
  });

  it.each([
    null,
    7,
    "AGENT_END",
    [],
    [{ type: "AGENT_END" }],
    { type: 7 },
    { type: "constructor" },
  ])("gives %j back", (value) => {
    expect(normalizeEvent(value)).toEqual(value);
  });

  it.each([
    '{"type":"MODEL_CALL_END","replyId":"r1","usage":7,"source":null,"metadata":"x"}',
    '{"type":"TOOL_RESULT_DATA_DELTA","replyId":"r1","data":{"type":"image","source":7}}',
    '{"type":"TOOL_RESULT_DATA_DELTA","replyId":"r1","data":{}}',
    '{"type":"REQUIRE_USER_CONFIRM","replyId":"r1","toolCalls":{"0":null}}',
    '{"type":"REQUIRE_USER_CONFIRM","replyId":"r1","toolCalls":[null,7,[],{"type":"tool_use"}]}',
    '{"type":"USER_CONFIRM_RESULT","replyId":"r1","confirmResults":[null,{"toolCall":7,"rules":[null]}]}',
    '{"type":"EXCEED_MAX_ITERS","replyId":"r1","metadata":[1]}',
    '{"type":"AGENT_RESULT","__proto__":{"polluted":1},"replyId":"r1"}',
  ])("survives %s", (text) => {
    const normalized = normalizeEvent(JSON.parse(text)) as Record<string, unknown>;

    expect([Object.getPrototypeOf(normalized), normalized["polluted"]]).toEqual([
      Object.prototype,
      undefined,
    ]);
  });
});
