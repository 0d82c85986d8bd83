// A model that makes more calls at once than anybody needs: what is taken, what it costs, what the model is told.
import { describe, expect, it } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import { MAX_LISTED_TOOL_CHARACTERS, MAX_TURN_CALLS } from "../../../protocol/models/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import type { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

function calls(count: number, name = "echo") {
  return Array.from({ length: count }, (_, index) => ({
    index,
    id: `c${index}`,
    name,
    delta: `{"n":${index}}`,
  }));
}

/** One turn with so many calls, then a last word. */
function caller(count: number, name?: string) {
  return playedModel("m", [{ tool_calls: calls(count, name) }], [{ text: "Done" }]);
}

function idsOf(log: MemoryLog, type: "tool_call" | "tool_result"): string[] {
  return log.state.message.content.flatMap((block) => (block.type === type ? [block.id] : []));
}

function hintsOf(log: MemoryLog): unknown[] {
  return log.state.message.content.filter((block) => block.type === "hint");
}

/** Numbers of events in the appends that held one of this type. */
function appendsWith(log: MemoryLog, type: string): number[] {
  return log.commits.flatMap((end, index) => {
    const events = log.events.slice(log.commits[index - 1] ?? 0, end);
    return events.some((event) => event.type === type) ? [events.length] : [];
  });
}

describe("a turn with more calls than it may have", () => {
  it("has its first calls and no others, each with its result", async () => {
    const ran: number[] = [];
    const echo = { concurrency_safe: true, run: ({ n }: { n: number }) => `${ran.push(n)}` };
    const log = await runScript({
      script: "hi",
      models: [caller(4_000)],
      tools: functionTools({ echo }),
    });

    const first = calls(MAX_TURN_CALLS).map(({ id }) => id);
    expect(idsOf(log, "tool_call")).toEqual(first);
    expect(idsOf(log, "tool_result").toSorted()).toEqual(first.toSorted());
    expect(ran.toSorted((a, b) => a - b)).toEqual([...Array(MAX_TURN_CALLS).keys()]);
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("tells the model so, behind the results", async () => {
    const log = await runScript({ script: "hi", models: [caller(MAX_TURN_CALLS + 1)] });

    expect(hintsOf(log)).toMatchObject([{ source: "call_limit" }]);
    const written = toOpenAiMessages({
      system_prompt: "",
      messages: modelContext([], log.state.message, []),
    });
    expect(written.map(({ role }) => role)).toEqual([
      "assistant",
      ...Array(MAX_TURN_CALLS).fill("tool"),
      "user",
      "assistant",
    ]);
    expect(written.at(-2)?.content).toMatch(/^You made more than 128 calls at once\./);
  });

  it("with as many as it may have is told nothing", async () => {
    const log = await runScript({ script: "hi", models: [caller(MAX_TURN_CALLS)] });

    expect(idsOf(log, "tool_call")).toHaveLength(MAX_TURN_CALLS);
    expect(hintsOf(log)).toEqual([]);
  });

  it("keeps the input of calls apart from that of calls which were left out", async () => {
    const model = playedModel(
      "m",
      [
        { tool_calls: calls(MAX_TURN_CALLS) },
        { tool_calls: [{ index: 500, id: "late", name: "echo", delta: '{"late":' }] },
        { tool_calls: [{ index: 500, delta: "1}" }] },
        { tool_calls: [{ index: 127, delta: " " }] },
      ],
      [{ text: "Done" }],
    );
    const log = await runScript({ script: "hi", models: [model] });

    const last = log.state.message.content.filter((block) => block.type === "tool_call").at(-1);
    expect(last).toMatchObject({ id: "c127", input: '{"n":127} ' });
  });
});

describe("calls that a model begins at once", () => {
  it("are begun in one append, each with its own input", async () => {
    const log = await runScript({ script: "hi", models: [caller(100)] });

    expect(appendsWith(log, "TOOL_CALL_START")).toEqual([100]);
    const inputs = log.state.message.content.flatMap((block) =>
      block.type === "tool_call" ? [block.input] : [],
    );
    expect(inputs).toEqual(calls(100).map(({ delta }) => delta));
  });
});

describe("calls that come to nothing", () => {
  it("have their results in one append", async () => {
    const log = await runScript({ script: "hi", models: [caller(100, "nope")] });

    expect(appendsWith(log, "TOOL_RESULT_END")).toEqual([300]);
    expect(log.state.message.content.filter((block) => block.type === "tool_result")).toHaveLength(
      100,
    );
  });

  it("stand before the calls behind them that run", async () => {
    const tools = functionTools({ echo: { concurrency_safe: true, run: () => "ok" } });
    const turn = [...calls(3, "nope"), { ...calls(1)[0]!, index: 3, id: "real" }];
    const model = playedModel("m", [{ tool_calls: turn }], [{ text: "Done" }]);
    const log = await runScript({ script: "hi", models: [model], tools });

    expect(idsOf(log, "tool_result")).toEqual(["c0", "c1", "c2", "real"]);
    expect(appendsWith(log, "TOOL_RESULT_END")).toEqual([9, 1]);
  });

  it("are told the names of the tools as far as they fit", async () => {
    const names = Array.from({ length: 128 }, (_, index) => `tool_${index}`.padEnd(64, "x"));
    const tools = functionTools(Object.fromEntries(names.map((name) => [name, { run: () => "" }])));
    const log = await runScript({ script: "hi", models: [caller(1, "nope")], tools });

    const delta = log.events.find(({ type }) => type === "TOOL_RESULT_TEXT_DELTA");
    const told = names.slice(0, Math.floor(MAX_LISTED_TOOL_CHARACTERS / 64));
    expect(delta).toMatchObject({
      delta: `There is no tool named nope. Tools: ${told.join(", ")} and ${128 - told.length} more.`,
    });
  });

  it("have names of a bounded length", async () => {
    const log = await runScript({ script: "hi", models: [caller(1, "n".repeat(3_000_000))] });

    expect(log.state.message.content[0]).toMatchObject({ name: "n".repeat(256) });
  });
});
