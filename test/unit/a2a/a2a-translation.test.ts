// Events of a reply as updates of its task.
import { describe, expect, it } from "vitest";

import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import type { A2aStreamResponse, A2aTask, A2aTaskState } from "../../../protocol/a2a/wire.ts";
import { A2aTranslator } from "../../../protocol/dialects/a2a/a2a-translator.ts";
import { agUiLog, LOGGED_AT } from "../../support/ag-ui-log.ts";
import { asks, called, results, runs, said } from "../../support/called-log.ts";

const NAMES = { task_id: "rep_1", context_id: "order-7" };
const OWN = { taskId: "rep_1", contextId: "order-7" };
const START = { type: "REPLY_START", session_id: "ses_1", name: "Desk" };

function translate(...events: readonly object[]): {
  readonly updates: readonly A2aStreamResponse[];
  readonly task: A2aTask;
} {
  const translator = new A2aTranslator(NAMES);
  const frames = agUiLog(START, ...events).flatMap((event) => translator.push(event));
  const late = translator.flush();
  const updates = [...frames, ...late].map(({ response }) => response);
  return { updates, task: translator.task() };
}

function at(seq: string, more: object = {}): object {
  return { metadata: { [A2A_EXTENSION]: { seq, ...more } } };
}

function working(seq: string, more: object = {}): A2aStreamResponse {
  const status = { state: "TASK_STATE_WORKING", timestamp: LOGGED_AT } as const;
  return { statusUpdate: { ...OWN, status, ...at(seq, more) } };
}

function artifact(seq: string, id: string, text: string, more: object): A2aStreamResponse {
  const shown = { artifactId: id, parts: [{ text }] };
  return { artifactUpdate: { ...OWN, artifact: shown, ...more, ...at(seq) } };
}

function end(finished_reason: string, error: object | null = null): object {
  return { type: "REPLY_END", session_id: "ses_1", finished_reason, error };
}

function stateOf(update: A2aStreamResponse | undefined): A2aTaskState | undefined {
  return update?.statusUpdate?.status.state;
}

