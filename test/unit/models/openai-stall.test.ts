// A provider that goes silent, before its first byte or in the middle of an answer, and what the loop makes of it.
import { describe, expect, it, onTestFinished } from "vitest";

import { modelError } from "../../../agent/state/model-error.ts";
import type { Model } from "../../../agent/ports.ts";
import { createOpenAiModel } from "../../../model/openai/openai-model.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import {
  says,
  startFakeOpenAi,
  type FakeOpenAi,
  type FakeStream,
  type FakeTurn,
} from "../../support/fake-openai.ts";
import { runScript } from "../../support/run-script.ts";
import { BROAD } from "../../support/breadth.ts";

/** Long enough for a connection of a busy machine to begin. */
const STALL_MS = 1_000;

async function start(...turns: FakeTurn[]): Promise<{ server: FakeOpenAi; model: Model }> {
  return startStalling(STALL_MS, ...turns);
}

async function startStalling(
  stall_ms: number,
  ...turns: FakeTurn[]
): Promise<{ server: FakeOpenAi; model: Model }> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: {
      provider: "openai",
      name: "m",
      base_url: server.baseUrl,
      parameters: {},
      stall_ms,
    },
    outgoing: createOutgoing({ environment: "local", fetch }),
  });
  return { server, model };
}

const request = { system_prompt: "", messages: [], tools: [] };

function signal(): AbortSignal {
  return new AbortController().signal;
}

const silence: FakeTurn = () => {};
const stall: FakeTurn = (stream) => stream.text("It is");
const endlessRefusal: FakeTurn = (stream) => {
  stream.head(500);
  return beat(stream, "no");
};

function heartbeats(text: string): FakeTurn {
  return (stream) => beat(stream, text);
}

async function beat(stream: FakeStream, text: string): Promise<void> {
  while (stream.isOpen) {
    stream.raw(text);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a model that is silent for longer than its stall_ms", () => {
  it.each([
    ["before its answer", silence],
    ["but for comments", heartbeats(": alive\n\n")],
    ["but for events that bring nothing", heartbeats("data: {}\n\n")],
    ["but for usage", heartbeats('data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n')],
    ["but for the body of a refusal", endlessRefusal],
  ])("%s is a lost connection", async (_case, turn) => {
    const { model } = await startStalling(100, turn);

    expect((await collect(model.stream(request, signal()))).at(-1)).toEqual({
      error: modelError("connection"),
    });
  });

  it("within its answer is a lost connection, and is left", async () => {
    const { server, model } = await start(stall);

    expect(await collect(model.stream(request, signal()))).toEqual([
      { text: "It is" },
      { error: modelError("connection") },
    ]);
    await server.abandoned;
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

  it("ends the reply with an error when it stays silent", BROAD, async () => {
    const { server, model } = await start(silence);

    const log = await runScript({ script: "Hello", models: [model] });

    expect(server.requests).toHaveLength(4);
    expect(log.state.message).toMatchObject({
      finished_reason: "error",
      error: modelError("connection"),
    });
  });
});
