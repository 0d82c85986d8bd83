// The loop's steps to make each request fit into the window of its model.
import { describe, expect, it } from "vitest";

import type { Model, ModelChunk } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import { functionTools } from "../../support/function-tools.ts";
import { keepContext } from "../../support/kept-context.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";
import {
  LOOK,
  SAY,
  SUMMARY_USAGE,
  TOO_LONG,
  history,
  play,
  textOf,
  tokensOf,
} from "../../support/fitted-reply.ts";

describe("a request below the hard threshold", () => {
  it("is sent as it is", async () => {
    const { writer, custom, model } = await play({ calls: [SAY], history: history(10, 1_000) });

    expect([writer.requests.length, custom]).toEqual([0, []]);
    expect(model.requests[0]!.messages).toHaveLength(11);
  });
});

describe("a request above the hard threshold", () => {
  it("is sent with a summary in place of the older messages, which is in the log and in the usage", async () => {
    const { log, model, writer, custom } = await play({
      calls: [SAY],
      window: 12_000,
      history: history(44, 1_000),
    });

    expect(writer.requests).toHaveLength(1);
    expect(custom).toMatchObject([
      {
        name: "context_compressed",
        reply_id: "rep_1",
        value: {
          summary_id: "sum_1",
          first_message_id: "u0",
          last_block_id: null,
          model: "writer",
          trigger: "hard_threshold",
          reply_id: "rep_1",
          usage: SUMMARY_USAGE,
        },
      },
    ]);
    expect(log.types.indexOf("CUSTOM")).toBe(log.types.indexOf("MODEL_CALL_START") - 1);
    const [sent] = model.requests;
    expect(sent!.messages[0]).toMatchObject({
      id: "sum_1",
      role: "user",
      content: [{ text: custom[0]!.value["summary"] }],
    });
    expect(tokensOf(sent!)).toBeLessThan(2_500);
    expect(log.state.message.usage).toEqual({
      input_tokens: 80,
      output_tokens: 9,
      cache_input_tokens: 60,
      cache_creation_input_tokens: 0,
    });
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("is sent without the older messages and with a note when no summary can be made", async () => {
    const { log, model, custom } = await play({
      calls: [SAY],
      summaries: [[{ error: modelError("permission") }]],
      history: history(16, 1_000),
    });

    expect(custom).toMatchObject([
      {
        name: "context_truncated",
        value: { reason: "compression_failed", first_message_id: "u0" },
      },
    ]);
    expect(textOf(model.requests[0]!)).toContain(
      "Earlier messages of this conversation are left out",
    );
    expect(textOf(model.requests[0]!)).not.toContain("0 xxx");
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("asks no model where the agent wants no summaries", async () => {
    const { writer, custom } = await play({
      calls: [SAY],
      settings: { compression_enabled: false },
      history: history(16, 1_000),
    });

    expect(writer.requests).toEqual([]);
    expect(custom).toMatchObject([
      { name: "context_truncated", value: { reason: "compression_off" } },
    ]);
  });

  it("that cannot be made smaller is sent, and the provider decides", async () => {
    const { writer, model, custom, log } = await play({
      calls: [SAY],
      settings: { context_size: 1_000 },
      history: [],
      window: 1_000,
      stop: new AbortController().signal,
    });
    expect([writer.requests.length, custom.length]).toEqual([0, 0]);

    const long = await play({ calls: [TOO_LONG], history: history(1, 40_000) });
    expect(long.log.state.message).toMatchObject({ finished_reason: "error" });
    expect([model.requests.length, log.state.message.finished_reason]).toEqual([1, "completed"]);
  });

  it("within a reply leaves out its first turns, and keeps the user's words and the newest turn", async () => {
    const { model, custom, log } = await play({
      calls: [LOOK, LOOK, LOOK, LOOK, SAY],
      window: 5_000,
    });

    expect(custom.map(({ name }) => name)).toContain("context_compressed");
    const last = model.requests.at(-1)!;
    expect(textOf(last)).toContain("This is what the user wrote before what follows");
    expect(textOf(last)).toContain("Hello");
    for (const request of model.requests) {
      const blocks = request.messages.flatMap(({ content }) => content);
      const ids = (type: string) => blocks.filter((one) => one.type === type).map(({ id }) => id);
      expect(ids("tool_result")).toEqual(ids("tool_call"));
      expect(tokensOf(request)).toBeLessThan(5_000);
    }
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("is not compressed after an interruption: nothing is appended", async () => {
    const stopping = new AbortController();
    const summaries: Model = {
      name: "writer",
      // oxlint-disable-next-line require-yield
      async *stream() {
        stopping.abort();
      },
    };
    const earlier = history(16, 1_000);
    const session = keepContext({ settings: {}, window: 4_000, model: summaries });
    const kept = session.next("rep_1", earlier);
    const log = await runScript({
      script: "Hello",
      history: earlier,
      log: kept.log,
      models: [playedModel("talker", SAY)],
      abilities: [kept.ability],
      context: kept.keeper,
      stop: stopping.signal,
    });

    expect(log.types).toEqual(["REPLY_START"]);
  });

  it("is not compressed when the quota is used up, and the model is not called when the summary used it up", async () => {
    const used: number[] = [];
    const { writer, model, log } = await play({
      calls: [SAY],
      window: 12_000,
      history: history(44, 1_000),
      quota: {
        check: async (tokens) => {
          used.push(tokens);
          return tokens > 0 ? { quota: "tokens_per_day" } : null;
        },
        wait: () => undefined,
      },
    });

    expect([writer.requests.length, model.requests.length, used]).toEqual([1, 0, [0, 77]]);
    expect(log.state.message.error?.type).toBe("quota_exceeded");
  });
});

describe("a request that the provider refuses as too long", () => {
  it("is made smaller and sent again, as the same call", async () => {
    const { log, model, custom } = await play({
      calls: [TOO_LONG, SAY],
      history: history(8, 1_000),
    });

    expect(custom).toMatchObject([{ value: { trigger: "prompt_too_long" } }]);
    expect(model.requests).toHaveLength(2);
    expect(tokensOf(model.requests[1]!)).toBeLessThan(tokensOf(model.requests[0]!) / 1.5);
    expect(log.types.filter((type) => type === "MODEL_CALL_START")).toHaveLength(1);
    expect(log.state).toMatchObject({ failed_model_calls: 0, iterations: 1 });
  });

  it("again and again ends the reply with an error that says so", async () => {
    const { log, model } = await play({ calls: [TOO_LONG], history: history(40, 300) });

    expect(model.requests).toHaveLength(3);
    const sizes = model.requests.map(tokensOf);
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    expect(log.state.message).toMatchObject({
      finished_reason: "error",
      error: {
        type: "invalid_request",
        message: "The conversation is too long for the model, and could not be made short enough.",
      },
    });
  });
});

describe("the tokens of a request", () => {
  const usage = (input_tokens: number): readonly ModelChunk[] => [
    ...LOOK,
    {
      usage: {
        input_tokens,
        output_tokens: 10,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    },
  ];

  it("are what the provider counted for the last one, and an estimate of what came since", async () => {
    const { kept, writer } = await play({
      calls: [usage(8_500), SAY],
      window: 10_000,
      history: history(12, 1_000),
    });

    expect(writer.requests).toHaveLength(1);
    // The result has 1,500 tokens as estimated.
    expect(kept.requests).toMatchObject([{ tokens: 8_510 + 1_500 }]);
  });

  it("are not believed beyond four times the estimate", async () => {
    const { kept } = await play({
      calls: [usage(9_000_000), SAY],
      window: 10_000,
      history: history(12, 1_000),
    });

    expect(kept.requests.map(({ tokens }) => tokens < 40_000)).toEqual([true]);
  });

  it.each(["estimate", "chars"] as const)(
    "are counted without the provider: %s",
    async (token_counter) => {
      const { kept } = await play({
        calls: [usage(8_500), SAY],
        window: 10_000,
        settings: { token_counter },
        history: history(12, 1_000),
      });

      expect(kept.requests.length).toBe(token_counter === "chars" ? 1 : 0);
    },
  );

  it("are not those of a request that a summary made meanwhile has left behind", async () => {
    const earlier = history(12, 1_000);
    const session = keepContext({ settings: {}, window: 10_000, model: playedModel("writer", []) });
    const kept = session.next("rep_1", earlier);
    let calls = 0;
    const talker: Model = {
      name: "talker",
      async *stream(_, stop) {
        yield* playedModel("talker", calls === 0 ? usage(8_500) : SAY).stream(_, stop);
        calls += 1;
        if (calls > 1) return;
        const value = { summary_id: "sum_0", summary: "Short.", last_message_id: "a5" };
        kept.log.append([
          { type: "CUSTOM", name: "context_compressed", value: { ...value, last_block_id: null } },
        ]);
      },
    };
    await runScript({
      script: "Hello",
      history: earlier,
      log: kept.log,
      models: [talker],
      abilities: [kept.ability],
      context: kept.keeper,
      tools: functionTools({ look: { run: () => "r".repeat(6_000) } }),
      permission: { mode: "bypass", rules: [], working_directories: [] },
    });

    expect([calls, kept.requests]).toEqual([2, []]);
  });
});