describe("outputs", () => {
  it("are artifacts: text is appended, and its end is said", () => {
    const { updates, task } = translate(...said("blk_1", "Hel", "lo"), end("completed"));
    expect(updates).toEqual([
      working("1.1"),
      artifact("3.1", "blk_1", "Hel", { append: false }),
      artifact("4.1", "blk_1", "lo", { append: true }),
      artifact("5.1", "blk_1", "", { append: true, lastChunk: true }),
      {
        statusUpdate: {
          ...OWN,
          status: { state: "TASK_STATE_COMPLETED", timestamp: LOGGED_AT },
          ...at("6.1"),
        },
      },
    ]);
    expect(task).toEqual({
      id: "rep_1",
      contextId: "order-7",
      status: { state: "TASK_STATE_COMPLETED", timestamp: LOGGED_AT },
      artifacts: [{ artifactId: "blk_1", parts: [{ text: "Hello" }] }],
    });
  });

  it("are sent anew where their end differs from what was said", () => {
    const { updates } = translate(
      { type: "TEXT_BLOCK_START", block_id: "blk_1" },
      { type: "TEXT_BLOCK_DELTA", block_id: "blk_1", delta: "Secret" },
      { type: "TEXT_BLOCK_END", block_id: "blk_1", text: "[redacted]" },
    );
    expect(updates.at(-1)).toEqual(
      artifact("4.1", "blk_1", "[redacted]", { append: false, lastChunk: true }),
    );
  });

  it("are data as a link, or as bytes where they are small, once they are complete", () => {
    const url = "https://platform.example/v1/files/fil_1/content";
    const png = { block_id: "blk_1", media_type: "image/png" };
    const { updates, task } = translate(
      { type: "DATA_BLOCK_START", ...png, name: "map.png" },
      { type: "DATA_BLOCK_DELTA", ...png, url },
      { type: "DATA_BLOCK_END", block_id: "blk_1" },
      { type: "DATA_BLOCK_START", ...png, block_id: "blk_2" },
      { type: "DATA_BLOCK_DELTA", ...png, block_id: "blk_2", data: "aGk=" },
    );
    const link = { url, mediaType: "image/png", filename: "map.png" };
    const shown = { artifactId: "blk_1", name: "map.png", parts: [link] };
    const sent = { artifact: shown, append: false, lastChunk: true };
    expect(updates.slice(1)).toEqual([{ artifactUpdate: { ...OWN, ...sent, ...at("4.1") } }]);
    expect(task.artifacts).toEqual([shown]);
  });

  it("have the structured output as data", () => {
    const output = { total: 7 };
    const value = { reply_id: "rep_1", output };
    const { updates, task } = translate({ type: "CUSTOM", name: "structured_output", value });
    const part = { data: output, mediaType: "application/json" };
    const shown = { artifactId: "structured_output", parts: [part] };
    const sent = { artifact: shown, append: false, lastChunk: true };
    expect(updates.slice(1)).toEqual([{ artifactUpdate: { ...OWN, ...sent, ...at("2.1") } }]);
    expect(task.artifacts).toEqual([shown]);
  });

  it("that a retried call takes back are emptied for readers, and gone from the task", () => {
    const value = { reply_id: "rep_1", discard_block_ids: ["blk_1", "blk_2"] };
    const { updates, task } = translate(
      { type: "TEXT_BLOCK_START", block_id: "blk_1" },
      { type: "TEXT_BLOCK_DELTA", block_id: "blk_1", delta: "Hel" },
      { type: "TEXT_BLOCK_START", block_id: "blk_2" },
      { type: "CUSTOM", name: "reply_recovered", value },
      ...said("blk_3", "Hello"),
    );
    const metadata = { [A2A_EXTENSION]: { discarded: true } };
    const emptied = { artifactId: "blk_1", parts: [{ text: "" }], metadata };
    const sent = { artifact: emptied, append: false, lastChunk: true };
    expect(updates[2]).toEqual({ artifactUpdate: { ...OWN, ...sent, ...at("5.1") } });
    expect(updates[3]).toEqual(artifact("7.1", "blk_3", "Hello", { append: false }));
    expect(task.artifacts).toEqual([{ artifactId: "blk_3", parts: [{ text: "Hello" }] }]);
  });

  it("that a hook changes are sent anew", () => {
    const change = { blocks: [{ id: "blk_1", text: "Changed" }] };
    const value = { reply_id: "rep_1", point: "post_reasoning", change };
    const { updates } = translate(...said("blk_1", "Hello"), {
      type: "CUSTOM",
      name: "hook_answered",
      value,
    });
    expect(updates.at(-1)).toEqual(
      artifact("5.1", "blk_1", "Changed", { append: false, lastChunk: true }),
    );
  });

  it("are neither thoughts, nor hints, nor what tools are given and bring", () => {
    const { updates, task } = translate(
      { type: "HINT_BLOCK", block_id: "hint_1", source: "x", hint: "Monday" },
      { type: "THINKING_BLOCK_START", block_id: "blk_1" },
      { type: "THINKING_BLOCK_DELTA", block_id: "blk_1", delta: "Hm" },
      { type: "THINKING_BLOCK_END", block_id: "blk_1" },
      ...called("call_1", "look"),
      runs("call_1", "look"),
      ...results("call_1", "the result"),
    );
    expect(updates).toEqual([
      working("1.1"),
      working("8.1", { tool_call: { call_id: "call_1", tool: "look", state: "pending" } }),
      working("11.1", { tool_call: { call_id: "call_1", tool: "look", state: "success" } }),
    ]);
    expect(task.artifacts).toBeUndefined();
  });
});

describe("the end of a reply", () => {
  it.each([
    ["completed", "TASK_STATE_COMPLETED", undefined],
    ["interrupted", "TASK_STATE_CANCELED", undefined],
    ["exceed_max_iters", "TASK_STATE_FAILED", "The agent has used up its rounds and stopped."],
    ["error", "TASK_STATE_FAILED", "It failed."],
  ])("that is %s is %s", (reason, state, text) => {
    const error = reason === "error" ? { type: "upstream", message: "It failed." } : null;
    const { updates, task } = translate(end(reason, error));
    const message = text && {
      messageId: "rep_1:end",
      ...OWN,
      role: "ROLE_AGENT",
      parts: [{ text }],
    };
    expect(task.status).toEqual({ state, timestamp: LOGGED_AT, ...(message && { message }) });
    expect(updates.at(-1)).toEqual({ statusUpdate: { ...OWN, status: task.status, ...at("2.1") } });
  });

  it("is followed by nothing", () => {
    const { updates } = translate(end("completed"), ...said("blk_1", "Late"));
    expect(updates).toHaveLength(2);
  });
});

