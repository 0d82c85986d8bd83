// Tools with `return_direct`: their results are the answer, and no model is called again.
import { describe, expect, it } from "vitest";

import type { ToolChunk, ToolDeclaration, ToolRunner } from "../../../agent/ports.ts";
import { recoveryEvents } from "../../../agent/recovery/recovery.ts";
import { MAX_DELTA_CHARACTERS } from "../../../protocol/events/limits.ts";
import { MAX_REPLY_CHARACTERS } from "../../../protocol/replies/limits.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { structuredReplyMetadata } from "../../../protocol/schemas/structured-output.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript, type ScriptRun } from "../../support/run-script.ts";

const text = (delta: string): ToolChunk => ({ type: "text", delta });
const FAILED: ToolChunk = { type: "end", state: "error" };

interface Tool extends Partial<ToolDeclaration> {
  readonly chunks: readonly ToolChunk[];
}

function toolsOf(tools: Readonly<Record<string, Tool>>): ToolRunner {
  return {
    tools: Object.entries(tools).map(([name, { chunks: _chunks, ...declared }]) => ({
      name,
      description: "",
      input_schema: { type: "object" },
      read_only: true,
      concurrency_safe: true,
      idempotent: true,
      ...declared,
    })),
    async *run({ name }) {
      yield* tools[name]?.chunks ?? [];
    },
  };
}

const direct = (...chunks: readonly ToolChunk[]): Tool => ({ return_direct: true, chunks });

/** A model that calls these tools at once, and then says that it was called again. */
function run(names: readonly string[], tools: Readonly<Record<string, Tool>>, more = {}) {
  const calls = names.map((name, index) => ({ index, id: `c${index}`, name, delta: "{}" }));
  const model = playedModel("m", [{ tool_calls: calls }], [{ text: "The model again." }]);
  const given: ScriptRun = { script: "go", models: [model], tools: toolsOf(tools), ...more };
  return runScript(given).then((log) => ({ log, calls: model.calls, message: log.state.message }));
}

describe("the successful result of a tool with return_direct", () => {
  it("is the reply's text, in one commit with its end, without another model call", async () => {
    const { log, calls, message } = await run(["look"], {
      look: direct(text("In "), text("Bremen.")),
    });

    expect(calls).toBe(1);
    expect(getTextContent(message)).toBe("In Bremen.");
    expect(message.finished_reason).toBe("completed");
    const [from = 0, to = 0] = log.commits.slice(-2);
    expect(log.events.slice(from, to).map(({ type }) => type)).toEqual([
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "REPLY_END",
    ]);
    expect(log.events.at(-1)?.metadata).toEqual({ return_direct: ["c0"] });
  });

  it("keeps its data, beside the text", async () => {
    const url = "https://shop.example/map.png";
    const { message } = await run(["look"], {
      look: direct(
        text("Here:"),
        { type: "url", media_type: "image/png", url },
        { type: "data", media_type: "image/gif", data: "R0lGODlh" },
      ),
    });

    const answer = message.content.slice(2);
    expect(answer).toMatchObject([
      { type: "text", text: "Here:" },
      { type: "data", source: { type: "url", media_type: "image/png", url } },
      { type: "data", source: { type: "base64", media_type: "image/gif", data: "R0lGODlh" } },
    ]);
    expect(answer.every(({ finished_at }) => finished_at !== null)).toBe(true);
  });

  it("is the answer too when it is empty", async () => {
    const { calls, message } = await run(["look"], { look: direct() });

    expect(calls).toBe(1);
    expect(message.content.map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
    expect(message.finished_reason).toBe("completed");
  });

  it("is written in pieces that fit the log, and cut where the reply has no room", async () => {
    const piece = "x".repeat(1_000_000);
    const chunks = Array.from({ length: 10 }, () => text(piece));
    const { log, calls, message } = await run(["look"], { look: direct(...chunks) });

    const answer = message.content.at(-1);
    expect(calls).toBe(1);
    expect(answer?.type === "text" && answer.text.length).toBeGreaterThan(1_000_000);
    expect(log.state.characters).toBeLessThanOrEqual(MAX_REPLY_CHARACTERS);
    const deltas = log.events.filter((event) => event.type === "TEXT_BLOCK_DELTA");
    expect(Math.max(...deltas.map(({ delta }) => delta.length))).toBe(MAX_DELTA_CHARACTERS);
  });
});

describe("several calls of a turn", () => {
  it("are the answer in their order when all of them return directly", async () => {
    const { calls, message } = await run(["one", "two"], {
      one: direct(text("First.")),
      two: direct(text("Second.")),
    });

    expect(calls).toBe(1);
    expect(message.content.slice(-2)).toMatchObject([{ text: "First." }, { text: "Second." }]);
  });

  it.each([
    ["one of them is of another tool", { two: { chunks: [text("Second.")] } }],
    ["one of them fails", { two: direct(text("No."), FAILED) }],
    ["one of them is of no tool at all", {}],
  ])("go back to the model when %s", async (_title, tools) => {
    const { calls, message } = await run(["one", "two"], { one: direct(text("First.")), ...tools });

    expect(calls).toBe(2);
    expect(getTextContent(message)).toBe("The model again.");
  });
});

describe("the model goes on", () => {
  it("when the tool has failed", async () => {
    const { calls } = await run(["look"], { look: direct(text("Broken."), FAILED) });

    expect(calls).toBe(2);
  });

  it("when the reply has a schema to fill in", async () => {
    const log = new MemoryLog("rep_1", structuredReplyMetadata({ type: "object" }));
    const model = playedModel(
      "m",
      [{ tool_calls: [{ index: 0, id: "c0", name: "look", delta: "{}" }] }],
      [{ tool_calls: [{ index: 0, id: "c1", name: "GenerateStructuredOutput", delta: "{}" }] }],
    );
    await runScript({
      script: "go",
      log,
      models: [model],
      tools: toolsOf({ look: direct(text("In Bremen.")) }),
    });

    expect(model.calls).toBe(2);
    expect(log.state.message).toMatchObject({
      structured_output: {},
      finished_reason: "completed",
    });
    expect(getTextContent(log.state.message)).toBe("{}");
  });
});

describe("in the last round", () => {
  it("the result is the answer: the reply is completed", async () => {
    const { calls, message } = await run(
      ["look"],
      { look: direct(text("In Bremen.")) },
      { max_iters: 1, on_max_iters: "summarize" },
    );

    expect(calls).toBe(1);
    expect(message.finished_reason).toBe("completed");
  });
});

it("a machine that dies at any write leaves one answer", async () => {
  const tools = { look: direct(text("In Bremen.")) };
  const { log: whole } = await run(["look"], tools);
  const cuts = whole.commits.filter((cut) => cut > 1 && cut < whole.events.length);
  for (const cut of cuts) {
    const log = MemoryLog.reopen({ events: whole.events.slice(0, cut) });
    log.append(recoveryEvents(log.state, () => true));
    const { message } = await run(["look"], tools, { log, isRestart: true });
    expect(getTextContent(message)).toBe("In Bremen.");
    expect(message.finished_reason).toBe("completed");
  }
  expect(cuts.length).toBeGreaterThan(5);
});
