// The text of a reply after an interrupt: nothing, a fixed text, or a remark of its model.
import { describe, expect, it } from "vitest";

import { interruptReply } from "../../../agent/loop/interrupt-reply.ts";
import { modelContext } from "../../../agent/loop/model-context.ts";
import { nextStep } from "../../../agent/loop/next-step.ts";
import type { Model, ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { recoveryEvents } from "../../../agent/recovery/recovery.ts";
import { closeReply } from "../../../agent/state/close-reply.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { OnInterrupt } from "../../../protocol/agents/on-interrupt.ts";
import type { EventDraft, EventOf } from "../../../protocol/events.ts";
import { MAX_INTERRUPT_REMARK_CHARACTERS } from "../../../protocol/replies/limits.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { failure, playedModel } from "../../support/played-model.ts";
import { runScript, type ScriptRun } from "../../support/run-script.ts";

const reply_id = "rep_1";
const MODEL: OnInterrupt = { type: "model" };

/** A reply in the middle of a model call that has made one call. */
const OPEN: readonly EventDraft[] = [
  { type: "MODEL_CALL_START", reply_id, model_name: "m" },
  { type: "TEXT_BLOCK_START", reply_id, block_id: "t" },
  { type: "TEXT_BLOCK_DELTA", reply_id, block_id: "t", delta: "I look" },
  { type: "TOOL_CALL_START", reply_id, tool_call_id: "c1", tool_call_name: "look" },
];

function interrupted(on_interrupt: OnInterrupt | undefined, drafts = OPEN): MemoryLog {
  const log = new MemoryLog();
  log.append(drafts);
  let ids = 0;
  const newId = () => `blk_i${(ids += 1)}`;
  log.append(interruptReply(log.state, { session_id: "ses_1", on_interrupt, newId }));
  return log;
}

function endOf({ events }: MemoryLog): EventOf<"REPLY_END"> {
  const ends = events.filter((event) => event.type === "REPLY_END");
  if (ends.length !== 1 || !ends[0]) throw new Error(`the reply has ${ends.length} ends`);
  return ends[0];
}

/** Makes the remark of an interrupted reply. */
async function remark(chunks: readonly ModelChunk[], run: Partial<ScriptRun> = {}) {
  const requests: ModelRequest[] = [];
  const played = playedModel("m", chunks);
  const model: Model = {
    name: "m",
    stream(request, stop) {
      requests.push(request);
      return played.stream(request, stop);
    },
  };
  let runs = 0;
  const tools = functionTools({ look: { run: () => `look ${(runs += 1)}` } });
  const log = run.log ?? interrupted(MODEL);
  const limit = new AbortController();
  await runScript({ script: "go", models: [model], tools, remark: limit, ...run, log });
  return { log, requests, limit, runs, text: getTextContent(log.state.message) };
}

describe("an interrupt", () => {
  it("closes what is open and ends the reply, when nothing is to be said", () => {
    for (const on_interrupt of [undefined, { type: "none" }] as const) {
      const log = interrupted(on_interrupt);

      expect(log.types.slice(5)).toEqual([
        "TEXT_BLOCK_END",
        "TOOL_CALL_END",
        "MODEL_CALL_END",
        "TOOL_RESULT_START",
        "TOOL_RESULT_TEXT_DELTA",
        "TOOL_RESULT_END",
        "REPLY_END",
      ]);
      expect(endOf(log).finished_reason).toBe("interrupted");
    }
  });

  it("says its text behind the results of the calls, in the same commit", () => {
    const log = interrupted({ type: "text", text: "I have stopped." });

    expect(log.types.slice(-6)).toEqual([
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "REPLY_END",
    ]);
    expect(log.commits).toHaveLength(3);
    expect(log.state.message.content.at(-1)).toMatchObject({ text: "I have stopped." });
    expect(log.state.message.finished_reason).toBe("interrupted");
  });

  it("leaves the reply open for the model alone: its calls have their results", () => {
    const log = interrupted(MODEL);

    expect(log.types.slice(5)).toEqual([
      "CUSTOM",
      "TEXT_BLOCK_END",
      "TOOL_CALL_END",
      "MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "HINT_BLOCK",
    ]);
    expect(log.state).toMatchObject({
      is_interrupted: true,
      is_model_call_open: false,
      failed_model_calls: 0,
    });
    expect(log.state.message.finished_reason).toBe(null);
  });

  it("ends the reply at once when it is the second one", () => {
    const log = interrupted(MODEL);
    const newId = () => "blk_x";
    const again = interruptReply(log.state, { session_id: "ses_1", on_interrupt: MODEL, newId });

    expect(again.map(({ type }) => type)).toEqual(["REPLY_END"]);
    expect(again).toMatchObject([{ finished_reason: "interrupted" }]);
  });
});

describe("the model's remark", () => {
  it("is the reply's last text, of one call that may call no tool", async () => {
    const { log, requests, text } = await remark([
      { text: "Stopped. " },
      { text: "Nothing sent." },
    ]);

    expect(text).toBe("I look\nStopped. Nothing sent.");
    expect(endOf(log)).toMatchObject({ finished_reason: "interrupted", error: null, metadata: {} });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ options: { tool_choice: "none" } });
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
    expect(requests[0]?.messages.at(-1)?.content.at(-1)).toMatchObject({
      type: "hint",
      source: "interrupt",
    });
  });

  it("follows the agent's own instructions", async () => {
    const log = interrupted({ type: "model", instructions: "Say sorry." });
    const { requests } = await remark([{ text: "Sorry." }], { log });

    expect(requests[0]?.messages.at(-1)?.content.at(-1)).toMatchObject({ hint: "Say sorry." });
  });

  it("comes from the model that the reply was with, not from its fallback", async () => {
    const fallback = playedModel("fallback", [{ text: "Fallback." }]);
    const first = playedModel("m", [{ text: "Stopped." }]);
    const { text } = await remark([], { models: [first, fallback] });

    expect(text).toBe("I look\nStopped.");
    expect(fallback.calls).toBe(0);
  });

  it("has no calls, data or thoughts, whatever the model sends", async () => {
    const { log, text, runs } = await remark([
      { thinking: "I could go on." },
      { thinking_signature: "proof" },
      { tool_calls: [{ index: 0, id: "c2", name: "look", delta: "{}" }] },
      { data: [{ index: 0, media_type: "image/png", data: "AAAA" }] },
      { text: "Stopped." },
    ]);

    expect(text).toBe("I look\nStopped.");
    expect(log.state.message.content.map(({ type }) => type)).toEqual([
      "text",
      "tool_call",
      "tool_result",
      "hint",
      "text",
    ]);
    expect(runs).toBe(0);
  });

  it("is left out when the model only makes calls", async () => {
    const calls = [{ tool_calls: [{ index: 0, id: "c2", name: "look", delta: "{}" }] }];
    const { log, requests, runs } = await remark(calls);

    expect(requests).toHaveLength(1);
    expect(runs).toBe(0);
    expect(endOf(log)).toMatchObject({
      finished_reason: "interrupted",
      error: null,
      metadata: { remark_error: { type: "upstream" } },
    });
  });

  it("is cut at its limit, and the model's call stopped", async () => {
    const endless = Array(1_000).fill({ text: "a😀" });
    const { log, limit, text } = await remark(endless);

    const last = log.state.message.content.at(-1);
    expect(last?.type === "text" && last.text.length).toBe(MAX_INTERRUPT_REMARK_CHARACTERS - 1);
    expect(text?.isWellFormed()).toBe(true);
    expect(limit.signal.aborted).toBe(true);
    expect(endOf(log).finished_reason).toBe("interrupted");
  });

  it("is tried once, and its failure is noted", async () => {
    const { log, requests } = await remark(failure("rate_limit"));

    expect(requests).toHaveLength(1);
    expect(endOf(log)).toMatchObject({
      finished_reason: "interrupted",
      error: null,
      metadata: { remark_error: { type: "rate_limit" } },
    });
    expect(log.state.message.error).toBe(null);
  });

  it("keeps what was said when its time is over", async () => {
    const limit = new AbortController();
    const slow: Model = {
      name: "m",
      async *stream() {
        yield { text: "Stopped, " };
        limit.abort();
        yield { text: "but" };
      },
    };
    const { log, text } = await remark([], { models: [slow], remark: limit });

    expect(text).toBe("I look\nStopped, ");
    expect(endOf(log)).toMatchObject({ finished_reason: "interrupted", metadata: {} });
  });

  it("is not asked for without time, tokens or quota", async () => {
    const over = new AbortController();
    over.abort();
    const late = await remark([{ text: "Late." }], { remark: over });
    const spent = { check: async () => ({ quota: "tokens_per_day" }), wait: () => undefined };
    const poor = await remark([{ text: "Late." }], { quota: spent });
    const used: EventDraft = {
      type: "MODEL_CALL_END",
      reply_id,
      input_tokens: 50,
      output_tokens: 50,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
      finished_reason: "completed",
    };
    const log = interrupted(MODEL, [...OPEN.slice(0, 1), used]);
    const dear = await remark([{ text: "Late." }], { log, max_tokens: 100 });

    for (const { requests, log } of [late, poor, dear]) {
      expect(requests).toEqual([]);
      expect(endOf(log).finished_reason).toBe("interrupted");
    }
    expect(endOf(poor.log).metadata).toMatchObject({ remark_error: { type: "quota_exceeded" } });
  });

  it("leaves the log alone once another execution owns the reply", async () => {
    const stop = new AbortController();
    const model: Model = {
      name: "m",
      async *stream() {
        yield { text: "Stopp" };
        stop.abort();
        yield { text: "ed." };
      },
    };
    const limit = new AbortController();
    stop.signal.addEventListener("abort", () => limit.abort());
    const { log } = await remark([], { models: [model], stop: stop.signal, remark: limit });

    expect(log.types).not.toContain("REPLY_END");
    expect(log.state.is_model_call_open).toBe(true);
  });

  it("shows its hint to no later reply", async () => {
    const { log } = await remark([{ text: "Stopped." }]);

    const later = modelContext([log.state.message], new MemoryLog("rep_2").state.message, []);

    expect(later.flatMap(({ content }) => content).map(({ type }) => type)).toEqual([
      "text",
      "tool_call",
      "tool_result",
      "text",
    ]);
  });
});

