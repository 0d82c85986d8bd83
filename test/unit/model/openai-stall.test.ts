// A provider that goes silent, before its first byte or in the middle of an answer, and what the loop makes of it.
import { describe, expect, it, onTestFinished } from "vitest";

import { modelError } from "../../../agent/model-error.ts";
import type { Model } from "../../../agent/ports.ts";
import { createOpenAiModel } from "../../../model/openai.ts";
import { getTextContent } from "../../../protocol/accessors.ts";
import { createOutgoing } from "../../../tools/outgoing.ts";
import { collect } from "../../support/collect.ts";
import {
  says,
  startFakeOpenAi,
  type FakeOpenAi,
  type FakeTurn,
} from "../../support/fake-openai.ts";
import { runScript } from "../../support/run-script.ts";

async function start(...turns: FakeTurn[]): Promise<{ server: FakeOpenAi; model: Model }> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: {
      provider: "openai",
      name: "m",
      base_url: server.baseUrl,
      parameters: {},
      // Far longer than a busy machine takes for an answer that is there.
      stall_ms: 1_000,
    },
    outgoing: createOutgoing({ environment: "local", fetch }),
  });
  return { server, model };
}

const silence: FakeTurn = () => {};
const stall: FakeTurn = (stream) => stream.text("It is");

describe("a model that is silent for longer than its stall_ms", () => {
  it.each([
    ["before its answer", silence, []],
    ["within its answer", stall, [{ text: "It is" }]],
  ])("%s is a lost connection", async (_case, turn, before) => {
    const { server, model } = await start(turn);
    const request = { system_prompt: "", messages: [], tools: [] };

    const chunks = await collect(model.stream(request, new AbortController().signal));

    expect(chunks).toEqual([...before, { error: modelError("connection") }]);
    await server.abandoned;
  });

  it("is none while something comes now and then", async () => {
    const { model } = await start(async (stream) => {
      for (const text of ["a", "b", "c", "d"]) {
        stream.text(text);
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      stream.finish();
    });

    const log = await runScript({ script: "Hello", models: [model] });

    expect(getTextContent(log.state.message)).toBe("abcd");
  });

  it("is asked again, and what it had said is taken back", async () => {
    const { server, model } = await start(silence, stall, says("Here"));

    const log = await runScript({ script: "Hello", models: [model] });

    expect(server.requests).toHaveLength(3);
    expect(log.types).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "CUSTOM",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(log.state.message.content).toMatchObject([{ type: "text", text: "Here" }]);
  });

  it("ends the reply with an error when it stays silent", async () => {
    const { server, model } = await start(silence);

    const log = await runScript({ script: "Hello", models: [model] });

    expect(server.requests).toHaveLength(4);
    expect(log.state.message).toMatchObject({
      finished_reason: "error",
      error: modelError("connection"),
    });
  });
});
