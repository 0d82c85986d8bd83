import { describe, expect, it, onTestFinished } from "vitest";

import { modelError } from "../../../agent/state/model-error.ts";
import type { ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { MsgSchema, type ErrorType } from "../../../protocol/messages/messages.ts";
import { createOpenAiModel, type OpenAiModelSettings } from "../../../model/openai/openai-model.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import {
  says,
  startFakeOpenAi,
  tokenText,
  type FakeOpenAi,
  type FakeStream,
  type FakeTurn,
} from "../../support/fake-openai.ts";
import { joinChunks } from "../../support/join-chunks.ts";

const outgoing = createOutgoing({ environment: "local", fetch });
const request: ModelRequest = {
  system_prompt: "You are the refund desk.",
  messages: [
    MsgSchema.parse({
      name: "user",
      role: "user",
      content: [{ type: "text", text: "Where is my order?" }],
    }),
  ],
  tools: [],
};

interface Arrangement extends Partial<OpenAiModelSettings> {
  readonly parameters?: Record<string, never>;
}

async function start(...turns: FakeTurn[]): Promise<FakeOpenAi> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  return server;
}

function model(base_url: string, { parameters = {}, ...settings }: Arrangement = {}) {
  const definition = { provider: "openai", name: "gpt-fake", base_url, parameters } as const;
  return createOpenAiModel({ definition, outgoing, ...settings });
}

const running = () => new AbortController().signal;

async function play(turn: FakeTurn, settings: Arrangement = {}): Promise<ModelChunk[]> {
  const server = await start(turn);
  const chunks = await collect(model(server.baseUrl, settings).stream(request, running()));
  return joinChunks(chunks);
}

function error(type: ErrorType): ModelChunk {
  return { error: modelError(type) };
}

describe("the request to a chat completions endpoint", () => {
  it("names the tool that has to be called, whatever the parameters say", async () => {
    const server = await start(says("hi"));
    const parameters: Record<string, unknown> = { tool_choice: "none" };
    const subject = model(server.baseUrl, { parameters: parameters as Record<string, never> });

    await collect(subject.stream({ ...request, tool_choice: "look_up" }, running()));

    expect(server.requests.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        tool_choice: { type: "function", function: { name: "look_up" } },
      }),
    ]);
  });

  it("holds the conversation, the parameters and the credential", async () => {
    const server = await start(says("hi"));
    const tool = {
      name: "look_up",
      description: "Looks an order up.",
      input_schema: { type: "object", properties: { id: { type: "string" } } },
      read_only: true,
      concurrency_safe: true,
      idempotent: true,
    };
    const parameters: Record<string, unknown> = {
      temperature: 0.2,
      seed: 7,
      model: "another",
      messages: [],
      tools: [],
      stream: false,
      stream_options: { include_usage: false },
      n: 3,
    };
    const subject = model(server.baseUrl, {
      apiKey: "sk-test",
      parameters: parameters as Record<string, never>,
    });

    await collect(subject.stream({ ...request, tools: [tool] }, running()));

    expect(server.requests.map(({ body }) => body)).toEqual([
      {
        model: "gpt-fake",
        messages: [
          { role: "system", content: "You are the refund desk." },
          { role: "user", content: "Where is my order?" },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "look_up",
              description: "Looks an order up.",
              parameters: { type: "object", properties: { id: { type: "string" } } },
            },
          },
        ],
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.2,
        seed: 7,
      },
    ]);
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer sk-test");
  });

  it("names no tools when there are none, and a placeholder when there is no credential", async () => {
    const server = await start(says("hi"));

    await collect(model(server.baseUrl).stream(request, running()));

    expect(Object.keys(server.requests[0]?.body as object)).toEqual([
      "model",
      "stream",
      "stream_options",
      "messages",
    ]);
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer none");
  });
});