describe("an interrupted reply", () => {
  it("ends as interrupted, whatever error its execution meets", () => {
    const log = interrupted(MODEL);
    const error = modelError("internal");

    const closing = closeReply(log.state, { session_id: "ses_1", finished_reason: "error", error });

    expect(closing).toMatchObject([
      { finished_reason: "interrupted", error: null, metadata: { remark_error: error } },
    ]);
  });

  it("has no step left that calls a tool or a model, from any write of its remark on", async () => {
    const { log: whole } = await remark([{ text: "Stopped." }]);
    const from = whole.commits[2] ?? 0;
    for (const cut of whole.commits.filter((commit) => commit >= from)) {
      const log = MemoryLog.reopen({ events: whole.events.slice(0, cut) });
      if (log.state.message.finished_reason) continue;
      log.append(recoveryEvents(log.state));
      log.append(closeReply(log.state, { session_id: "ses_1", finished_reason: "interrupted" }));

      expect(log.state.is_interrupted).toBe(true);
      expect(nextStep(log.state, { max_iters: 20, tools: [], requiredTools: [] })).toEqual({
        type: "done",
      });
      expect(endOf(log).finished_reason).toBe("interrupted");
    }
    expect(whole.commits.filter((commit) => commit >= from).length).toBeGreaterThan(4);
  });
});
