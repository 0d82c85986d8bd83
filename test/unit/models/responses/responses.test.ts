// The Responses API: what is sent, and what becomes of its streams.
import { describe, expect, it, onTestFinished } from "vitest";

import type { ModelChunk, ModelRequest } from "../../../../agent/ports.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { collect } from "../../../support/collect.ts";
import {
  responds,
  startFakeResponses,
  type ResponsesTurn,
} from "../../../support/fake-responses.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { failed, lookUp, outgoing, question, running } from "../anthropic/stage.ts";

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_input_tokens: 4,
  cache_creation_input_tokens: 2,
};

function modelAt(base_url: string, parameters: Record<string, never> = {}, apiKey?: string) {
  const definition = {
    provider: "openai",
    api: "responses",
    name: "gpt-fake",
    base_url,
    parameters,
  } as const;
  return createOpenAiModel({ definition, outgoing, ...(apiKey !== undefined && { apiKey }) });
}

async function start(...turns: readonly ResponsesTurn[]) {
  const server = await startFakeResponses(...turns);
  onTestFinished(() => server.stop());
  return server;
}

async function play(turn: ResponsesTurn): Promise<ModelChunk[]> {
  const server = await start(turn);
  return joinChunks(await collect(modelAt(server.baseUrl).stream(question, running())));
}

async function bodyOf(request: ModelRequest, parameters: Record<string, unknown> = {}) {
  const server = await start(responds("hi"));
  const model = modelAt(server.baseUrl, parameters as Record<string, never>);
  await collect(model.stream(request, running()));
  return server.requests[0]?.body as Record<string, unknown>;
}

describe("the request to the Responses API", () => {
  it("holds the conversation, the parameters and the credential, and stores nothing", async () => {
    const server = await start(responds("hi"));
    const parameters: Record<string, unknown> = {
      temperature: 0.2,
      model: "another",
      input: "x",
      instructions: "x",
      store: true,
      stream: false,
      include: [],
      previous_response_id: "resp_1",
      conversation: "conv_1",
      background: true,
      tools: [
        { type: "image_generation", size: "1024x1024" },
        { type: "mcp", server_url: "x" },
      ],
    };
    const model = modelAt(server.baseUrl, parameters as Record<string, never>, "sk-test");

    await collect(model.stream({ ...question, tools: [lookUp] }, running()));

    expect(server.requests[0]?.body).toEqual({
      temperature: 0.2,
      model: "gpt-fake",
      instructions: "You are the refund desk.",
      tools: [
        {
          type: "function",
          name: "look_up",
          description: "Looks an order up.",
          parameters: { type: "object", properties: { id: { type: "string" } } },
          strict: false,
        },
        { type: "image_generation", size: "1024x1024" },
      ],
      store: false,
      include: ["reasoning.encrypted_content"],
      stream: true,
      input: [{ role: "user", content: [{ type: "input_text", text: "Where is my order?" }] }],
    });
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer sk-test");
  });

  it("names the tool that has to be called, whatever parameters and reply say", async () => {
    const request = {
      ...question,
      tools: [lookUp],
      tool_choice: "look_up",
      options: { tool_choice: "none" },
    } as const;

    expect(await bodyOf(request, { tool_choice: "none" })).toMatchObject({
      tool_choice: { type: "function", name: "look_up" },
    });
  });

  it("forbids calls where there are tools, and says nothing of them where there are none", async () => {
    const options = { tool_choice: "none" } as const;
    const own = await bodyOf({ ...question, tools: [lookUp], options });
    const hosted = await bodyOf(
      { ...question, options },
      { tools: [{ type: "image_generation" }] },
    );
    const none = await bodyOf({ ...question, options });

    expect([own["tool_choice"], hosted["tool_choice"]]).toEqual(["none", "none"]);
    expect(Object.keys(none)).not.toContain("tool_choice");
  });

  it("has what the reply sets, under the names of the API", async () => {
    const options = {
      parameters: { temperature: 0.5, top_p: 0.9, max_tokens: 50, stop: ["END"] },
      reasoning_effort: "xhigh",
      tool_choice: "required",
      parallel_tool_calls: false,
    } as const;

    const body = await bodyOf(
      { ...question, tools: [lookUp], options },
      {
        reasoning: { summary: "auto", effort: "low" },
      },
    );

    expect(body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 50,
      reasoning: { summary: "auto", effort: "xhigh" },
      tool_choice: "required",
      parallel_tool_calls: false,
    });
    expect(Object.keys(body)).not.toContain("stop");
  });
});

