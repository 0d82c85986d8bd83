// Proofs of thinking through a whole tool loop of the agent, and across providers.
import { describe, expect, it, onTestFinished } from "vitest";

import type { Model } from "../../../../agent/ports.ts";
import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { startFakeAnthropic, tells, type AnthropicTurn } from "../../../support/fake-anthropic.ts";
import {
  responds,
  startFakeResponses,
  type ResponsesTurn,
} from "../../../support/fake-responses.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";
import { modelAt as anthropicAt, outgoing } from "../anthropic/stage.ts";

const tools = functionTools({
  look_up: { concurrency_safe: true, run: ({ id }: { id: number }) => `found ${id}` },
});
const ephemeral = { cache_control: { type: "ephemeral" } };

function responsesAt(base_url: string, name = "gpt-fake"): Model {
  const definition = {
    provider: "openai",
    api: "responses",
    name,
    base_url,
    parameters: {},
  } as const;
  return createOpenAiModel({ definition, outgoing });
}

async function anthropicServer(...turns: AnthropicTurn[]) {
  const server = await startFakeAnthropic(...turns);
  onTestFinished(() => server.stop());
  return server;
}

async function responsesServer(...turns: ResponsesTurn[]) {
  const server = await startFakeResponses(...turns);
  onTestFinished(() => server.stop());
  return server;
}

const bodyAt = (server: { requests: readonly { body: unknown }[] }, index: number) =>
  server.requests[index]?.body as Record<string, unknown>;

describe("the thoughts of a model of Anthropic", () => {
  it("go back unchanged and in their order in every later call of a tool loop", async () => {
    const server = await anthropicServer(
      (message) => {
        message.start();
        message.thinking("Two orders.", "c2lnMQ");
        message.redacted("ZW5j");
        message.text("I look.");
        message.toolUse("toolu_1", "look_up", '{"id":1}');
        message.toolUse("toolu_2", "look_up", '{"id":', "2}");
        message.finish("tool_use");
        message.done();
      },
      (message) => {
        message.start();
        message.thinking("", "c2lnMg");
        message.toolUse("toolu_3", "look_up", '{"id":3}');
        message.finish("tool_use");
        message.done();
      },
      tells("All found."),
    );

    const log = await runScript({ script: "Where?", tools, models: [anthropicAt(server.url)] });

    expect(log.state.message.finished_reason).toBe("completed");
    expect(bodyAt(server, 2)["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "Where?" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Two orders.", signature: "c2lnMQ" },
          { type: "redacted_thinking", data: "ZW5j" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "toolu_1", name: "look_up", input: { id: 1 } },
          { type: "tool_use", id: "toolu_2", name: "look_up", input: { id: 2 } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [{ type: "text", text: "found 1" }],
          },
          {
            type: "tool_result",
            tool_use_id: "toolu_2",
            content: [{ type: "text", text: "found 2" }],
            ...ephemeral,
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "", signature: "c2lnMg" },
          { type: "tool_use", id: "toolu_3", name: "look_up", input: { id: 3 } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_3",
            content: [{ type: "text", text: "found 3" }],
            ...ephemeral,
          },
        ],
      },
    ]);
  });

  it("stay away from another model, which gets the rest of the conversation", async () => {
    const server = await anthropicServer(
      (message) => {
        message.start();
        message.thinking("Hm.", "c2ln");
        message.toolUse("toolu_1", "look_up", '{"id":1}');
        message.finish("tool_use");
        message.done();
      },
      (message) => message.fail(401, "authentication_error"),
    );
    const other = await responsesServer(responds("Found."));

    const log = await runScript({
      script: "Where?",
      tools,
      models: [anthropicAt(server.url), responsesAt(other.baseUrl)],
    });

    expect(log.state.message.finished_reason).toBe("completed");
    expect(bodyAt(other, 0)["input"]).toEqual([
      { role: "user", content: [{ type: "input_text", text: "Where?" }] },
      { type: "function_call", call_id: "toolu_1", name: "look_up", arguments: '{"id":1}' },
      { type: "function_call_output", call_id: "toolu_1", output: "found 1" },
    ]);
  });
});

describe("the reasoning of the Responses API", () => {
  it("goes back unchanged and in its order in every later call of a tool loop", async () => {
    const server = await responsesServer(
      (response) => {
        response.start();
        response.reasoning("gAAA1", "Two orders.", "I look.");
        response.text("I look.");
        response.functionCall("call_1", "look_up", '{"id":1}');
        response.done();
      },
      (response) => {
        response.start();
        response.reasoning("gAAA2");
        response.functionCall("call_2", "look_up", '{"id":2}');
        response.done();
      },
      responds("All found."),
    );

    const log = await runScript({
      script: "Where?",
      tools,
      models: [responsesAt(server.baseUrl)],
    });

    expect(log.state.message.finished_reason).toBe("completed");
    expect(bodyAt(server, 2)["input"]).toEqual([
      { role: "user", content: [{ type: "input_text", text: "Where?" }] },
      {
        type: "reasoning",
        id: "rs_0",
        summary: [
          { type: "summary_text", text: "Two orders." },
          { type: "summary_text", text: "I look." },
        ],
        encrypted_content: "gAAA1",
      },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"id":1}' },
      { type: "function_call_output", call_id: "call_1", output: "found 1" },
      { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "gAAA2" },
      { type: "function_call", call_id: "call_2", name: "look_up", arguments: '{"id":2}' },
      { type: "function_call_output", call_id: "call_2", output: "found 2" },
    ]);
  });

  it("stays away from another model, also of the same provider", async () => {
    const server = await responsesServer(
      (response) => {
        response.start();
        response.reasoning("gAAA", "Hm.");
        response.functionCall("call_1", "look_up", '{"id":1}');
        response.done();
      },
      (response) => response.fail(400),
      responds("Found."),
    );

    await runScript({
      script: "Where?",
      tools,
      models: [responsesAt(server.baseUrl), responsesAt(server.baseUrl, "gpt-other")],
    });

    expect(JSON.stringify(bodyAt(server, 1))).toContain("gAAA");
    expect(JSON.stringify(bodyAt(server, 2))).not.toContain("gAAA");
  });
});
