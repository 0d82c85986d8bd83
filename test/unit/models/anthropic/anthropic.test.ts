// The Messages API: what is sent, and what becomes of its streams.
import { describe, expect, it } from "vitest";

import { collect } from "../../../support/collect.ts";
import { tells, type AnthropicTurn } from "../../../support/fake-anthropic.ts";
import {
  bodyOf,
  failed,
  lookUp,
  modelAt,
  outgoing,
  play,
  question,
  running,
  start,
} from "./stage.ts";
import { createAnthropicModel } from "../../../../model/anthropic/anthropic-model.ts";

const ephemeral = { cache_control: { type: "ephemeral" } };
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

describe("the request to the Messages API", () => {
  it("holds the conversation with its breakpoints, the parameters and the credential", async () => {
    const server = await start(tells("hi"));
    const parameters = {
      max_tokens: 500,
      thinking: { type: "adaptive" },
      model: "another",
      messages: [],
      system: "x",
      tools: [],
      stream: false,
    };
    const model = modelAt(server.url, { apiKey: "sk-ant-test", parameters });

    await collect(model.stream({ ...question, tools: [lookUp] }, running()));

    const [request] = server.requests;
    expect(request?.body).toEqual({
      model: "claude-fake",
      max_tokens: 500,
      thinking: { type: "adaptive" },
      system: [{ type: "text", text: "You are the refund desk.", ...ephemeral }],
      tools: [
        {
          name: "look_up",
          description: "Looks an order up.",
          input_schema: { type: "object", properties: { id: { type: "string" } } },
          ...ephemeral,
        },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "Where is my order?", ...ephemeral }] },
      ],
      stream: true,
    });
    expect(request?.headers).toMatchObject({
      "x-api-key": "sk-ant-test",
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    });
  });

  it("has a max_tokens, no tools and no key when nothing sets any", async () => {
    const server = await start(tells("hi"));

    await collect(
      modelAt(`${server.url}/v1`).stream({ ...question, system_prompt: "" }, running()),
    );

    const [request] = server.requests;
    expect(Object.keys(request?.body as object).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
    ]);
    expect(request?.body).toMatchObject({ max_tokens: 8_192 });
    expect(request?.headers["x-api-key"]).toBeUndefined();
  });

  it("names the tool that has to be called, and asks for no thinking then", async () => {
    const parameters = { thinking: { type: "adaptive" }, tool_choice: { type: "none" } };
    const request = { ...question, tools: [lookUp], tool_choice: "look_up" };

    const body = await bodyOf(tells("hi"), request, { parameters });

    expect(body["tool_choice"]).toEqual({ type: "tool", name: "look_up" });
    expect(body["thinking"]).toBeUndefined();
  });

  it("has what the reply sets, under the names of the API", async () => {
    const options = {
      parameters: { temperature: 0.5, top_p: 0.9, max_tokens: 50, stop: ["END"], seed: 1 },
      reasoning_effort: "minimal",
      tool_choice: "required",
      parallel_tool_calls: false,
    } as const;
    const parameters = { max_tokens: 900, output_config: { format: null } };

    const body = await bodyOf(
      tells("hi"),
      { ...question, tools: [lookUp], options },
      { parameters },
    );

    expect(body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 50,
      stop_sequences: ["END"],
      output_config: { format: null, effort: "low" },
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    });
    expect(body["seed"]).toBeUndefined();
  });

  it.each([
    [{ tool_choice: "none" }, { type: "none" }],
    [{ tool_choice: "auto" }, { type: "auto" }],
    [{ tool_choice: { name: "look_up" } }, { type: "tool", name: "look_up" }],
    [{ parallel_tool_calls: false }, { type: "auto", disable_parallel_tool_use: true }],
    [{}, undefined],
  ] as const)("says %j as the tool_choice %j", async (options, tool_choice) => {
    const body = await bodyOf(tells("hi"), { ...question, tools: [lookUp], options });

    expect(body["tool_choice"]).toEqual(tool_choice);
  });
});

