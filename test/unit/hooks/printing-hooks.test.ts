// Hooks before printing: what is held back until they have answered, and by which id they are asked.
import { expect, it } from "vitest";

import { bufferedModel } from "../../../agent/hooks/buffered-model.ts";
import type { HookRequest, HookResponse } from "../../../agent/hooks/hook-runner.ts";
import { ReplyHooks } from "../../../agent/hooks/reply-hooks.ts";
import { interruptReply } from "../../../agent/loop/interrupt-reply.ts";
import type { Model, ModelChunk, StopSignal } from "../../../agent/ports.ts";
import type { HookPoint } from "../../../protocol/hooks/events.ts";
import { MAX_REPLY_CHARACTERS } from "../../../protocol/replies/limits.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

type Answer = (request: HookRequest, stop: StopSignal) => HookResponse | Promise<HookResponse>;

const UNCHANGED: HookResponse = { ok: true, answer: null };

interface Desk {
  readonly log?: MemoryLog;
  readonly points?: readonly HookPoint[];
  readonly stop?: AbortSignal;
  readonly answer?: Answer;
}

/** Hooks at these points, and the model as the loop gets it. */
function desk({ log = new MemoryLog(), points = ["pre_print"], stop, answer }: Desk = {}) {
  const asked: HookRequest[] = [];
  let ids = 0;
  const hooks = new ReplyHooks({
    hooks: points.map((point) => ({
      origin: "agent",
      definition: {
        name: "desk",
        point,
        type: "http",
        url: "https://shop.example/",
        timeout_ms: 1_000,
        on_failure: "closed",
      },
    })),
    runner: {
      ask: async (request, signal) => {
        asked.push(request);
        return (await answer?.(request, signal)) ?? UNCHANGED;
      },
    },
    log,
    session_id: "ses_1",
    end_user_id: null,
    newId: (prefix) => `${prefix}_h${(ids += 1)}`,
    stop: stop ?? new AbortController().signal,
    hash: async (text) => `#${text}`,
  });
  const held = (model: Model): Model =>
    bufferedModel(model, {
      print: (type, text, signal) => hooks.beforePrint(type, text, { stop: signal }),
      room: () => MAX_REPLY_CHARACTERS - log.state.characters,
    });
  return { log, hooks, held, asked };
}

function texts(log: MemoryLog): string {
  return getTextContent(log.state.message) ?? "";
}

it("a text that was asked about before a crash is asked about again under the same id, and another one under another", async () => {
  const say = async (text: string) => {
    const { log, hooks, held, asked } = desk();
    await runScript({ script: "go", log, hooks, models: [held(playedModel("m", [{ text }]))] });
    return asked.map(({ id, input }) => ({ id, block: input.block?.id }));
  };
  const [first, again, other] = [await say("one"), await say("one"), await say("another")];

  expect(again).toEqual(first);
  expect(other[0]?.id).not.toBe(first[0]?.id);
  expect(first[0]?.id).not.toContain(".");
});

it("an answer that is in the log already is given to the same text without a question", async () => {
  const change: Answer = () => ({
    ok: true,
    answer: { action: "continue", input: { block: { text: "ONE" } } },
  });
  const before = desk({ answer: change });
  expect(await before.hooks.beforePrint("text", "one")).toEqual({ text: "ONE", isLast: false });
  const after = desk({ log: MemoryLog.reopen(before.log) });

  expect(await after.hooks.beforePrint("text", "one")).toEqual({ text: "ONE", isLast: false });
  expect(after.asked).toEqual([]);
});

it("nothing is shown of a text whose reply was stopped while the hook was asked", async () => {
  const stop = new AbortController();
  const { hooks } = desk({ stop: stop.signal, answer: () => (stop.abort(), UNCHANGED) });

  expect(await hooks.beforePrint("text", "secret")).toEqual({ text: "", isLast: true });
  expect(await hooks.beforePrint("text", "secret")).toEqual({ text: "", isLast: true });
});

it("an answer without an end is not held: the reply ends with its output limit, and what was held is asked about", async () => {
  let made = 0;
  const endless: Model = {
    name: "m",
    async *stream() {
      for (;;) {
        made += 1;
        yield { text: "x".repeat(1_000_000) } satisfies ModelChunk;
      }
    },
  };
  const { log, hooks, held, asked } = desk();
  await runScript({ script: "go", log, hooks, models: [held(endless)] });

  expect(made).toBeLessThanOrEqual(MAX_REPLY_CHARACTERS / 1_000_000 + 1);
  expect(asked).toHaveLength(1);
  expect(log.state.message).toMatchObject({
    finished_reason: "error",
    error: { type: "output_limit" },
  });
  expect(texts(log).length).toBeLessThanOrEqual(MAX_REPLY_CHARACTERS);
});

