// The released clients of the vendors read what the fakes send, so that the fakes speak as the providers do.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";

import { startFakeAnthropic } from "../../../support/fake-anthropic.ts";
import { startFakeOpenAi } from "../../../support/fake-openai.ts";
import { startFakeResponses } from "../../../support/fake-responses.ts";

const apiKey = "sk-test";

describe("the client of Anthropic", () => {
  it("makes of the fake's stream the message that was meant", async () => {
    const server = await startFakeAnthropic((message) => {
      message.start({ input_tokens: 3, cache_read_input_tokens: 7 });
      message.thinking("Hm.", "c2ln");
      message.redacted("ZW5j");
      message.text("I ", "look.");
      message.toolUse("toolu_1", "look_up", '{"id":', "1}");
      message.finish("tool_use", { output_tokens: 9 });
      message.done();
    });
    onTestFinished(() => server.stop());
    const client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });

    const message = await client.messages
      .stream({ model: "claude-fake", max_tokens: 10, messages: [{ role: "user", content: "?" }] })
      .finalMessage();

    expect(message).toMatchObject({
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "redacted_thinking", data: "ZW5j" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "look_up", input: { id: 1 } },
      ],
      usage: { input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 9 },
    });
  });

  it("takes the fake's errors for the vendor's", async () => {
    const server = await startFakeAnthropic(
      (message) => message.fail(529, "overloaded_error"),
      (message) => {
        message.start();
        message.event("error", { error: { type: "overloaded_error", message: "busy" } });
        message.end();
      },
    );
    onTestFinished(() => server.stop());
    const client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
    const ask = () =>
      client.messages
        .stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "?" }] })
        .finalMessage();

    await expect(ask()).rejects.toMatchObject({ status: 529 });
    await expect(ask()).rejects.toThrow(/busy/);
  });
});

describe("the client of OpenAI", () => {
  it("makes of the fake's Responses stream the response that was meant", async () => {
    const server = await startFakeResponses((response) => {
      response.start();
      response.reasoning("gAAA", "Hm.");
      response.text("I ", "look.");
      response.functionCall("call_1", "look_up", '{"id":', "1}");
      response.image("aW1n");
      response.done();
    });
    onTestFinished(() => server.stop());
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });

    const response = await client.responses
      .stream({ model: "gpt-fake", input: "?" })
      .finalResponse();

    expect(response).toMatchObject({
      status: "completed",
      output_text: "I look.",
      output: [
        { type: "reasoning", summary: [{ text: "Hm." }], encrypted_content: "gAAA" },
        { type: "message", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"id":1}' },
        { type: "image_generation_call", result: "aW1n" },
      ],
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it("takes the fake's errors for the vendor's", async () => {
    const server = await startFakeResponses(
      (response) => response.fail(429, "rate_limit_exceeded"),
      (response) => {
        response.start();
        response.failed("server_error");
      },
    );
    onTestFinished(() => server.stop());
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });

    await expect(
      client.responses.create({ model: "m", input: "?", stream: true }),
    ).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
    const events = await client.responses.create({ model: "m", input: "?", stream: true });
    const types: string[] = [];
    for await (const { type } of events) types.push(type);
    expect(types.at(-1)).toBe("response.failed");
  });

  it("makes of the fake's chat completions the completion that was meant", async () => {
    const server = await startFakeOpenAi((stream) => {
      stream.delta({ role: "assistant", content: "" });
      stream.text("I look.");
      stream.calls({ index: 0, id: "call_1", name: "look_up", arguments: '{"id":1}' });
      stream.finish("tool_calls");
      stream.usage(10, 5);
      stream.done();
    });
    onTestFinished(() => server.stop());
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });

    const completion = await client.chat.completions
      .stream({
        model: "gpt-fake",
        messages: [{ role: "user", content: "?" }],
        stream_options: { include_usage: true },
      })
      .finalChatCompletion();

    expect(completion).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: "I look.",
            tool_calls: [{ id: "call_1", function: { name: "look_up", arguments: '{"id":1}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
  });
});
