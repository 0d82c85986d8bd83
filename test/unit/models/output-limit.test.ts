// A model that does not stop: what it may write into a reply, and how the reply ends when that is written.
import { describe, expect, it } from "vitest";

import { isOutputSpent } from "../../../agent/state/budget.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { Model, ModelChunk } from "../../../agent/ports.ts";
import { EVENT_CHARACTERS } from "../../../protocol/events/limits.ts";
import { MAX_TURN_BLOCKS, RESERVED_TEXT_CHARACTERS } from "../../../protocol/models/limits.ts";
import {
  MAX_REPLY_BLOCKS,
  MAX_REPLY_LOG_CHARACTERS,
  MAX_REPLY_CHARACTERS,
} from "../../../protocol/replies/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel, type PlayedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const PIECE = "x".repeat(1_000_000);
const ENDED = {
  finished_reason: "error",
  error: modelError("output_limit"),
};

/** Says the same for ever. `state.stopped` tells that nobody listens any more. */
function endless(...chunks: readonly ModelChunk[]): { model: Model; state: { stopped: boolean } } {
  const state = { stopped: false };
  const model: Model = {
    name: "endless",
    async *stream() {
      try {
        for (let turn = 0; ; turn += 1) {
          for (const chunk of chunks) yield renumbered(chunk, turn);
        }
      } finally {
        state.stopped = true;
      }
    },
  };
  return { model, state };
}

/** A call that says its number begins anew each time. */
function renumbered(chunk: ModelChunk, turn: number): ModelChunk {
  const { tool_calls } = chunk;
  if (!tool_calls?.some(({ name }) => name)) return chunk;
  return { tool_calls: tool_calls.map((call) => ({ ...call, index: call.index + turn })) };
}

const CASES: readonly [string, readonly ModelChunk[]][] = [
  ["text", [{ text: PIECE }]],
  ["thinking", [{ thinking: PIECE }]],
  ["the input of a call", [{ tool_calls: [{ index: 0, delta: PIECE }] }]],
  [
    "calls beyond those that a turn may have",
    [{ tool_calls: [{ index: 0, name: "n", delta: PIECE }] }],
  ],
  ["data", [{ data: [{ index: 0, media_type: "image/png", data: PIECE }] }]],
  ["hints", [{ hint: PIECE }]],
  ["proofs of thoughts", [{ thinking_signature: "s".repeat(60_000) }]],
];

describe("a model that does not stop", () => {
  it.each(CASES)("with %s is stopped, and the reply ends with an error", async (_case, chunks) => {
    const { model, state } = endless(...chunks);
    const spare = playedModel("spare", [{ text: "Me too" }]);
    const log = await runScript({ script: "hi", models: [model, spare] });

    expect(log.state.message).toMatchObject(ENDED);
    expect(log.state.characters).toBeLessThanOrEqual(MAX_REPLY_CHARACTERS);
    expect(state.stopped).toBe(true);
    expect(spare.calls).toBe(0);
  });

  it("leaves blocks that are whole, in one append with the reply's end", async () => {
    const chunk: ModelChunk = { thinking: "Hm." };
    const { model } = endless(
      chunk,
      { text: PIECE },
      { tool_calls: [{ index: 0, name: "n", delta: "{}" }] },
    );
    const log = await runScript({ script: "hi", models: [model] });

    expect(log.state.message.content.filter(({ finished_at }) => finished_at === null)).toEqual([]);
    const last = log.events.slice(log.commits.at(-2), log.commits.at(-1));
    const types = last.map(({ type }) => type);
    expect(types).toContain("MODEL_CALL_END");
    expect(last.at(-1)).toMatchObject({ type: "REPLY_END", metadata: { budget: "output" } });
    const results = log.state.message.content.filter(({ type }) => type === "tool_result");
    const calls = log.state.message.content.filter(({ type }) => type === "tool_call");
    expect(results).toHaveLength(calls.length);
  });

  it("as its adapter says is not asked again, nor is another one", async () => {
    const model = playedModel("m", [{ error: modelError("output_limit") }]);
    const spare = playedModel("spare", [{ text: "Me too" }]);
    const log = await runScript({ script: "hi", models: [model, spare] });

    expect(log.state.message).toMatchObject(ENDED);
    expect([model.calls, spare.calls]).toEqual([1, 0]);
  });

  it("with thoughts and texts in turn has a bounded number of blocks", async () => {
    const { model } = endless({ thinking: "a" }, { text: "b" });
    const log = await runScript({ script: "hi", models: [model] });

    expect(log.state.message).toMatchObject(ENDED);
    expect(log.state.message.content).toHaveLength(MAX_TURN_BLOCKS);
  });

  it("but breaks off each time is stopped in the middle of a try, when it has filled the log", async () => {
    const pieces = Array.from({ length: 11 }, () => ({ text: PIECE }));
    const broken = [...pieces, { error: modelError("upstream") }];
    const models = [0, 1, 2, 3, 4].map((number) => playedModel(`m${number}`, broken)) as [
      PlayedModel,
      ...PlayedModel[],
    ];
    const log = await runScript({ script: "hi", models });

    expect(log.state.message).toMatchObject(ENDED);
    expect(models.map(({ calls }) => calls)).toEqual([4, 4, 4, 0, 0]);
    expect(log.state.logged_characters).toBeLessThan(MAX_REPLY_LOG_CHARACTERS + 2 * PIECE.length);
  });
});