describe("a stream of the Messages API", () => {
  it("is text, then the usage, of which cached tokens are a part", async () => {
    const chunks = await play((message) => {
      message.start({
        input_tokens: 3,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 20,
      });
      message.text("On its", " way.");
      message.finish("end_turn", { output_tokens: 7, input_tokens: null });
      message.done();
    });

    expect(chunks).toEqual([
      { text: "On its way." },
      {
        usage: {
          input_tokens: 123,
          output_tokens: 7,
          cache_input_tokens: 100,
          cache_creation_input_tokens: 20,
        },
      },
    ]);
  });

  it("is thinking with its signature, encrypted thinking, text and calls in their order", async () => {
    const chunks = await play((message) => {
      message.start();
      message.thinking("Two orders.", "c2ln");
      message.redacted("ZW5j");
      message.text("I look.");
      message.toolUse("toolu_1", "look_up", '{"id":', '"A-1"}');
      message.toolUse("toolu_2", "look_up");
      message.finish("tool_use");
      message.done();
    });

    expect(chunks).toEqual([
      { thinking: "Two orders." },
      { thinking_signature: expect.stringContaining('"signature":"c2ln"') },
      { thinking_signature: expect.stringContaining('"data":"ZW5j"') },
      { text: "I look." },
      {
        tool_calls: [
          { index: 0, id: "toolu_1", name: "look_up", delta: '{"id":"A-1"}' },
          { index: 1, id: "toolu_2", name: "look_up", delta: "" },
        ],
      },
      { usage },
    ]);
  });

  it("may have an input in the start of its block, and a text too", async () => {
    const chunks = await play((message) => {
      message.start();
      message.block({ type: "text", text: "I look." });
      message.block({ type: "tool_use", id: "toolu_1", name: "look_up", input: { id: "A-1" } });
      message.finish("tool_use");
      message.done();
    });

    expect(chunks).toEqual([
      { text: "I look." },
      { tool_calls: [{ index: 0, id: "toolu_1", name: "look_up", delta: '{"id":"A-1"}' }] },
      { usage },
    ]);
  });

  it("ignores what it does not know", async () => {
    const chunks = await play((message) => {
      message.start();
      message.event("a_later_event", { index: 0 });
      message.block({ type: "server_tool_use", id: "x", name: "web_search", input: {} });
      message.text("Hi");
      message.finish();
      message.done();
    });

    expect(chunks).toEqual([{ text: "Hi" }, { usage }]);
  });

  it.each([
    ["max_tokens", [{ ended_early: "output_limit" }]],
    ["model_context_window_exceeded", [{ ended_early: "output_limit" }]],
    ["stop_sequence", []],
    ["pause_turn", []],
  ] as const)(
    "that ends with %s is complete, also without its last event",
    async (reason, told) => {
      const chunks = await play((message) => {
        message.start();
        message.text("Hi");
        message.finish(reason);
        message.end();
      });

      expect(chunks).toEqual([{ text: "Hi" }, { usage }, ...told]);
    },
  );

  it("that the model refused is no answer, and not asked for again", async () => {
    const chunks = await play((message) => {
      message.start();
      message.finish("refusal");
      message.done();
    });

    expect(chunks).toEqual([{ usage }, failed("invalid_request")]);
  });

  it.each([
    ["overloaded_error", "upstream"],
    ["api_error", "upstream"],
    ["rate_limit_error", "rate_limit"],
    ["invalid_request_error", "invalid_request"],
    ["authentication_error", "authentication"],
    ["permission_error", "permission"],
    ["__proto__", "upstream"],
  ] as const)("that breaks off with %s has failed as %s", async (type, expected) => {
    const chunks = await play((message) => {
      message.start();
      message.text("Hi");
      message.event("error", { error: { type, message: "sk-ant-secret" } });
      message.end();
    });

    expect(chunks).toEqual([{ text: "Hi" }, failed(expected)]);
  });
});

describe("a refusal of the Messages API", () => {
  it.each([
    [400, "invalid_request"],
    [401, "authentication"],
    [403, "permission"],
    [404, "invalid_request"],
    [429, "rate_limit"],
    [500, "upstream"],
    [529, "upstream"],
  ] as const)("with status %d is %s", async (status, type) => {
    expect(await play((message) => message.fail(status))).toEqual([failed(type)]);
  });

  it("says when to come back", async () => {
    const turn: AnthropicTurn = (message) =>
      message.fail(429, "rate_limit_error", { "retry-after": "7" });

    expect(await play(turn)).toEqual([{ ...failed("rate_limit"), retry_after_ms: 7_000 }]);
  });

  it("is reported with the provider's words, without the key", async () => {
    const server = await start((message) =>
      message.fail(529, "overloaded_error", { "request-id": "req_1" }),
    );
    const reports: unknown[] = [];
    const model = modelAt(server.url, { apiKey: "sk-ant-secret" });

    await collect(model.stream(question, running(), (found) => reports.push(found)));

    expect(reports).toEqual([
      {
        failure: {
          kind: "provider_error",
          http_status: 529,
          code: "overloaded_error",
          message: "the provider's own words, [redacted]",
          request_id: "req_1",
        },
      },
    ]);
    expect(model.origin).toEqual({
      provider: "anthropic",
      host: new URL(server.url).host,
      credential_id: null,
    });
  });

  it("is connection when nobody listens, and setup for an address that is not allowed", async () => {
    const silent = await start(tells("hi"));
    await silent.stop();
    const forbidden = createAnthropicModel({
      definition: {
        provider: "anthropic",
        name: "m",
        base_url: "https://10.0.0.1",
        parameters: {},
      },
      outgoing,
    });

    expect(await collect(modelAt(silent.url).stream(question, running()))).toEqual([
      failed("connection"),
    ]);
    expect(await collect(forbidden.stream(question, running()))).toEqual([failed("setup")]);
  });
});
