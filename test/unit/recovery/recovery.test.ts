// Recovery as a pure decision: what is said first, and what happens then.
import { describe, expect, it } from "vitest";

import { recover, type RecoveryJournal } from "../../../agent/recovery/recovery.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { MemoryLog } from "../../support/memory-log.ts";

const reply_id = "rep_1";
const NOTHING: RecoveryJournal = {
  attempts: 0,
  attempts_without_progress: 0,
  steps_at_recovery: 0,
  retry_at: null,
  ran_ms: 0,
  max_run_ms: 60_000,
};
const CIRCUMSTANCES = {
  isRepeatable: (name: string) => name === "safe",
  nowMs: 1_000_000,
  random: 0,
};

function logOf(...drafts: readonly EventDraft[]): MemoryLog {
  const log = new MemoryLog();
  log.append(drafts);
  return log;
}

function recoverLog(log: MemoryLog, journal: Partial<RecoveryJournal> = {}) {
  return recover(log.state, { ...NOTHING, ...journal }, CIRCUMSTANCES);
}

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

function text(block_id: string, delta: string): EventDraft[] {
  return [
    { type: "TEXT_BLOCK_START", reply_id, block_id },
    { type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta },
  ];
}

function call(tool_call_id: string, tool_call_name: string): EventDraft[] {
  return [
    { type: "TOOL_CALL_START", reply_id, tool_call_id, tool_call_name },
    { type: "TOOL_CALL_DELTA", reply_id, tool_call_id, delta: "{}" },
    { type: "TOOL_CALL_END", reply_id, tool_call_id },
  ];
}

function started(tool_call_id: string, tool_call_name: string, delta?: string): EventDraft[] {
  const start: EventDraft = { type: "TOOL_RESULT_START", reply_id, tool_call_id, tool_call_name };
  return delta === undefined
    ? [start]
    : [start, { type: "TOOL_RESULT_TEXT_DELTA", reply_id, tool_call_id, delta }];
}

function recovered(blocks: string[], calls: string[], results: string[]): EventDraft {
  const value = {
    reply_id,
    discard_block_ids: blocks,
    discard_tool_call_ids: calls,
    discard_tool_result_ids: results,
  };
  return { type: "CUSTOM", name: "reply_recovered", reply_id, value };
}

const INTERRUPTED: EventDraft = {
  type: "MODEL_CALL_END",
  reply_id,
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
  finished_reason: "interrupted",
};

describe("a model call that was open", () => {
  it("is taken back with the blocks that had ended, and what was open is ended with nothing", () => {
    const log = logOf(
      { type: "HINT_BLOCK", reply_id, block_id: "before", source: "runtime", hint: "Monday" },
      modelCall,
      { type: "THINKING_BLOCK_START", reply_id, block_id: "t" },
      { type: "THINKING_BLOCK_END", reply_id, block_id: "t" },
      ...text("a", "It is"),
      { type: "HINT_BLOCK", reply_id, block_id: "h", source: "model", hint: "no images" },
      { type: "DATA_BLOCK_START", reply_id, block_id: "d", media_type: "image/png", name: null },
      ...call("c1", "safe"),
      { type: "TOOL_CALL_START", reply_id, tool_call_id: "c2", tool_call_name: "safe" },
    );

    const { events, next } = recoverLog(log);

    expect(events).toEqual([
      recovered(["t", "a", "h", "d"], ["c1", "c2"], []),
      { type: "TEXT_BLOCK_END", reply_id, block_id: "a", text: "" },
      { type: "TOOL_CALL_END", reply_id, tool_call_id: "c2" },
      { type: "DATA_BLOCK_END", reply_id, block_id: "d" },
      INTERRUPTED,
    ]);
    expect(next).toEqual({ type: "run" });
    log.append(events);
    expect(log.state.message.content).toMatchObject([{ type: "hint", id: "before" }]);
    expect(log.state).toMatchObject({
      is_model_call_open: false,
      failed_model_calls: 0,
      iterations: 0,
      completed_steps: 0,
      characters: "Monday".length,
    });
  });

  it("is taken back when it had said nothing, and is not counted as a model's failure", () => {
    const log = logOf(modelCall);

    const { events } = recoverLog(log);

    expect(events).toEqual([recovered([], [], []), INTERRUPTED]);
    log.append(events);
    expect(log.state).toMatchObject({ is_model_call_open: false, failed_model_calls: 0 });
  });

  it("is not taken back a second time by a crash right after its recovery", () => {
    const log = logOf(modelCall, ...text("a", "It is"));
    log.append(recoverLog(log).events);

    expect(recoverLog(log).events).toEqual([]);
  });
});

