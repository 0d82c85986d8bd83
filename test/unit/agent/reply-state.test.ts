// Counts of a reply: its rounds, its steps, and the content of its message.
import { describe, expect, it } from "vitest";

import type { EventDraft } from "../../../protocol/events.ts";
import { MemoryLog } from "../../support/memory-log.ts";

const reply_id = "rep_1";

const modelCall: EventDraft = { type: "MODEL_CALL_START", reply_id, model_name: "m" };
function modelCallEnd(
  finished_reason: "completed" | "interrupted",
  metadata: Record<string, unknown> = {},
): EventDraft {
  const tokens = { input_tokens: 1, output_tokens: 1 };
  const cached = { cache_input_tokens: 0, cache_creation_input_tokens: 0 };
  return { type: "MODEL_CALL_END", reply_id, ...tokens, ...cached, finished_reason, metadata };
}

function text(block_id: string, delta: string): EventDraft[] {
  return [
    { type: "TEXT_BLOCK_START", reply_id, block_id },
    { type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta },
    { type: "TEXT_BLOCK_END", reply_id, block_id, text: null },
  ];
}

function call(tool_call_id: string, delta: string): EventDraft[] {
  return [
    { type: "TOOL_CALL_START", reply_id, tool_call_id, tool_call_name: "look" },
    { type: "TOOL_CALL_DELTA", reply_id, tool_call_id, delta },
    { type: "TOOL_CALL_END", reply_id, tool_call_id },
  ];
}

function result(tool_call_id: string, ...deltas: readonly EventDraft[]): EventDraft[] {
  return [
    { type: "TOOL_RESULT_START", reply_id, tool_call_id, tool_call_name: "look" },
    ...deltas,
    { type: "TOOL_RESULT_END", reply_id, tool_call_id, state: "success" },
  ];
}

function resultText(tool_call_id: string, delta: string): EventDraft {
  return { type: "TOOL_RESULT_TEXT_DELTA", reply_id, tool_call_id, delta };
}

function resultData(tool_call_id: string, part: { data: string } | { url: string }): EventDraft {
  const media = { data: null, url: null, media_type: "image/png", ...part };
  return { type: "TOOL_RESULT_DATA_DELTA", reply_id, tool_call_id, block_id: "d", ...media };
}

function takenBack(taken: {
  readonly blocks?: readonly string[];
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
}): EventDraft {
  const value = {
    reply_id,
    discard_block_ids: taken.blocks ?? [],
    discard_tool_call_ids: taken.calls ?? [],
    discard_tool_result_ids: taken.results ?? [],
  };
  return { type: "CUSTOM", name: "reply_recovered", reply_id, value };
}

function stateAfter(...drafts: readonly EventDraft[]) {
  const log = new MemoryLog();
  log.append(drafts);
  return log.state;
}

describe("the rounds and steps of a reply", () => {
  it("are a model call that calls nothing, or one with the results of all its calls", () => {
    const turn = [modelCall, ...call("c1", "{}"), ...call("c2", "{}"), modelCallEnd("completed")];
    const counted = [
      stateAfter(modelCall, ...text("t", "Hi"), modelCallEnd("completed")),
      stateAfter(...turn),
      stateAfter(...turn, ...result("c1")),
      stateAfter(...turn, ...result("c1"), ...result("c2")),
    ].map(({ iterations, completed_steps }) => [iterations, completed_steps]);

    expect(counted).toEqual([
      [1, 1],
      [0, 1],
      [0, 2],
      [1, 3],
    ]);
  });

  it("count a model that was given up, and not one that was taken back to be called again", () => {
    const back = takenBack({});
    const failed = [
      stateAfter(modelCall, modelCallEnd("interrupted")),
      stateAfter(modelCall, back, modelCallEnd("interrupted")),
      stateAfter(modelCall, back, modelCallEnd("interrupted", { attempts: 4 })),
    ].map((state) => [state.failed_model_calls, state.is_model_call_open, state.completed_steps]);

    expect(failed).toEqual([
      [1, false, 0],
      [0, false, 0],
      [1, false, 0],
    ]);
  });
});

describe("the characters that a message holds", () => {
  const turn = [
    modelCall,
    ...text("t", "four"),
    ...call("c1", '{"a":1}'),
    modelCallEnd("completed"),
  ];
  const whole = [
    ...turn,
    { type: "TOOL_RESULT_START", reply_id, tool_call_id: "c1", tool_call_name: "look" },
    resultText("c1", "nine char"),
    resultData("c1", { data: "AAAA" }),
  ] as const satisfies readonly EventDraft[];

  it("are those of its texts, of its calls with their names, and of results with theirs", () => {
    const link = resultData("c1", { url: "https://a.example/" });
    const states = [stateAfter(...turn), stateAfter(...whole), stateAfter(...whole, link)];

    expect(states.map(({ characters }) => characters)).toEqual([15, 32, 50]);
  });

  it("are fewer by what was taken back", () => {
    // The result begins anew: its name stays.
    expect(stateAfter(...whole, takenBack({ results: ["c1"] })).characters).toBe(19);
    expect(
      stateAfter(
        modelCall,
        ...text("t", "four"),
        ...text("u", "word"),
        takenBack({ blocks: ["u"] }),
      ).characters,
    ).toBe(4);
    expect(
      stateAfter(modelCall, ...text("t", "four"), ...call("c1", "{}"), takenBack({ calls: ["c1"] }))
        .characters,
    ).toBe(4);
  });
});
