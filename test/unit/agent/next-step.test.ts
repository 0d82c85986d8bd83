// The next step of a reply, from the place to which its log has brought it.
import { describe, expect, it } from "vitest";

import { nextStep } from "../../../agent/loop/next-step.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";

const reply_id = "rep_1";
const SETTINGS = {
  max_iters: 5,
  requiredTools: [],
  tools: functionTools({
    beside: { concurrency_safe: true, run: () => "" },
    alone: { concurrency_safe: false, run: () => "" },
  }).tools,
};

const modelCall: EventDraft = { type: "MODEL_CALL_START", reply_id, model_name: "m" };
const modelCallEnd: EventDraft = {
  type: "MODEL_CALL_END",
  reply_id,
  input_tokens: 1,
  output_tokens: 1,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
  finished_reason: "completed",
};
const text: readonly EventDraft[] = [
  { type: "TEXT_BLOCK_START", reply_id, block_id: "t" },
  { type: "TEXT_BLOCK_DELTA", reply_id, block_id: "t", delta: "Hello" },
  { type: "TEXT_BLOCK_END", reply_id, block_id: "t", text: null },
];
const thought: readonly EventDraft[] = [
  { type: "THINKING_BLOCK_START", reply_id, block_id: "h" },
  { type: "THINKING_BLOCK_DELTA", reply_id, block_id: "h", delta: "Well" },
  { type: "THINKING_BLOCK_END", reply_id, block_id: "h" },
];
const picture: readonly EventDraft[] = [
  { type: "DATA_BLOCK_START", reply_id, block_id: "d", media_type: "image/png", name: null },
  { type: "DATA_BLOCK_END", reply_id, block_id: "d" },
];

function call(tool_call_id: string, tool_call_name: string): EventDraft[] {
  return [
    { type: "TOOL_CALL_START", reply_id, tool_call_id, tool_call_name },
    { type: "TOOL_CALL_DELTA", reply_id, tool_call_id, delta: "{}" },
    { type: "TOOL_CALL_END", reply_id, tool_call_id },
  ];
}

function result(tool_call_id: string, tool_call_name: string): EventDraft[] {
  return [
    { type: "TOOL_RESULT_START", reply_id, tool_call_id, tool_call_name },
    { type: "TOOL_RESULT_END", reply_id, tool_call_id, state: "success" },
  ];
}

function stepAfter(...drafts: readonly EventDraft[]) {
  const log = new MemoryLog();
  log.append(drafts);
  const step = nextStep(log.state, SETTINGS);
  return step.type === "run_tools" ? step.calls.map(({ id }) => id) : step;
}

const COMPLETED = { type: "end", finished_reason: "completed" };
const CALL_MODEL = { type: "call_model" };

describe("a reply whose last model call", () => {
  it.each([
    ["said something", text, COMPLETED],
    ["gave a picture alone", picture, COMPLETED],
    ["thought and said something", [...thought, ...text], COMPLETED],
    ["only thought", thought, CALL_MODEL],
    ["said nothing", [], CALL_MODEL],
  ])("%s", (_title, blocks, step) => {
    expect(stepAfter(modelCall, ...blocks, modelCallEnd)).toEqual(step);
  });

  it("said something before it called a tool goes on with the tool's result", () => {
    const turn = [modelCall, ...text, ...call("c1", "alone"), modelCallEnd];

    expect(stepAfter(...turn)).toEqual(["c1"]);
    expect(stepAfter(...turn, ...result("c1", "alone"))).toEqual(CALL_MODEL);
  });

  it("is not at its end yet has said nothing that counts", () => {
    expect(stepAfter(modelCall, ...text)).toEqual(CALL_MODEL);
  });
});

describe("the calls of a turn", () => {
  it.each([
    ["all that may run beside each other", ["beside", "beside", "beside"], 3],
    ["the first alone when it may not", ["alone", "beside", "beside"], 1],
    ["those before the first that may not", ["beside", "beside", "alone", "beside"], 2],
    ["with them calls of tools that are not there", ["ghost", "beside", "ghost", "alone"], 3],
  ])("begin with %s", (_title, names, count) => {
    const ids = names.map((_, index) => `c${index}`);
    const calls = names.flatMap((name, index) => call(`c${index}`, name));

    expect(stepAfter(modelCall, ...calls, modelCallEnd)).toEqual(ids.slice(0, count));
  });
});
