// Retries and fallback models in the loop, on a clock that only writes down how long it was asked to wait.
import { describe, expect, it } from "vitest";

import type { Model, Sleep } from "../../../agent/ports.ts";
import { takeBack } from "../../../agent/recovery/take-back.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { failure, playedModel } from "../../support/played-model.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const answer = (text: string) => [
  { text },
  {
    usage: {
      input_tokens: 7,
      output_tokens: 3,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  },
];
const MODEL_TEXT = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_DELTA",
  "TEXT_BLOCK_END",
  "MODEL_CALL_END",
];

async function run(models: readonly [Model, ...Model[]], overrides: object = {}) {
  const waits: number[] = [];
  const sleep: Sleep = async (waitMs) => void waits.push(waitMs);
  const log = await runScript({ script: "Hello", models, sleep, ...overrides });
  return { log, waits };
}

function modelCalls(log: MemoryLog): unknown[] {
  return log.events.flatMap((event): unknown[] => {
    if (event.type === "MODEL_CALL_START") return [event.model_name];
    return event.type === "MODEL_CALL_END" ? [[event.finished_reason, event.metadata]] : [];
  });
}

describe("a model call that failed before it had said anything", () => {
  it("is made again until it answers, and readers see one call", async () => {
    const model = playedModel("first", failure("upstream"), failure("connection"), answer("Here"));

    const { log, waits } = await run([model]);

    expect(log.types).toEqual(["REPLY_START", ...MODEL_TEXT, "REPLY_END"]);
    expect(waits).toEqual([500, 1_000]);
    expect(getTextContent(log.state.message)).toBe("Here");
    expect(log.state.message).toMatchObject({
      finished_reason: "completed",
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    expect(log.state).toMatchObject({ iterations: 1, failed_model_calls: 0 });
  });

  it("waits as long as the provider asks", async () => {
    const { waits } = await run([playedModel("m", failure("rate_limit", 20_000), answer("Here"))]);

    expect(waits).toEqual([20_000]);
  });

  it("ends the reply with its error when three retries did not help", async () => {
    const model = playedModel("first", failure("rate_limit"));

    const { log, waits } = await run([model]);

    expect(log.types).toEqual(["REPLY_START", "MODEL_CALL_START", "MODEL_CALL_END", "REPLY_END"]);
    expect({ waits, calls: model.calls }).toEqual({ waits: [500, 1_000, 2_000], calls: 4 });
    expect(log.state.message).toMatchObject({
      finished_reason: "error",
      error: { type: "rate_limit" },
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(log.state.iterations).toBe(0);
  });

  it.each(["authentication", "permission", "invalid_request", "setup", "unknown"] as const)(
    "is not made again for %s",
    async (type) => {
      const model = playedModel("first", failure(type), answer("never"));

      const { log, waits } = await run([model]);

      expect({ waits, calls: model.calls }).toEqual({ waits: [], calls: 1 });
      expect(log.state.message.error?.type).toBe(type);
    },
  );

  it("is made again when all that came was input for a call without a name", async () => {
    const nameless = [{ tool_calls: [{ index: 0, delta: '{"id":1}' }] }];
    const { log, waits } = await run([playedModel("first", nameless, answer("Here"))]);

    expect(waits).toEqual([500]);
    expect(log.types).toEqual(["REPLY_START", ...MODEL_TEXT, "REPLY_END"]);
  });

  it("is given up at once by a stop in the middle of the wait", async () => {
    const controller = new AbortController();
    const model = playedModel("first", failure("upstream"), answer("never"));

    const { log } = await run([model], {
      stop: controller.signal,
      sleep: async () => controller.abort(),
    });

    expect(log.types).toEqual(["REPLY_START", "MODEL_CALL_START"]);
    expect(model.calls).toBe(1);
  });
});

describe("a model call that fails after its first words", () => {
  const half = [{ text: "It is" }, ...failure("connection", 10)];
  const TAKEN_BACK = [
    "MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_DELTA",
    "CUSTOM",
    "TEXT_BLOCK_END",
    "MODEL_CALL_END",
  ];
  const connection = expect.objectContaining({ type: "connection" });

  it("is taken back and made again", async () => {
    const { log, waits } = await run([playedModel("first", half, half, answer("Here"))]);

    expect(log.types).toEqual([
      "REPLY_START",
      ...TAKEN_BACK,
      ...TAKEN_BACK,
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(waits).toEqual([500, 1_000]);
    expect(log.events.filter(({ type }) => type === "CUSTOM")).toMatchObject([
      { name: "reply_recovered", value: { discard_block_ids: ["blk_1"] } },
      { name: "reply_recovered", value: { discard_block_ids: ["blk_2"] } },
    ]);
    expect(log.state.message).toMatchObject({
      content: [{ text: "Here" }],
      finished_reason: "completed",
    });
    expect(log.state).toMatchObject({ iterations: 1, failed_model_calls: 0, characters: 4 });
    expect(modelCalls(log)).toEqual([
      "first",
      ["interrupted", { error: connection }],
      "first",
      ["interrupted", { error: connection }],
      "first",
      ["completed", {}],
    ]);
  });

  it("gives way to the next model when three retries did not help", async () => {
    const second = playedModel("second", answer("Here"));
    const first = playedModel("first", half);

    const { log, waits } = await run([first, second]);

    expect({ waits, calls: first.calls }).toEqual({ waits: [500, 1_000, 2_000], calls: 4 });
    expect(log.types).toEqual([
      "REPLY_START",
      ...[1, 2, 3, 4].flatMap(() => TAKEN_BACK),
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(modelCalls(log).slice(-4)).toEqual([
      "first",
      ["interrupted", { error: connection, attempts: 4 }],
      "second",
      ["completed", {}],
    ]);
    expect(log.state.message.content).toMatchObject([{ text: "Here" }]);
    expect(log.state).toMatchObject({ iterations: 1, failed_model_calls: 1 });
  });

  it("ends the reply with what was said last when no model is left", async () => {
    const { log } = await run([playedModel("first", half)]);

    expect(log.types).toEqual([
      "REPLY_START",
      ...[1, 2, 3].flatMap(() => TAKEN_BACK),
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    expect(log.state.message).toMatchObject({
      content: [{ text: "It is" }],
      error: { type: "connection" },
    });
  });

  it("ends the reply at once for what would fail again", async () => {
    const second = playedModel("second", answer("never"));
    const refused = [{ text: "It is" }, ...failure("invalid_request")];

    const { log, waits } = await run([playedModel("first", refused), second]);

    expect(log.types).toEqual(["REPLY_START", ...MODEL_TEXT, "REPLY_END"]);
    expect({ waits, calls: second.calls }).toEqual({ waits: [], calls: 0 });
  });

  it("leaves no call behind, and the model may use its id again", async () => {
    const call = [{ tool_calls: [{ index: 0, id: "c1", name: "look", delta: '{"a' }] }];
    const whole = [{ tool_calls: [{ index: 0, id: "c1", name: "look", delta: "{}" }] }];
    const model = playedModel("m", [...call, ...failure("upstream")], whole, answer("Done"));
    const ran: string[] = [];
    const run_ = (_input: never, { tool_call_id }: { tool_call_id: string }) => {
      ran.push(tool_call_id);
      return "seen";
    };

    const { log } = await run([model], { tools: functionTools({ look: { run: run_ } }) });

    expect(ran).toEqual(["c1"]);
    expect(log.state.message.content).toMatchObject([
      { type: "tool_call", id: "c1", input: "{}", state: "finished" },
      { type: "tool_result", id: "c1", state: "success" },
      { type: "text", text: "Done" },
    ]);
  });
});

describe("the number of failed tries", () => {
  it("outlives a crash in the middle of a back-off, and is not raised by one", async () => {
    const log = new MemoryLog();
    const controller = new AbortController();
    const model = playedModel("first", failure("upstream"));
    await run([model], {
      log,
      stop: controller.signal,
      sleep: async () => (model.calls === 2 ? controller.abort() : undefined),
    });
    log.append(takeBack(log.state));

    const { waits } = await run([model], { log });

    expect({ calls: model.calls, waits }).toEqual({ calls: 4, waits: [2_000] });
    expect(log.state.message.error?.type).toBe("upstream");
  });
});

describe("a budget of tokens", () => {
  const call = [{ tool_calls: [{ index: 0, id: "", name: "look", delta: "{}" }] }, answer("")[1]!];
  const tools = functionTools({ look: { run: () => "seen" } });

  it("ends the reply with an error before the call that would go beyond it", async () => {
    const model = playedModel("m", call);

    const { log } = await run([model], { tools, max_tokens: 20 });

    expect(model.calls).toBe(2);
    expect(log.events.at(-1)).toMatchObject({
      type: "REPLY_END",
      finished_reason: "error",
      error: { type: "unknown", message: "The reply has used as many tokens as it may." },
      metadata: { budget: "tokens" },
    });
  });

  it("does not end a reply that has said its last word", async () => {
    const { log } = await run([playedModel("m", answer("Here"))], { max_tokens: 1 });

    expect(log.state.message.finished_reason).toBe("completed");
  });
});

describe("fallback models", () => {
  it.each([
    "authentication",
    "permission",
    "invalid_request",
    "setup",
    "internal",
    "unknown",
  ] as const)("take over at once for %s, and the log shows both calls", async (type) => {
    const { log, waits } = await run([
      playedModel("first", failure(type)),
      playedModel("second", answer("Here")),
    ]);

    expect(log.types).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "MODEL_CALL_END",
      ...MODEL_TEXT,
      "REPLY_END",
    ]);
    const error = { type, message: expect.any(String) };
    expect(modelCalls(log)).toEqual([
      "first",
      ["interrupted", { error, attempts: 1 }],
      "second",
      ["completed", {}],
    ]);
    expect(waits).toEqual([]);
    expect(log.state).toMatchObject({ iterations: 1, failed_model_calls: 1 });
    expect(log.state.message).toMatchObject({
      finished_reason: "completed",
      usage: { input_tokens: 7, output_tokens: 3 },
    });
  });

  it("each have retries of their own, and the last one's error ends the reply", async () => {
    const { log, waits } = await run([
      playedModel("first", failure("upstream")),
      playedModel("second", failure("rate_limit", 90_000)),
      playedModel("third", failure("connection")),
    ]);

    expect(waits).toEqual([500, 1_000, 2_000, 500, 1_000, 2_000]);
    expect(modelCalls(log)).toEqual([
      "first",
      ["interrupted", { error: expect.objectContaining({ type: "upstream" }), attempts: 4 }],
      "second",
      ["interrupted", { error: expect.objectContaining({ type: "rate_limit" }), attempts: 1 }],
      "third",
      ["interrupted", {}],
    ]);
    expect(log.state.message.error?.type).toBe("connection");
  });

  it("keep the reply once they have taken over", async () => {
    const first = playedModel("first", failure("setup"));
    const call = [{ tool_calls: [{ index: 0, id: "c1", name: "look", delta: "{}" }] }];
    const second = playedModel("second", call, answer("Done"));
    const tools = functionTools({ look: { run: () => "seen" } });

    const { log } = await run([first, second], { tools });

    expect([first.calls, second.calls]).toEqual([1, 2]);
    expect(log.state.message.finished_reason).toBe("completed");
    expect(log.state.iterations).toBe(2);
  });

  it("do not use up the rounds of the reply", async () => {
    const { log } = await run(
      [playedModel("first", failure("setup")), playedModel("second", answer("Here"))],
      { max_iters: 1 },
    );

    expect(log.state.message.finished_reason).toBe("completed");
  });
});
