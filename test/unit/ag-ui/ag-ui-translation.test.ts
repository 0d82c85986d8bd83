// Translations of single events, value by value.
import { describe, expect, it } from "vitest";

import type { AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog, LOGGED_AT } from "../../support/ag-ui-log.ts";

const timestamp = Date.parse(LOGGED_AT);
const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const MODEL = { type: "MODEL_CALL_START", model_name: "m" };
const MODEL_END = { type: "MODEL_CALL_END", input_tokens: 5, output_tokens: 3 };
const RUN = { threadId: "ses_1", runId: "rep_1" };

/** Frames of a log, its events written briefly, and of what is said when it rests. */
function translate(...events: readonly object[]): AgUiFrame[] {
  const log = agUiLog(...events);
  const translator = sessionTranslator(log);
  return [...log.flatMap((event) => translator.push(event)), ...translator.flush()];
}

function eventsOf(frames: readonly AgUiFrame[]): object[] {
  return frames.map(({ event: { timestamp: _, ...event } }) => event);
}

function call(id: string, name: string): object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: name },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

function result(id: string, state = "success"): object[] {
  return [
    { type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: "f" },
    { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "ok" },
    { type: "TOOL_RESULT_END", tool_call_id: id, state },
  ];
}

function asked(id: string): object {
  const tool_call = { type: "tool_call", id, name: "f", input: "{}" };
  const metadata = {
    input_hashes: { [id]: "sha256:0" },
    reasons: { [id]: "Refunds are asked about." },
    expires_at: { [id]: "2026-01-02T00:00:00.000Z" },
  };
  return { type: "REQUIRE_USER_CONFIRM", tool_calls: [tool_call], metadata };
}

