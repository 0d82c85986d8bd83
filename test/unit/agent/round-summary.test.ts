// `on_max_iters: "summarize"`: what follows the last round of a reply that has no answer yet.
import { describe, expect, it } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import type { Model, ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { recoveryEvents } from "../../../agent/recovery/recovery.ts";
import type { EventOf, LoggedEvent } from "../../../protocol/events.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { structuredReplyMetadata } from "../../../protocol/schemas/structured-output.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { failure, playedModel } from "../../support/played-model.ts";
import { runScript, type ScriptRun } from "../../support/run-script.ts";

const CALL: readonly ModelChunk[] = [
  { tool_calls: [{ index: 0, id: "", name: "look", delta: "{}" }] },
];
const SUMMARY: readonly ModelChunk[] = [{ text: "I looked twice." }];

/** A model that keeps the requests it gets, and a tool that counts its runs. */
function desk(...calls: readonly (readonly ModelChunk[])[]) {
  const played = playedModel("m", ...calls);
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: "m",
    stream(request, stop) {
      requests.push(request);
      return played.stream(request, stop);
    },
  };
  let runs = 0;
  const tools = functionTools({ look: { run: () => `look ${(runs += 1)}` } });
  return { requests, model, tools, runs: () => runs };
}

function summarise(
  { model, tools }: Pick<ReturnType<typeof desk>, "model" | "tools">,
  run: Partial<ScriptRun> = {},
): Promise<MemoryLog> {
  const two = { script: "go", max_iters: 2, on_max_iters: "summarize" } as const;
  return runScript({ ...two, models: [model], tools, ...run });
}

function endOf({ events }: MemoryLog): EventOf<"REPLY_END"> {
  const end = events.at(-1);
  if (end?.type !== "REPLY_END") throw new Error("the reply has not ended");
  return end;
}

function hintsIn({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "hint" ? (block.source ?? "") : [])),
  );
}

describe("a reply that may sum up after its last round", () => {
  it("does so in one call that may call no tool, and ends as exceed_max_iters", async () => {
    const stage = desk(CALL, CALL, SUMMARY);
    const log = await summarise(stage);

    expect(getTextContent(log.state.message)).toBe("I looked twice.");
    expect(endOf(log)).toMatchObject({ finished_reason: "exceed_max_iters", error: null });
    expect(endOf(log).metadata).toEqual({});
    expect(log.types.slice(-7)).toEqual(
      [
        "HINT_BLOCK",
        "MODEL_CALL_START",
        "TEXT_BLOCK_START",
        "TEXT_BLOCK_DELTA",
        "TEXT_BLOCK_END",
        "MODEL_CALL_END",
        "EXCEED_MAX_ITERS",
        "REPLY_END",
      ].slice(-7),
    );
    expect(stage.requests.map(({ options }) => options)).toEqual([
      undefined,
      undefined,
      { tool_choice: "none" },
    ]);
    expect(stage.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["look"],
      ["look"],
      ["look"],
    ]);
    expect(stage.requests.map(hintsIn)).toEqual([[], [], ["max_iters"]]);
  });

  it("ends as completed when it has answered within its rounds", async () => {
    const stage = desk(CALL, SUMMARY);
    const log = await summarise(stage);

    expect(endOf(log).finished_reason).toBe("completed");
    expect(stage.requests.map(hintsIn)).toEqual([[], []]);
  });

  it("makes no call more when it may not", async () => {
    const stage = desk(CALL, CALL, SUMMARY);
    const log = await summarise(stage, { on_max_iters: "stop" });

    expect(endOf(log).finished_reason).toBe("exceed_max_iters");
    expect(stage.requests).toHaveLength(2);
  });

  it("runs no call that the model makes instead, and gives each a result", async () => {
    const stage = desk(CALL, CALL, [...SUMMARY, ...CALL, ...CALL]);
    const log = await summarise(stage);

    const results = log.state.message.content.filter((block) => block.type === "tool_result");
    expect(results.map(({ state }) => state)).toEqual(["success", "success", "interrupted"]);
    expect(JSON.stringify(results.at(-1)?.output)).toContain(
      "The reply reached its limit of rounds before this call was finished.",
    );
    expect(stage.runs()).toBe(2);
    expect(stage.requests).toHaveLength(3);
    expect(getTextContent(log.state.message)).toBe("I looked twice.");
    expect(endOf(log).finished_reason).toBe("exceed_max_iters");
  });

  it("ends without a summary, and says why, when that call fails", async () => {
    const stage = desk(CALL, CALL, failure("invalid_request"));
    const log = await summarise(stage);

    expect(endOf(log)).toMatchObject({
      finished_reason: "exceed_max_iters",
      error: null,
      metadata: { summary_error: { type: "invalid_request" } },
    });
    expect(log.state.message.error).toBe(null);
  });

  it("is summed up by the fallback model when the first one fails", async () => {
    const stage = desk(CALL, CALL, failure("invalid_request"));
    const fallback = playedModel("fallback", SUMMARY);
    const log = await summarise(stage, { models: [stage.model, fallback] });

    expect(getTextContent(log.state.message)).toBe("I looked twice.");
    expect(endOf(log)).toMatchObject({ finished_reason: "exceed_max_iters", metadata: {} });
    expect(fallback.calls).toBe(1);
  });

  it("calls no model when its budget is spent, and does not fail for that", async () => {
    const used = {
      usage: {
        input_tokens: 60,
        output_tokens: 0,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    };
    const stage = desk([...CALL, used], [...CALL, used], SUMMARY);
    const log = await summarise(stage, { max_tokens: 100 });

    expect(stage.requests).toHaveLength(2);
    expect(endOf(log)).toMatchObject({
      finished_reason: "exceed_max_iters",
      metadata: { budget: "tokens", summary_error: { type: "unknown" } },
    });
  });

  it("calls no model when a quota is used up, and does not fail for that", async () => {
    const stage = desk(CALL, CALL, SUMMARY);
    let checks = 0;
    const quota = {
      check: async () => ((checks += 1) > 2 ? { quota: "tokens_per_day" } : null),
      wait: () => undefined,
    };
    const log = await summarise(stage, { quota });

    expect(stage.requests).toHaveLength(2);
    expect(endOf(log)).toMatchObject({
      finished_reason: "exceed_max_iters",
      metadata: { quota: "tokens_per_day", summary_error: { type: "quota_exceeded" } },
    });
  });

  it("waits for a quota where its agent lets it, and sums up then", async () => {
    const stage = desk(CALL, CALL, SUMMARY);
    let checks = 0;
    let waits = 0;
    const quota = {
      check: async () => ((checks += 1) === 3 ? { quota: "tokens_per_day" } : null),
      wait: () => void (waits += 1),
    };
    const waiting = await summarise(stage, { quota, on_limit: "park" });
    const { finished_reason } = waiting.state.message;
    const log = await summarise(stage, { quota, on_limit: "park", log: waiting });

    expect([finished_reason, waits, stage.requests.length]).toEqual([null, 1, 3]);
    expect(stage.requests.map(hintsIn)).toEqual([[], [], ["max_iters"]]);
    expect(getTextContent(log.state.message)).toBe("I looked twice.");
    expect(endOf(log)).toMatchObject({ finished_reason: "exceed_max_iters", metadata: {} });
  });

  it("whose model never ends its summary stops at the output limit", async () => {
    const stage = desk(CALL, CALL, Array(14).fill({ text: "x".repeat(1_000_000) }));
    const log = await summarise(stage);

    expect(endOf(log)).toMatchObject({
      finished_reason: "exceed_max_iters",
      metadata: { budget: "output", summary_error: { type: "output_limit" } },
    });
  });

  it("of structured output has its extra rounds, and no summary", async () => {
    const stage = desk(CALL);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const log = await summarise(stage, {
      log: new MemoryLog("rep_1", structuredReplyMetadata(schema)),
    });

    expect(stage.requests).toHaveLength(2 + 5);
    expect(stage.requests.slice(2).map(({ tool_choice }) => tool_choice)).toEqual(
      Array(5).fill("GenerateStructuredOutput"),
    );
    expect(stage.requests.flatMap(hintsIn)).not.toContain("max_iters");
    expect(endOf(log).finished_reason).toBe("exceed_max_iters");
  });

  it("shows the hint to no later reply", async () => {
    const { message } = (await summarise(desk(CALL, CALL, SUMMARY))).state;

    const later = modelContext([message], new MemoryLog("rep_2").state.message, []);

    expect(later.flatMap(({ content }) => content).filter(({ type }) => type === "hint")).toEqual(
      [],
    );
    expect(getTextContent(later[0]!)).toBe("I looked twice.");
  });
});