describe("the stream of a chat completions endpoint", () => {
  it("gives text and, at its end, usage with the cached tokens", async () => {
    const chunks = await play((stream) => {
      stream.delta({ role: "assistant", content: "", refusal: null });
      stream.text("It is ");
      stream.text("on its way.");
      stream.finish();
      stream.usage(120, 9, 64, 32);
      stream.done();
    });

    expect(chunks).toEqual([
      { text: "It is on its way." },
      {
        usage: {
          input_tokens: 120,
          output_tokens: 9,
          cache_input_tokens: 64,
          cache_creation_input_tokens: 32,
        },
      },
    ]);
  });

  it.each(["reasoning_content", "reasoning"])("gives %s as thinking", async (field) => {
    const chunks = await play((stream) => {
      stream.delta({ role: "assistant", content: null, [field]: "Hm, " });
      stream.delta({ [field]: "A-17." });
      stream.text("Found.");
      stream.finish();
      stream.done();
    });

    const thinking_signature: unknown = expect.stringContaining(`"unsigned":"${field}"`);
    expect(chunks).toEqual([{ thinking: "Hm, A-17." }, { thinking_signature, text: "Found." }]);
  });

  it("keeps interleaved parallel calls apart", async () => {
    const chunks = await play((stream) => {
      stream.calls({ index: 0, id: "call_a", name: "look_up" });
      stream.calls({ index: 0, arguments: '{"id":' });
      stream.calls({ index: 1, id: "call_b", name: "refund", arguments: '{"sum"' });
      stream.calls({ index: 0, arguments: '"A"}' }, { index: 1, arguments: ":5}" });
      stream.finish("tool_calls");
      stream.done();
    });

    expect(chunks).toEqual([
      {
        tool_calls: [
          { index: 0, id: "call_a", name: "look_up", delta: '{"id":"A"}' },
          { index: 1, id: "call_b", name: "refund", delta: '{"sum":5}' },
        ],
      },
    ]);
  });

  it.each([undefined, 0])("keeps whole calls apart that all have the index %s", async (index) => {
    const chunks = await play((stream) => {
      stream.calls({ index, id: "call_a", name: "look_up", arguments: "{}" });
      stream.calls({ index, id: "call_b", name: "look_up", arguments: "{" });
      stream.calls({ index, arguments: "}" });
      stream.finish("tool_calls");
      stream.done();
    });

    expect(chunks).toEqual([
      {
        tool_calls: [
          { index: 0, id: "call_a", name: "look_up", delta: "{}" },
          { index: 1, id: "call_b", name: "look_up", delta: "{}" },
        ],
      },
    ]);
  });

  it("gives a refusal as text", async () => {
    const chunks = await play((stream) => {
      stream.delta({ role: "assistant", content: null, refusal: "I will " });
      stream.delta({ refusal: "not." });
      stream.finish();
      stream.done();
    });

    expect(chunks).toEqual([{ text: "I will not." }]);
  });

  it("ends well when the model ran into its length, and without [DONE] after a finish reason", async () => {
    const chunks = await play((stream) => {
      stream.text("It is on");
      stream.finish("length");
      stream.end();
    });

    expect(chunks).toEqual([{ text: "It is on" }, { ended_early: "output_limit" }]);
  });

  it("is read right when characters and events are cut by the network, with comments between", async () => {
    const event = Buffer.from(
      `data: ${JSON.stringify({ choices: [{ delta: { content: "🚚" } }] })}\r\n\r\n`,
    );
    const cut = event.indexOf(0xf0) + 2;

    const chunks = await play(async (stream) => {
      stream.raw(": keep-alive\n\n");
      stream.raw(event.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 10));
      stream.raw(event.subarray(cut));
      stream.done();
    });

    expect(chunks).toEqual([{ text: "🚚" }]);
  });

  it("passes each token on before the next one comes", async () => {
    const arrivals = Array.from({ length: 20 }, () => Promise.withResolvers<void>());
    const server = await start(async (stream) => {
      for (const [number, arrival] of arrivals.entries()) {
        stream.text(tokenText(number));
        await arrival.promise;
      }
      stream.finish();
      stream.done();
    });
    const texts: string[] = [];

    for await (const { text } of model(server.baseUrl).stream(request, running())) {
      if (!text) continue;
      arrivals[texts.length]?.resolve();
      texts.push(text);
    }

    expect(texts).toEqual(arrivals.map((_, number) => tokenText(number)));
  });
});