describe("the translation", () => {
  it("gives each frame its place and its time, and deltas no time", () => {
    const block_id = "blk_1";
    expect(
      translate(
        START,
        { type: "TEXT_BLOCK_START", block_id },
        { type: "TEXT_BLOCK_DELTA", block_id, delta: "" },
        { type: "TEXT_BLOCK_DELTA", block_id, delta: "Hi" },
        { type: "REPLY_END", session_id: "ses_1" },
      ),
    ).toEqual([
      { seq: 1, k: 1, event: { type: "RUN_STARTED", ...RUN, protocolVersion: "1.0", timestamp } },
      {
        seq: 2,
        k: 1,
        event: { type: "TEXT_MESSAGE_START", messageId: block_id, role: "assistant", timestamp },
      },
      { seq: 4, k: 1, event: { type: "TEXT_MESSAGE_CONTENT", messageId: block_id, delta: "Hi" } },
      { seq: 5, k: 1, event: { type: "TEXT_MESSAGE_END", messageId: block_id, timestamp } },
      {
        seq: 5,
        k: 2,
        event: { type: "RUN_FINISHED", ...RUN, outcome: { type: "success" }, timestamp },
      },
    ]);
  });

  it("brings what was said as the run's input", () => {
    const source = { type: "url", url: "https://example.com/a.png", media_type: "image/png" };
    const content = [
      { type: "text", text: "Look", id: "b" },
      { type: "data", source, id: "d" },
    ];
    const message = { id: "msg_1", role: "user", name: "user", content };
    const added = { type: "CUSTOM", name: "message_added", value: { message } };
    expect(eventsOf(translate(added, START))[0]).toEqual({
      type: "RUN_STARTED",
      ...RUN,
      protocolVersion: "1.0",
      input: {
        ...RUN,
        messages: [
          {
            id: "msg_1",
            role: "user",
            content: [
              { type: "text", text: "Look" },
              {
                type: "image",
                source: { type: "url", value: "https://example.com/a.png", mimeType: "image/png" },
              },
            ],
          },
        ],
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
      },
    });
  });

  it("counts the tokens of a run by model, and gives the structured output as its result", () => {
    const cached = { ...MODEL_END, cache_input_tokens: 2, cache_creation_input_tokens: 1 };
    const value = { reply_id: "rep_1", output: { total: 2 } };
    const frames = translate(
      START,
      MODEL,
      MODEL_END,
      MODEL,
      cached,
      { ...MODEL, model_name: "other" },
      MODEL_END,
      MODEL,
      { ...MODEL_END, finished_reason: "interrupted" },
      { type: "CUSTOM", name: "structured_output", reply_id: "rep_1", value },
      { type: "REPLY_END", session_id: "ses_1" },
    );
    expect(eventsOf(frames).slice(-2)).toEqual([
      { type: "CUSTOM", name: "structured_output", value },
      {
        type: "RUN_FINISHED",
        ...RUN,
        outcome: { type: "success" },
        result: { total: 2 },
        usage: [
          {
            model: "m",
            inputTokens: 10,
            outputTokens: 6,
            cachedInputTokens: 2,
            cacheWriteInputTokens: 1,
          },
          { model: "other", inputTokens: 5, outputTokens: 3 },
        ],
      },
    ]);
  });

  it("ends the run with all that waits when it is clear that nothing else is to be done", () => {
    const frames = translate(START, ...call("c1", "f"), asked("c1"));
    expect(eventsOf(frames).at(-1)).toEqual({
      type: "RUN_FINISHED",
      ...RUN,
      outcome: {
        type: "interrupt",
        interrupts: [
          {
            id: "rep_1:c1",
            toolCallId: "c1",
            expiresAt: "2026-01-02T00:00:00.000Z",
            reason: "tool_call",
            message: "Refunds are asked about.",
            responseSchema: {
              type: "object",
              properties: {
                approved: { type: "boolean" },
                editedArgs: { type: "object" },
                rules: { type: "array", items: { type: "object" } },
                reason: { type: "string", maxLength: 2_000 },
                inputHash: { const: "sha256:0" },
              },
              required: ["approved"],
            },
            metadata: {
              agentscope: {
                kind: "user_confirm",
                replyId: "rep_1",
                suggestedRules: [],
                inputHash: "sha256:0",
              },
            },
          },
        ],
      },
    });
  });

  it("waits with the interrupt while another call runs or may still start", () => {
    const calls = [...call("c1", "f"), ...call("c2", "f")];
    const [started, delta, ended] = result("c2");
    const running = translate(START, ...calls, started!, asked("c1"), delta!, ended!);
    expect(running.map(({ seq, event }) => [seq, event.type]).slice(-3)).toEqual([
      [11, "TOOL_CALL_RESULT"],
      [11, "MESSAGES_SNAPSHOT"],
      [11, "RUN_FINISHED"],
    ]);
    // Its decision says that it is started, not brought to its end.
    const decided = { ...started, metadata: { decision: { behavior: "allow" } } };
    const later = translate(START, ...calls, asked("c1"), decided, delta!, ended!);
    expect(later.filter(({ event }) => event.type === "RUN_FINISHED")).toMatchObject([{ seq: 11 }]);
  });

  it("has one place for the interrupt, whether it was seen at once or when the answer came", () => {
    const log = [START, ...call("c1", "f"), ...call("c2", "f"), asked("c1")];
    const resting = translate(...log);
    const confirm_results = [
      { confirmed: false, tool_call: { type: "tool_call", id: "c1", name: "f", input: "{}" } },
    ];
    const answered = translate(...log, { type: "USER_CONFIRM_RESULT", confirm_results });
    expect(resting.slice(-2)).toMatchObject([
      { seq: 8, k: 1, event: { type: "MESSAGES_SNAPSHOT" } },
      { seq: 8, k: 2, event: { type: "RUN_FINISHED" } },
    ]);
    expect(answered.slice(0, resting.length)).toEqual(resting);
    expect(answered.slice(resting.length)).toMatchObject([
      { seq: 9, k: 1, event: { type: "RUN_STARTED" } },
      { seq: 9, k: 2, event: { type: "CUSTOM", name: "agentscope.user_confirm_result" } },
    ]);
  });

  it("takes a partial answer back with ids, and empties the last thought", () => {
    const value = {
      reply_id: "rep_1",
      discard_block_ids: ["t1", "b1"],
      discard_tool_call_ids: [],
      discard_tool_result_ids: [],
    };
    const frames = translate(
      START,
      MODEL,
      { type: "THINKING_BLOCK_START", block_id: "t1" },
      { type: "THINKING_BLOCK_DELTA", block_id: "t1", delta: "Hm" },
      { type: "THINKING_BLOCK_END", block_id: "t1" },
      { type: "TEXT_BLOCK_START", block_id: "b1" },
      { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "Ha" },
      { type: "CUSTOM", name: "reply_recovered", reply_id: "rep_1", value },
      { type: "TEXT_BLOCK_END", block_id: "b1", text: "" },
      { ...MODEL_END, finished_reason: "interrupted" },
      MODEL,
    );
    expect(eventsOf(frames.filter(({ seq }) => seq >= 8))).toEqual([
      { type: "TEXT_MESSAGE_END", messageId: "b1" },
      { type: "STEP_FINISHED", stepName: "model_call:1" },
      {
        type: "MESSAGES_SNAPSHOT",
        messages: [{ id: "t1", role: "reasoning", content: "" }],
        metadata: {
          "@ag-ui/client": { authoritativeActivityTypes: ["agentscope.data", "agentscope.hint"] },
        },
      },
      { type: "STEP_STARTED", stepName: "model_call:2" },
    ]);
  });

  it("shows the input that was approved instead", async () => {
    const value = { reply_id: "rep_1", tool_call_id: "c1", input: '{"a":1}' };
    const frames = translate(
      START,
      ...call("c1", "f"),
      { type: "CUSTOM", name: "tool_call_edited", reply_id: "rep_1", value },
      { type: "REPLY_END", session_id: "ses_1" },
    );
    const { messages } = await playAgUi(agUiBody(frames.map(({ event }) => event)));
    expect(messages).toEqual([
      {
        id: "calls:c1",
        role: "assistant",
        toolCalls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
    ]);
  });

  it("shows data, hints and a thought's signature", () => {
    const media_type = "image/png";
    const frames = translate(
      START,
      { type: "DATA_BLOCK_START", block_id: "d1", media_type, name: "dot.png" },
      { type: "DATA_BLOCK_DELTA", block_id: "d1", media_type, data: "YQ==" },
      { type: "DATA_BLOCK_END", block_id: "d1" },
      { type: "HINT_BLOCK", block_id: "h1", source: "runtime", hint: "Monday" },
      { type: "THINKING_BLOCK_START", block_id: "t1" },
      { type: "THINKING_BLOCK_END", block_id: "t1", metadata: { signature: "c2ln" } },
    );
    const data = { messageId: "d1", activityType: "agentscope.data" };
    const shown = { mediaType: media_type, name: "dot.png" };
    expect(eventsOf(frames).slice(1)).toEqual([
      { type: "ACTIVITY_SNAPSHOT", ...data, content: shown },
      { type: "ACTIVITY_SNAPSHOT", ...data, content: { ...shown, data: "YQ==" } },
      {
        type: "ACTIVITY_SNAPSHOT",
        messageId: "h1",
        activityType: "agentscope.hint",
        content: { hint: "Monday", source: "runtime" },
      },
      { type: "REASONING_START", messageId: "t1" },
      { type: "REASONING_MESSAGE_START", messageId: "t1", role: "reasoning" },
      { type: "REASONING_MESSAGE_END", messageId: "t1" },
      { type: "REASONING_END", messageId: "t1" },
      {
        type: "REASONING_ENCRYPTED_VALUE",
        subtype: "message",
        entityId: "t1",
        encryptedValue: "c2ln",
      },
    ]);
  });
});
