// A reply that is stopped, or replaced, in the middle of something: nothing is written and nothing begun after that.
import { describe, expect, it } from "vitest";

import { FencedError, type Model, type ModelChunk } from "../../../agent/ports.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { failure, playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

/** A model that goes on after it was told to stop: the stop comes before the chunk at `index`, or at the end. */
function deafModel(chunks: readonly ModelChunk[], index: number, stop: () => void): Model {
  return {
    name: "deaf",
    async *stream() {
      for (const [at, chunk] of chunks.entries()) {
        if (at === index) stop();
        yield chunk;
      }
      if (index >= chunks.length) stop();
    },
  };
}

describe("after a stop", () => {
  it.each([
    [
      "a word of a model that goes on",
      [{ text: "before" }, { text: "after" }],
      1,
      ["TEXT_BLOCK_START", "TEXT_BLOCK_DELTA"],
    ],
    ["a failure of the model", [failure("upstream")[0]!], 0, []],
    [
      "the end of the model's call",
      [{ text: "before" }],
      1,
      ["TEXT_BLOCK_START", "TEXT_BLOCK_DELTA"],
    ],
    ["a word about silence", [], 0, []],
  ] as const)("%s is not written", async (_title, chunks, index, written) => {
    const stop = new AbortController();
    const model = deafModel(chunks, index, () => stop.abort());
    const log = await runScript({ script: "hi", models: [model], stop: stop.signal });

    expect(log.events.map(({ type }) => type)).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      ...written,
    ]);
  });

  it("no further try is made of a model call that failed", async () => {
    const stop = new AbortController();
    const model = playedModel("m", failure("upstream"), [{ text: "Done" }]);
    await runScript({
      script: "hi",
      models: [model],
      stop: stop.signal,
      sleep: async () => stop.abort(),
    });

    expect(model.calls).toBe(1);
  });

  it("the calls of a batch that have not begun stay as they are, also those that would only be refused", async () => {
    const stop = new AbortController();
    const ran: string[] = [];
    const tools = functionTools({
      work: {
        concurrency_safe: true,
        run: ({ id }: { id: string }) => {
          ran.push(id);
          stop.abort();
          return id;
        },
      },
    });
    const calls = ["a", "b", "c", "d", "e"].map((id) => `/call work {"id":"${id}"}`);
    const script = [...calls, "/call ghost {}"].join("\n");
    const log = await runScript({ script, tools, stop: stop.signal });

    expect(ran).toEqual(["a"]);
    const states = log.state.message.content.flatMap((block) =>
      block.type === "tool_call" ? [block.state] : [],
    );
    expect(states).toEqual(Array<string>(6).fill("pending"));
    expect(log.types).not.toContain("TOOL_RESULT_END");
  });

  it("no question is asked", async () => {
    const stop = new AbortController();
    const log = await runScript({
      script: "/call pay {}",
      tools: functionTools({ pay: { read_only: false, run: () => "paid" } }),
      permission: () => {
        // The stop comes while the question's hash is made.
        queueMicrotask(() => stop.abort());
        return { mode: "default", rules: [], working_directories: [] };
      },
      stop: stop.signal,
    });

    expect([log.parked, log.types.at(-1)]).toEqual([null, "MODEL_CALL_END"]);
  });

  it("what a tool throws is not written", async () => {
    const stop = new AbortController();
    const log = await runScript({
      script: "/call work {}",
      tools: functionTools({
        work: {
          run: () => {
            stop.abort();
            throw new Error("cut off");
          },
        },
      }),
      stop: stop.signal,
    });

    expect(log.types.at(-1)).toBe("TOOL_RESULT_START");
  });
});

describe("a runner that was replaced", () => {
  /** Refuses the first result that ends. */
  class FencedLog extends MemoryLog {
    refusals = 0;
    override append(drafts: readonly EventDraft[]): void {
      if (drafts.some(({ type }) => type === "TOOL_RESULT_END") && this.refusals === 0) {
        this.refusals += 1;
        throw new FencedError("another runner has the reply");
      }
      super.append(drafts);
    }
  }

  it("comes to rest with its refusal when no call of its batch runs any more", async () => {
    const under = { way: 0 };
    const slow = Promise.withResolvers<void>();
    const tools = functionTools({
      work: {
        concurrency_safe: true,
        run: async ({ id }: { id: string }) => {
          under.way += 1;
          if (id === "slow") await slow.promise;
          under.way -= 1;
          return id;
        },
      },
    });
    const log = new FencedLog();
    const script = '/call work {"id":"slow"}\n/call work {"id":"fast"}\n/say Done';
    const run = runScript({ script, tools, log });
    let isOver = false;
    const over = run.finally(() => (isOver = true)).catch((error: unknown) => error);
    while (log.refusals === 0) await new Promise((resolve) => setTimeout(resolve));
    const before = { isOver, way: under.way };
    slow.resolve();

    expect(await over).toBeInstanceOf(FencedError);
    expect([before, under]).toEqual([{ isOver: false, way: 1 }, { way: 0 }]);
    expect(log.types.filter((type) => type === "MODEL_CALL_START")).toHaveLength(1);
  });
});