it("the remark of a reply that a hook had ended is asked about, and changed", async () => {
  const log = new MemoryLog();
  const failing = desk({ log, answer: () => ({ ok: false, kind: "timeout" }) });
  await failing.hooks.beforePrint("text", "4711");
  const newId = () => "blk_i";
  const on_interrupt = { type: "model" } as const;
  log.append(interruptReply(log.state, { session_id: "ses_1", on_interrupt, newId }));
  const { hooks, held, asked } = desk({
    log,
    answer: () => ({
      ok: true,
      answer: { action: "continue", input: { block: { text: "[shut]" } } },
    }),
  });
  const models = [held(playedModel("m", [{ text: "It was 4711." }]))] as const;
  await runScript({ script: "go", log, hooks, models, remark: new AbortController() });

  expect(asked).toHaveLength(1);
  expect(texts(log)).toBe("[shut]");
  expect(log.state.message.finished_reason).toBe("interrupted");
});

it("a remark does not wait for a hook longer than it may take", async () => {
  const log = new MemoryLog();
  const on_interrupt = { type: "model" } as const;
  const newId = () => "blk_i";
  log.append(interruptReply(log.state, { session_id: "ses_1", on_interrupt, newId }));
  const remark = new AbortController();
  const { hooks, held } = desk({
    log,
    // As the port's contract says: it ends with `stop`.
    answer: (_, stop) =>
      new Promise((resolve) => {
        stop.addEventListener("abort", () => resolve({ ok: false, kind: "timeout" }));
        remark.abort();
      }),
  });
  const models = [held(playedModel("m", [{ text: "Stopped." }]))] as const;
  await runScript({ script: "go", log, hooks, models, remark });

  expect(texts(log)).toBe("");
  expect(log.state.message.finished_reason).toBe("interrupted");
});

it("a result that is the answer is said as the hook lets it be said", async () => {
  const { log, hooks, held, asked } = desk({
    answer: ({ input }) => ({
      ok: true,
      answer: {
        action: "continue",
        input: { block: { text: input.block?.text.replace("4711", "[account]") ?? "" } },
      },
    }),
  });
  const call = { index: 0, id: "c1", name: "look", delta: "{}" };
  const tools = functionTools({
    look: { run: () => "paid to 4711", return_direct: true, read_only: true },
  });
  const models = [held(playedModel("m", [{ tool_calls: [call] }]))] as const;
  await runScript({ script: "go", log, hooks, models, tools });

  expect(texts(log)).toBe("paid to [account]");
  expect(asked.map(({ input }) => input.block?.text)).toEqual(["paid to 4711"]);
  expect(log.state.message.finished_reason).toBe("completed");
});

it("a result that is the answer is not said when the hook stops the reply, or fails", async () => {
  const run = async (answered: HookResponse) => {
    const { log, hooks, held } = desk({ answer: () => answered });
    const call = { index: 0, id: "c1", name: "look", delta: "{}" };
    const tools = functionTools({
      look: { run: () => "paid to 4711", return_direct: true, read_only: true },
    });
    const models = [held(playedModel("m", [{ tool_calls: [call] }]))] as const;
    await runScript({ script: "go", log, hooks, models, tools });
    return [log.state.message.finished_reason, texts(log)];
  };

  expect(await run({ ok: true, answer: { action: "stop" } })).toEqual(["completed", ""]);
  expect(await run({ ok: false, kind: "timeout" })).toEqual(["error", ""]);
});

it("answers take room in the log, and one that the reply has no room for is a failure", async () => {
  const text = "y".repeat(250_000);
  const { log, hooks } = desk({
    answer: () => ({ ok: true, answer: { action: "continue", input: { block: { text } } } }),
  });
  const before = log.state;
  await hooks.beforePrint("text", "one");
  const { characters, logged_characters } = log.state;
  let printed = 1;
  // The message takes nothing of it, so only the log ends this.
  while (!hooks.ending() && printed < 1_000) {
    await hooks.beforePrint("text", `text ${(printed += 1)}`);
  }

  expect(characters).toBe(before.characters);
  expect(logged_characters - before.logged_characters).toBeGreaterThan(text.length);
  expect(hooks.ending()).toMatchObject({
    finished_reason: "error",
    metadata: { failed_hook: { hook: "desk", kind: "too_large" } },
  });
});