describe("a model call that fails", () => {
  it.each([
    [400, "invalid_request"],
    [401, "authentication"],
    [402, "permission"],
    [403, "permission"],
    [404, "invalid_request"],
    [422, "invalid_request"],
    [429, "rate_limit"],
    [500, "upstream"],
    [503, "upstream"],
    [302, "upstream"],
  ] as const)(
    "with %i is one %s error without the provider's words, and no second try",
    async (status, type) => {
      const server = await start((stream) => stream.fail(status, undefined, { location: "/v1/x" }));

      const chunks = await collect(model(server.baseUrl).stream(request, running()));

      expect(chunks).toEqual([error(type)]);
      expect(server.requests.length).toBe(1);
    },
  );

  const failures: readonly [string, ErrorType, (stream: FakeStream) => void | Promise<void>][] = [
    ["a cut socket", "connection", (stream) => stream.cut()],
    ["an end without a finish reason", "connection", (stream) => stream.end()],
    ["an event that is not JSON", "upstream", (stream) => stream.raw('data: {"choices": [\n\n')],
    ["an event that is no object", "upstream", (stream) => stream.event(17)],
    [
      "an error in the stream",
      "upstream",
      (stream) => stream.event({ error: { message: "overloaded" } }),
    ],
  ];
  it.each(failures)("by %s keeps what came and ends with one error", async (_case, type, fail) => {
    const chunks = await play(async (stream) => {
      stream.text("It is");
      await fail(stream);
    });

    expect(chunks).toEqual([{ text: "It is" }, error(type)]);
  });

  it("by a page instead of a stream is the provider's error", async () => {
    expect(await play((stream) => stream.answer("<html>gateway</html>", "text/html"))).toEqual([
      error("upstream"),
    ]);
  });

  it("because nobody listens is a connection error", async () => {
    const server = await startFakeOpenAi(says("hi"));
    await server.stop();

    expect(await collect(model(server.baseUrl).stream(request, running()))).toEqual([
      error("connection"),
    ]);
  });

  it("because its address is refused is an error of the setup", async () => {
    expect(await collect(model("http://models.example/v1").stream(request, running()))).toEqual([
      error("setup"),
    ]);
  });
});

describe("stopping a model call", () => {
  it("drops a stream that has gone silent and says nothing", async () => {
    const server = await start((stream) => stream.text("It is"));
    const controller = new AbortController();
    const chunks: ModelChunk[] = [];

    for await (const chunk of model(server.baseUrl).stream(request, controller.signal)) {
      chunks.push(chunk);
      setTimeout(() => controller.abort(), 10);
    }

    expect(chunks).toEqual([{ text: "It is" }]);
    await server.abandoned;
  });

  it("drops a request that has no answer yet", async () => {
    const server = await start(() => {});
    const controller = new AbortController();
    const chunks = collect(model(server.baseUrl).stream(request, controller.signal));
    await expect.poll(() => server.requests.length).toBe(1);

    controller.abort();

    expect(await chunks).toEqual([]);
    await server.abandoned;
  });

  it("drops the stream when its reader leaves", async () => {
    const server = await start((stream) => stream.text("It is"));

    for await (const chunk of model(server.baseUrl).stream(request, running())) {
      expect(chunk).toEqual({ text: "It is" });
      break;
    }

    await server.abandoned;
  });

  it("sends nothing when it was stopped before", async () => {
    const server = await start(says("hi"));

    expect(await collect(model(server.baseUrl).stream(request, AbortSignal.abort()))).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
