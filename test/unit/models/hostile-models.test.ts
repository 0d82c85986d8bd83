// Models that do what nobody expects, and the next call's context afterwards.
import { describe, expect, it } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const DONE: readonly ModelChunk[] = [{ text: "Done" }];

function wire(message: Parameters<typeof modelContext>[1]) {
  return toOpenAiMessages({ system_prompt: "", messages: modelContext([], message, []) });
}

describe("the context of the next call", () => {
  it.each(["look up order", "größe", "functions.lookup:0", "x".repeat(65)])(
    "holds no tool name that providers refuse: %s",
    async (name) => {
      const model = playedModel(
        "m",
        [{ tool_calls: [{ index: 0, id: "c1", name, delta: "{}" }] }],
        DONE,
      );
      const log = await runScript({ script: "hi", models: [model] });

      const names = wire(log.state.message).flatMap((message) =>
        message.role === "assistant"
          ? (message.tool_calls ?? []).map((call) =>
              call.type === "function" ? call.function.name : "",
            )
          : [],
      );
      expect(names).toHaveLength(1);
      expect(names[0]).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    },
  );

  it("holds no picture without data", async () => {
    const model = playedModel("m", [
      { data: [{ index: 0, media_type: "image/png", data: "A" }] },
      { text: "Here" },
    ]);
    const log = await runScript({ script: "hi", models: [model] });

    expect(JSON.stringify(wire(log.state.message))).not.toContain('"data:image/png;base64,"');
  });

  it("holds no message of white space alone", async () => {
    const model = playedModel("m", [{ text: "\n\n" }]);
    const log = await runScript({ script: "hi", models: [model] });

    const empty = wire(log.state.message).filter(
      (message) => typeof message.content === "string" && message.content.trim() === "",
    );
    expect(empty).toEqual([]);
  });

  it("holds a user's message when all that was sent is empty text", () => {
    const messages = modelContext(
      [UserMsg({ name: "user", content: "" })],
      UserMsg("user", "x"),
      [],
    );
    const written = toOpenAiMessages({ system_prompt: "", messages });

    expect(written.every((message) => message.content !== "")).toBe(true);
  });
});

describe("a model that says nothing", () => {
  it("is not called again and again without a pause", async () => {
    const model = playedModel("m", []);
    const log = await runScript({ script: "hi", models: [model] });

    expect(log.state.message.finished_reason).toBe("error");
    expect(model.calls).toBeLessThan(10);
  });

  it("gives way to its fallback", async () => {
    const silent = playedModel("silent", []);
    const spare = playedModel("spare", DONE);
    const log = await runScript({ script: "hi", models: [silent, spare] });

    expect(log.state.message.finished_reason).toBe("completed");
  });
});

describe("a model's stream", () => {
  it("that throws ends as an error that says so", async () => {
    const model = {
      name: "m",
      // oxlint-disable-next-line require-yield
      async *stream(): AsyncGenerator<ModelChunk> {
        throw new Error("boom");
      },
    };
    await expect(runScript({ script: "hi", models: [model] })).rejects.toThrow("boom");
  });

  it("takes input that comes before the call's name", async () => {
    const tools = functionTools({ echo: { run: (input: { a: number }) => String(input.a) } });
    const model = playedModel(
      "m",
      [
        { tool_calls: [{ index: 0, delta: '{"a"' }] },
        { tool_calls: [{ index: 0, id: "c1", name: "echo", delta: ":1}" }] },
      ],
      DONE,
    );
    const log = await runScript({ script: "hi", models: [model], tools });
    expect(log.state.message.content[0]).toMatchObject({ input: '{"a":1}' });
  });
});