describe("a reply that is full before its model is called", () => {
  function modelAfter(result: string): {
    model: PlayedModel;
    tools: ReturnType<typeof functionTools>;
  } {
    const call = { index: 0, id: "c1", name: "dump", delta: "{}" };
    return {
      model: playedModel("m", [{ tool_calls: [call] }], [{ text: "Done" }]),
      tools: functionTools({ dump: { run: () => result } }),
    };
  }

  it("has room for the model's words whatever its tools return", async () => {
    const fitting = "x".repeat(MAX_REPLY_CHARACTERS - RESERVED_TEXT_CHARACTERS - 1_000);
    for (const result of [fitting, `${fitting}${PIECE}`]) {
      const { model, tools } = modelAfter(result);
      const log = await runScript({ script: "hi", models: [model], tools });

      expect(log.state.message.finished_reason).toBe("completed");
    }
  });

  it.each([
    ["of characters", { characters: MAX_REPLY_CHARACTERS }],
    ["of what was taken back", { logged_characters: MAX_REPLY_LOG_CHARACTERS }],
  ])("%s is known as such", (_case, full) => {
    const { state } = new MemoryLog();

    expect(isOutputSpent(state)).toBe(false);
    expect(isOutputSpent({ ...state, ...full })).toBe(true);
  });

  it("of blocks ends without another model call", async () => {
    const log = new MemoryLog();
    const reply_id = log.state.message.id;
    log.append(
      Array.from({ length: MAX_REPLY_BLOCKS }, (_, index) => ({
        type: "HINT_BLOCK" as const,
        reply_id,
        block_id: `h${index}`,
        source: null,
        hint: "",
      })),
    );
    const model = playedModel("m", [{ text: "Done" }]);
    await runScript({ script: "hi", models: [model], log });

    expect(log.state.message).toMatchObject(ENDED);
    expect(model.calls).toBe(0);
  });
});

describe("what counts against a reply's bound", () => {
  it("is given back when it is taken back, but for what stands in the log", async () => {
    const broken = [{ text: "x".repeat(1_000) }, { error: modelError("upstream") }];
    const log = await runScript({
      script: "hi",
      models: [playedModel("m", broken, [{ text: "Done" }])],
    });

    expect(log.state.characters).toBe("Done".length);
    expect(log.state.logged_characters).toBe(
      (log.events.length - 1) * EVENT_CHARACTERS + 1_000 + "Done".length,
    );
  });
});