describe("a reply whose machine dies", () => {
  /** Continues the log from each of its commits, as recovery does. */
  async function continued(
    calls: readonly (readonly ModelChunk[])[],
    events: readonly LoggedEvent[],
    cut: number,
  ) {
    const log = MemoryLog.reopen({ events: events.slice(0, cut) });
    log.append(recoveryEvents(log.state));
    // The calls that have ended are not made again.
    const made = log.events.filter(
      ({ type, ...event }) =>
        type === "MODEL_CALL_END" &&
        (event as { finished_reason?: string }).finished_reason === "completed",
    ).length;
    const stage = desk(...calls.slice(Math.min(made, calls.length - 1)));
    await summarise(stage, { log, isRestart: true });
    return { log, stage };
  }

  it.each([
    ["says its summary", SUMMARY],
    ["calls a tool instead", [...SUMMARY, ...CALL]],
  ])("at any write of it %s once", async (_title, last) => {
    const calls = [CALL, CALL, last];
    const whole = await summarise(desk(...calls));
    const cuts = whole.commits.filter((cut) => cut > 1 && cut < whole.events.length);
    const outcomes = await Promise.all(cuts.map((cut) => continued(calls, whole.events, cut)));

    expect(cuts.length).toBeGreaterThan(15);
    for (const { log, stage } of outcomes) {
      const { message } = log.state;
      const hints = message.content.filter(({ type }) => type === "hint");
      const open = message.content.filter(
        (block) => block.type === "tool_call" && block.state !== "finished",
      );
      expect(getTextContent(message)).toBe("I looked twice.");
      expect([hints.length, open.length]).toEqual([1, 0]);
      expect(endOf(log).finished_reason).toBe("exceed_max_iters");
      expect(log.types.filter((type) => type === "EXCEED_MAX_ITERS")).toHaveLength(1);
      expect(stage.runs()).toBeLessThanOrEqual(2);
    }
  });
});