describe("calls that had been started", () => {
  const ENDED = { type: "TOOL_RESULT_END", reply_id, tool_call_id: "c2", state: "error" };

  it("go back to their start when their tool is idempotent, and else end with an unknown outcome", () => {
    const log = logOf(
      modelCall,
      ...call("c1", "safe"),
      ...call("c2", "refund"),
      ...call("c3", "refund"),
      modelCallEnd,
      ...started("c1", "safe", "half"),
      ...started("c2", "refund", "half"),
    );

    const { events } = recoverLog(log);

    expect(events).toEqual([
      recovered([], [], ["c1", "c2"]),
      {
        type: "TOOL_RESULT_TEXT_DELTA",
        reply_id,
        tool_call_id: "c2",
        delta:
          "The connection to this tool was lost while it ran, so its outcome is unknown: it may have taken effect. Find out before you call it again.",
      },
      { ...ENDED, metadata: { outcome: "unknown" } },
    ]);
    log.append(events);
    expect(log.state.message.content).toMatchObject([
      { type: "tool_call", id: "c1", state: "pending" },
      { type: "tool_call", id: "c2", state: "finished" },
      { type: "tool_call", id: "c3", state: "pending" },
      { type: "tool_result", id: "c1", state: "running", output: [] },
      { type: "tool_result", id: "c2", state: "error", output: [{ type: "text" }] },
    ]);
  });

  it("that somebody outside runs, or that a person is asked about, stay as they are", () => {
    const log = logOf(
      modelCall,
      ...call("c1", "label"),
      ...call("c2", "refund"),
      modelCallEnd,
      ...started("c1", "label"),
      { type: "REQUIRE_EXTERNAL_EXECUTION", reply_id, tool_calls: [blockOf("c1", "label")] },
      { type: "REQUIRE_USER_CONFIRM", reply_id, tool_calls: [blockOf("c2", "refund")] },
    );

    expect(recoverLog(log)).toMatchObject({ events: [], next: { type: "run" } });
  });
});

describe("budgets and back-off", () => {
  const log = logOf(modelCall);

  it("counts restarts, and anew those without progress when a step was completed", () => {
    const before = { attempts: 7, attempts_without_progress: 3 };
    const further = logOf(modelCall, ...text("a", "Hi"), modelCallEnd, modelCall);

    expect(recoverLog(log, before)).toMatchObject({ attempts: 8, attempts_without_progress: 4 });
    expect(recoverLog(further, before)).toMatchObject({
      attempts: 8,
      attempts_without_progress: 1,
      next: { type: "run" },
    });
    expect(recoverLog(further, { ...before, steps_at_recovery: 1 })).toMatchObject({
      attempts_without_progress: 4,
    });
  });

  it.each([
    [0, 0],
    [1, 500],
    [2, 1_000],
    [3, 2_000],
    [8, 30_000],
    [9, 30_000],
  ])("after %d restarts without progress waits %d ms", (attempts_without_progress, waitMs) => {
    const { next } = recoverLog(log, { attempts_without_progress });

    expect(next).toEqual(
      waitMs === 0 ? { type: "run" } : { type: "wait", untilMs: 1_000_000 + waitMs },
    );
  });

  it("waits between the half and the whole of its back-off, as chance has it", () => {
    const journal = { ...NOTHING, attempts_without_progress: 3 };
    const waits = [0, 0.5, 1].map((random) => {
      const { next } = recover(log.state, journal, { ...CIRCUMSTANCES, random });
      return next.type === "wait" ? next.untilMs - CIRCUMSTANCES.nowMs : next.type;
    });

    expect(waits).toEqual([2_000, 3_000, 4_000]);
  });

  it("goes on with the last restarts that it has", () => {
    expect([
      recoverLog(log, { attempts: 99 }).next,
      recoverLog(log, { attempts_without_progress: 9 }).next.type,
      recoverLog(log, { ran_ms: 59_999 }).next,
    ]).toEqual([{ type: "run" }, "wait", { type: "run" }]);
  });

  it("waits at least for as long as the provider has asked for", () => {
    expect(recoverLog(log, { retry_at: 1_020_000 }).next).toEqual({
      type: "wait",
      untilMs: 1_020_000,
    });
    expect(recoverLog(log, { retry_at: 999_999 }).next).toEqual({ type: "run" });
  });

  it("waits no longer than a provider may ask for, when the clock was set back since", () => {
    expect(recoverLog(log, { retry_at: 90_000_000 }).next).toEqual({
      type: "wait",
      untilMs: 1_066_000,
    });
  });

  it.each([
    ["attempts", { attempts_without_progress: 10 }],
    ["attempts", { attempts: 100 }],
    ["time", { ran_ms: 60_000 }],
  ])(
    "ends the reply when its %s are spent: %j, after what has to be taken back",
    (budget, spent) => {
      const { events, next } = recoverLog(log, spent);

      expect(next).toEqual({ type: "end", budget });
      expect(events[0]).toEqual(recovered([], [], []));
    },
  );
});

function blockOf(id: string, name: string) {
  return {
    type: "tool_call" as const,
    id,
    name,
    input: "{}",
    state: "pending" as const,
    suggested_rules: [],
    created_at: "T",
    finished_at: "T",
  };
}