describe("a stream of the Responses API", () => {
  it("is reasoning, text and calls in their order, then usage", async () => {
    const chunks = await play((response) => {
      response.start();
      response.reasoning("gAAA", "Two orders.", "Look.");
      response.text("I ", "look.");
      response.functionCall("call_1", "look_up", '{"id":', '"A-1"}');
      response.functionCall("call_2", "look_up");
      response.done();
    });

    expect(chunks).toEqual([
      { thinking: "Two orders.\n\nLook." },
      { thinking_signature: expect.stringContaining('"encrypted_content":"gAAA"') },
      { text: "I look." },
      {
        tool_calls: [
          { index: 0, id: "call_1", name: "look_up", delta: '{"id":"A-1"}' },
          { index: 1, id: "call_2", name: "look_up", delta: "" },
        ],
      },
      { usage },
    ]);
  });

  it("of which only whole items come has the same content", async () => {
    const chunks = await play((response) => {
      const message = { id: "msg_1", type: "message", role: "assistant" };
      const call = { id: "fc_1", type: "function_call", call_id: "call_1", name: "look_up" };
      const summary = [{ type: "summary_text", text: "Hm." }];
      response.item(
        { id: "rs_1", type: "reasoning", summary: [] },
        { id: "rs_1", type: "reasoning", summary, encrypted_content: "gAAA" },
      );
      response.item(message, { ...message, content: [{ type: "output_text", text: "Hi" }] });
      response.item({ ...call, arguments: "" }, { ...call, arguments: '{"id":1}' });
      response.done();
    });

    expect(chunks).toEqual([
      { thinking: "Hm." },
      { thinking_signature: expect.stringContaining("gAAA") },
      { text: "Hi" },
      { tool_calls: [{ index: 0, id: "call_1", name: "look_up", delta: '{"id":1}' }] },
      { usage },
    ]);
  });

  it("is a refusal as text, and an image as data", async () => {
    const chunks = await play((response) => {
      response.start();
      response.refusal("I cannot.");
      response.image("aW1n", "webp");
      response.image("aW1n", "../x");
      response.done();
    });

    expect(chunks).toEqual([
      { text: "I cannot." },
      { data: [{ index: 0, media_type: "image/webp", data: "aW1n" }] },
      { data: [{ index: 1, media_type: "image/png", data: "aW1n" }] },
      { usage },
    ]);
  });

  it.each([
    ["max_output_tokens", "output_limit"],
    ["content_filter", "filtered"],
  ] as const)("that ends at %s is complete", async (reason, ended_early) => {
    const server = await start((response) => {
      response.start();
      response.text("Hi");
      response.done("incomplete", reason);
    });
    const reports: unknown[] = [];
    const model = modelAt(server.baseUrl);

    const chunks = await collect(model.stream(question, running(), (found) => reports.push(found)));

    expect(joinChunks(chunks)).toEqual([{ text: "Hi" }, { usage }, { ended_early }]);
    expect(reports).toEqual([{ finish_reason: reason }]);
  });

  it.each([
    ["server_error", "upstream"],
    ["rate_limit_exceeded", "rate_limit"],
    ["insufficient_quota", "permission"],
    ["invalid_prompt", "invalid_request"],
    ["image_too_large", "invalid_request"],
    ["constructor", "upstream"],
  ] as const)("that fails with %s has failed as %s", async (code, type) => {
    const expected = [{ text: "Hi" }, failed(type)];

    expect(
      await play((response) => {
        response.start();
        response.text("Hi");
        response.failed(code);
      }),
    ).toEqual(expected);
    expect(
      await play((response) => {
        response.text("Hi");
        response.event("error", { code, message: "sk-secret", param: null });
        response.end();
      }),
    ).toEqual(expected);
  });
});

describe("a refusal of the Responses API", () => {
  it("is told by its status and reported in its words", async () => {
    const server = await start((response) =>
      response.fail(429, "insufficient_quota", { "x-request-id": "req_1" }),
    );
    const reports: unknown[] = [];
    const model = modelAt(server.baseUrl, {}, "sk-secret");

    const chunks = await collect(model.stream(question, running(), (found) => reports.push(found)));

    expect(chunks).toEqual([{ error: modelError("permission") }]);
    expect(reports).toEqual([
      {
        failure: {
          kind: "quota_spent",
          http_status: 429,
          code: "insufficient_quota",
          message: "the provider's own words, [redacted]",
          request_id: "req_1",
        },
      },
    ]);
  });
});
