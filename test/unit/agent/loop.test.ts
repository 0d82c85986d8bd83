// Sequences H1, H24 and H26 to H28 of the reference, and the order of events inside a model call.
import { describe, expect, it } from "vitest";

import { closeReply } from "../../../agent/state/close-reply.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const MODEL_TEXT = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_DELTA",
  "TEXT_BLOCK_END",
  "MODEL_CALL_END",
];
const MODEL_ONE_CALL = [
  "MODEL_CALL_START",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_END",
  "MODEL_CALL_END",
];
const RESULT = ["TOOL_RESULT_START", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"];

const strictEcho = functionTools({
  echo: {
    input_schema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
    run: ({ text }: { text: string }) => text,
  },
});

function resultState(log: Awaited<ReturnType<typeof runScript>>): unknown {
  const end = log.events.find((event) => event.type === "TOOL_RESULT_END");
  return end?.type === "TOOL_RESULT_END" ? end.state : null;
}

describe("the loop", () => {
  it("H1: answers with text in one round", async () => {
    const log = await runScript({ script: "/say Hello world" });

    expect(log.types).toEqual(["REPLY_START", ...MODEL_TEXT, "REPLY_END"]);
    expect(getTextContent(log.state.message)).toBe("Hello world");
    expect(log.state.message).toMatchObject({ id: "rep_1", finished_reason: "completed" });
    expect(log.state.iterations).toBe(1);
  });

  it("runs a read-only tool and goes on reasoning with its result", async () => {
    const log = await runScript({
      script: '/think I look.\n/call echo {"text":"found"}\n/say Done',
      tools: strictEcho,
    });

    expect(log.types).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_DELTA",
      "THINKING_BLOCK_END",
      "TOOL_CALL_START",
      "TOOL_CALL_DELTA",
      "TOOL_CALL_END",
      "MODEL_CALL_END",
      ...RESULT,
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(log.state.iterations).toBe(2);
    const [, call, result] = log.state.message.content;
    expect(call).toMatchObject({ type: "tool_call", state: "finished", input: '{"text":"found"}' });
    expect(result).toMatchObject({
      type: "tool_result",
      state: "success",
      output: [{ text: "found" }],
    });
  });

  it.each([
    ["an unknown tool", "/call nothing {}", "There is no tool named nothing"],
    ["input that is no JSON", "/call echo ]][", "is not JSON"],
    ["input against the schema", '/call echo {"text":5}', "does not fit its schema"],
    ["a member too many", '/call echo {"text":"x","more":1}', "does not fit its schema"],
  ])("H24: tells the model of %s and goes on", async (_, callLine, reason) => {
    const log = await runScript({ script: `${callLine}\n/say Sorry`, tools: strictEcho });

    expect(log.types).toEqual([
      "REPLY_START",
      ...MODEL_ONE_CALL,
      ...RESULT,
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(resultState(log)).toBe("error");
    const result = log.state.message.content.find((block) => block.type === "tool_result");
    expect(JSON.stringify(result)).toContain(reason);
    expect(log.state.message.content[0]).toMatchObject({ type: "tool_call", state: "finished" });
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("does not run a call whose JSON was cut off", async () => {
    const log = await runScript({ script: '/call echo {"text":"cut\n/say ok', tools: strictEcho });

    const result = log.state.message.content.find((block) => block.type === "tool_result");
    const text =
      "The input of echo is cut off: it ends before its object is closed. It was not run. Call it again with the whole input, or with a shorter one.";
    expect(result).toMatchObject({ state: "error", output: [{ text }] });
  });

  it("takes the empty input of a call without arguments as an empty object", async () => {
    const tools = functionTools({ now: { run: (input) => JSON.stringify(input) } });
    const log = await runScript({ script: "/call now\n/say ok", tools });

    const result = log.state.message.content.find((block) => block.type === "tool_result");
    expect(result).toMatchObject({ state: "success", output: [{ text: "{}" }] });
  });

  it("H26: a tool that throws gives an error result with its text, and the loop goes on", async () => {
    const tools = functionTools({
      broken: {
        run: () => {
          throw new Error("the printer is on fire");
        },
      },
    });
    const log = await runScript({ script: "/call broken {}\n/say Sorry", tools });

    expect(log.types).toEqual([
      "REPLY_START",
      ...MODEL_ONE_CALL,
      ...RESULT,
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    const result = log.state.message.content.find((block) => block.type === "tool_result");
    expect(result).toMatchObject({ state: "error", output: [{ text: "the printer is on fire" }] });
  });

  it("H27: ends with exceed_max_iters when the model never stops calling", async () => {
    const log = await runScript({
      script: '/call echo {"text":"again"}\n/loop',
      tools: strictEcho,
      max_iters: 1,
    });

    expect(log.types).toEqual([
      "REPLY_START",
      ...MODEL_ONE_CALL,
      ...RESULT,
      "EXCEED_MAX_ITERS",
      "REPLY_END",
    ]);
    expect(log.state.message.finished_reason).toBe("exceed_max_iters");
  });

  it("gives the last allowed round to an answer", async () => {
    const script = '/call echo {"text":"once"}\n/say Done';
    const log = await runScript({ script, tools: strictEcho, max_iters: 2 });

    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("H28: thinking alone is no answer, so the model is asked again for one", async () => {
    const models = [playedModel("m", [{ thinking: "Hm." }], [{ text: "Here" }])] as const;
    const log = await runScript({ script: "Hello", models });

    expect(log.types).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_DELTA",
      "CUSTOM",
      "THINKING_BLOCK_END",
      "MODEL_CALL_END",
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(log.state.message).toMatchObject({
      finished_reason: "completed",
      content: [{ type: "text", text: "Here" }],
    });
  });

  it("ends with an error of a fixed text when the model call fails, after what it had said", async () => {
    const log = await runScript({ script: "/say Hel\n/fail setup" });

    expect(log.types).toEqual(["REPLY_START", ...MODEL_TEXT, "REPLY_END"]);
    expect(log.state.message).toMatchObject({
      finished_reason: "error",
      error: { type: "setup" },
      content: [{ text: "Hel" }],
    });
    const end = log.events.find((event) => event.type === "MODEL_CALL_END");
    expect(end).toMatchObject({ finished_reason: "interrupted", output_tokens: 0 });
  });

  it("sums the usage of all model calls, cached tokens included", async () => {
    const log = await runScript({
      script: '/call echo {"text":"x"}\n/say Done',
      tools: strictEcho,
    });

    const ends = log.events.flatMap((event) => (event.type === "MODEL_CALL_END" ? [event] : []));
    const sum = (key: "input_tokens" | "output_tokens" | "cache_input_tokens") =>
      ends.reduce((total, end) => total + end[key], 0);
    expect(ends).toHaveLength(2);
    expect(ends[1]?.cache_input_tokens).toBeGreaterThan(0);
    expect(log.state.message.usage).toEqual({
      input_tokens: sum("input_tokens"),
      output_tokens: sum("output_tokens"),
      cache_input_tokens: sum("cache_input_tokens"),
      cache_creation_input_tokens: 0,
    });
  });

  it("shows the model what a person sent beside text", async () => {
    const log = await runScript({
      script: [
        {
          type: "data",
          id: "d1",
          source: { type: "base64", data: "YQ==", media_type: "image/png" },
          name: null,
          created_at: "T",
          finished_at: null,
        },
      ],
    });

    expect(getTextContent(log.state.message)).toContain("image/png");
  });

  it("parks on a call that a person has to allow, without a result", async () => {
    const tools = functionTools({ refund: { read_only: false, run: () => "refunded" } });
    const log = await runScript({ script: "/call refund {}\n/say Done", tools });

    expect(log.types).toEqual(["REPLY_START", ...MODEL_ONE_CALL, "REQUIRE_USER_CONFIRM"]);
    expect(log.parked).toBe("awaiting_permission");
    expect(log.state.message.content[0]).toMatchObject({
      state: "asking",
      suggested_rules: [
        { tool_name: "refund", rule_content: null, behavior: "allow", source: "suggested" },
      ],
    });
  });

  it("H25: tells the model of a call that a rule denies", async () => {
    const tools = functionTools({ refund: { read_only: false, run: () => "refunded" } });
    const rule = {
      tool_name: "refund",
      rule_content: null,
      behavior: "deny",
      source: "agent",
    } as const;
    const log = await runScript({
      script: "/call refund {}\n/say Sorry",
      tools,
      permission: { mode: "bypass", rules: [rule], working_directories: [] },
    });

    expect(resultState(log)).toBe("denied");
    expect(log.state.message.finished_reason).toBe("completed");
  });
});

describe("closing a reply", () => {
  it("says of a call that had been started that its outcome is unknown, and of no other", () => {
    const log = new MemoryLog();
    const reply_id = "rep_1";
    log.append([{ type: "MODEL_CALL_START", reply_id, model_name: "m" }]);
    for (const tool_call_id of ["started", "waiting"]) {
      log.append([{ type: "TOOL_CALL_START", reply_id, tool_call_id, tool_call_name: "refund" }]);
    }
    log.append([
      { type: "TOOL_RESULT_START", reply_id, tool_call_id: "started", tool_call_name: "refund" },
    ]);
    log.append(closeReply(log.state, { session_id: "ses_1", finished_reason: "interrupted" }));

    const results = log.state.message.content.filter((block) => block.type === "tool_result");
    expect(
      results.map(({ id, state, output }) => [
        id,
        state,
        JSON.stringify(output).includes("its outcome is unknown"),
      ]),
    ).toEqual([
      ["started", "interrupted", true],
      ["waiting", "interrupted", false],
    ]);
  });
});