describe("what waits", () => {
  function asked(...events: readonly object[]) {
    const { updates, task } = translate(...events);
    expect(updates.at(-1)?.statusUpdate?.status).toEqual(task.status);
    return { state: task.status.state, message: task.status.message };
  }
  const QUESTION = { call_id: "call_1", tool: "refund", arguments: "{}" };

  function message(questions: readonly object[], text: string): object {
    return {
      messageId: `rep_1:call_1:${questions.length}`,
      ...OWN,
      role: "ROLE_AGENT",
      parts: [
        { text },
        { data: { [A2A_EXTENSION]: { questions } }, mediaType: "application/json" },
      ],
      extensions: [A2A_EXTENSION],
    };
  }

  function external(metadata: object = {}): readonly object[] {
    const call = { type: "tool_call", id: "call_1", name: "refund", input: "{}" };
    const decided = { ...runs("call_1"), metadata: { decision: { behavior: "allow" } } };
    const type = "REQUIRE_EXTERNAL_EXECUTION";
    return [...called("call_1"), decided, { type, tool_calls: [call], metadata }];
  }

  it("for a permission asks in words and for programs", () => {
    const words = "Run refund?";
    expect(asked(...called("call_1"), asks("call_1"))).toEqual({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: message(
        [{ kind: "confirmation", ...QUESTION, message: words, input_hash: "hash" }],
        words,
      ),
    });
  });

  it("for a result from outside says which", () => {
    const words = "The result of refund is awaited.";
    const expires_at = { call_1: "2026-01-02T00:00:00.000Z" };
    const question = { kind: "external_result", ...QUESTION, message: words };
    expect(asked(...external({ expires_at }))).toEqual({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: message([{ ...question, expires_at: expires_at.call_1 }], words),
    });
  });

  it("for a sign-in says where", () => {
    const url = "https://provider.example/sign-in";
    const expires_at = "2026-01-02T00:00:00.000Z";
    const authorization = { connection_id: "con_1", mcp_server_id: "mcp_1", url, expires_at };
    const words = "A sign-in is needed before refund runs.";
    const question = { kind: "sign_in", ...QUESTION, message: words, url, expires_at };
    expect(asked(...external({ authorizations: { call_1: authorization } }))).toEqual({
      state: "TASK_STATE_AUTH_REQUIRED",
      message: message([question], `${words} ${url}`),
    });
  });

  it("for a server's question has its form", () => {
    const requested_schema = { type: "object", properties: { size: { type: "string" } } };
    const requests = { size: { mode: "form", message: "Which size?", requested_schema } };
    const elicitations = { call_1: { server: "shop", round: 1, requests, held: false } };
    const words = "Which size?";
    const question = { kind: "input", ...QUESTION, message: words, schema: requested_schema };
    expect(asked(...external({ elicitations }))).toEqual({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: message([question], words),
    });
  });

  it("ends with its answer, and the task works again", () => {
    const tool_call = { type: "tool_call", id: "call_1", name: "refund", input: "{}" };
    const confirm_results = [{ confirmed: true, tool_call, rules: null }];
    const { updates } = translate(
      ...called("call_1"),
      asks("call_1"),
      { type: "USER_CONFIRM_RESULT", confirm_results },
      runs("call_1"),
      ...results("call_1", "ok"),
      end("completed"),
    );
    expect(updates.map(stateOf)).toEqual([
      "TASK_STATE_WORKING",
      "TASK_STATE_WORKING",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_WORKING",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
  });

  it("leaves out arguments that are too large for a frame, and says so", () => {
    const tool_calls = ["call_1", "call_2"].map((id) => ({
      type: "tool_call",
      id,
      name: "refund",
    }));
    const input = "x".repeat(400_000);
    const ofCall = (id: string) => [
      { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: "refund" },
      { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: input },
      { type: "TOOL_CALL_END", tool_call_id: id },
    ];
    const asksBoth = {
      type: "REQUIRE_USER_CONFIRM",
      tool_calls: tool_calls.map((call) => ({ ...call, input: "" })),
    };
    const { task } = translate(...ofCall("call_1"), ...ofCall("call_2"), asksBoth);
    const data = task.status.message?.parts[1]?.data as Record<string, { questions: object[] }>;
    const common = { kind: "confirmation", tool: "refund", message: "Run `refund`?" };
    expect(data[A2A_EXTENSION]?.questions).toEqual([
      { ...common, call_id: "call_1", arguments: input },
      { ...common, call_id: "call_2", arguments: "", omitted: { bytes: 400_000 } },
    ]);
  });
});
