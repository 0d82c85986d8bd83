// Refusals of a conversation that is longer than the model's window, as providers word them. Sources: the issues and
// documents of the servers that are named.
import { describe, expect, it } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import type { EndpointTurn, FakeBody } from "../../../support/fake-endpoint.ts";
import { eventText, startWire, WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };
const TOO_LONG: ModelChunk = { error: modelError("invalid_request"), context_too_long: true };

interface Played {
  readonly chunks: readonly ModelChunk[];
  readonly failure: FailureReport | null;
}

async function play(wire: Wire, turn: EndpointTurn<FakeBody>): Promise<Played> {
  const server = await startWire(wire, turn);
  const chunks: ModelChunk[] = [];
  let failure: FailureReport | null = null;
  const stream = wire.model(server.url).stream(request, new AbortController().signal, (found) => {
    if ("failure" in found) failure = found.failure;
  });
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, failure };
}

function refuses(status: number, body: unknown): EndpointTurn<FakeBody> {
  return (response) => {
    response.head(status, { "content-type": "application/json" });
    response.raw(typeof body === "string" ? body : JSON.stringify(body));
    response.end();
  };
}

function streams(...events: readonly object[]): EndpointTurn<FakeBody> {
  return (response) => {
    response.raw(eventText(events));
    response.end();
  };
}

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** By who says so. */
const REFUSALS: readonly (readonly [string, number, unknown])[] = [
  [
    "OpenAI, of chat completions",
    400,
    said(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
      { type: "invalid_request_error", param: "messages", code: "context_length_exceeded" },
    ),
  ],
  [
    "OpenAI, of responses",
    400,
    said(
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      {
        code: "context_length_exceeded",
      },
    ),
  ],
  [
    "OpenAI, by words alone",
    400,
    said(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.",
    ),
  ],
  [
    "OpenAI, of one request above what is allowed in a minute",
    429,
    said(
      "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 56044.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
  ],
  [
    "Groq, likewise",
    413,
    said(
      "Request too large for model `llama-3.3-70b-versatile` in organization `org_x` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
  ],
  [
    "Groq",
    400,
    said("Please reduce the length of the messages or completion.", { param: "messages" }),
  ],
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "prompt is too long: 208310 tokens > 200000 maximum",
      },
    },
  ],
  [
    "Anthropic, with max_tokens",
    400,
    said(
      "input length and `max_tokens` exceed context limit: 184915 + 20000 > 204648, decrease input length or `max_tokens` and try again",
    ),
  ],
  [
    "Anthropic, of bytes",
    413,
    {
      type: "error",
      error: { type: "request_too_large", message: "Request exceeds the maximum size" },
    },
  ],
  ["a proxy that knows bytes only", 413, "<html>Request Entity Too Large</html>"],
  [
    "vLLM before 0.16, without a member around it",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM since 0.16",
    400,
    said(
      "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens.",
      { type: "BadRequestError", param: "input_tokens", code: 400 },
    ),
  ],
  [
    "llama.cpp",
    400,
    said(
      "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
      {
        code: 400,
        type: "exceed_context_size_error",
        n_prompt_tokens: 4_390,
        n_ctx: 4_096,
      },
    ),
  ],
  [
    "llama.cpp, as a fault of its own",
    500,
    said("Context size has been exceeded.", { code: 500, type: "server_error" }),
  ],
  ["Ollama", 400, { error: "the input length exceeds the context length" }],
  [
    "Ollama, since it counts",
    400,
    said("prompt too long; exceeded max context length by 4096 tokens"),
  ],
  [
    "Mistral, without a member around it",
    400,
    {
      object: "error",
      message:
        "Prompt contains 300000 tokens, too large for model with 131072 maximum context length",
      type: "invalid_request_prompt",
      code: "3051",
    },
  ],
  [
    "Google",
    400,
    said(
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
      {
        code: 400,
        status: "INVALID_ARGUMENT",
      },
    ),
  ],
  [
    "xAI",
    400,
    said("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
  ],
  [
    "OpenRouter, with another's words inside",
    400,
    said("Provider returned error", {
      code: 400,
      metadata: { raw: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}' },
    }),
  ],
  [
    "Together",
    400,
    said("The input (516368 tokens) is longer than the model's context length (262144 tokens)."),
  ],
  [
    "LM Studio",
    400,
    said(
      "The number of tokens to keep from the initial prompt is greater than the context length.",
    ),
  ],
  ["Kimi", 400, said("Your request exceeded model token limit: 262144 (requested: 300000)")],
  ["MiniMax", 400, said("invalid params, context window exceeds limit (2013)")],
  [
    "DashScope",
    400,
    said("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"),
  ],
  ["FastAPI", 422, { detail: "Requested tokens (2285) exceed context window of 2048" }],
];

const OTHERS: readonly (readonly [string, number, unknown])[] = [
  [
    "a rate",
    429,
    said("Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000."),
  ],
  ["throttling by tokens", 429, said("Too many tokens, please wait before trying again.")],
  [
    "an output that is too long",
    400,
    said("max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens"),
  ],
  [
    "a member that is too long",
    400,
    said(
      "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.",
    ),
  ],
  [
    "a wrong key, whose text speaks of it",
    401,
    said("This key may not use the context window of 1M; maximum context length is 8"),
  ],
  ["a fault", 500, said("The server had an error while processing your request.")],
];

describe.each(WIRES)("a conversation that is too long for a model of $name", (wire) => {
  it.each(REFUSALS)("is told as such where %s refuses it", async (_who, status, body) => {
    const { chunks, failure } = await play(wire, refuses(status, body));

    expect(chunks).toEqual([TOO_LONG]);
    expect(failure).toMatchObject({ kind: "context_too_long", http_status: status });
  });

  it.each(OTHERS)("is not what is meant by %s", async (_what, status, body) => {
    const { chunks, failure } = await play(wire, refuses(status, body));

    expect(chunks[0]).not.toHaveProperty("context_too_long");
    expect(failure?.kind).not.toBe("context_too_long");
  });
});

const CODED = {
  code: "context_length_exceeded",
  message: "Your input exceeds the context window of this model.",
};

/** By wire: an error within its stream, and an end at the limit of the window. */
const WITHIN: Readonly<Record<string, { error: readonly object[]; full: readonly object[] }>> = {
  "chat completions": {
    error: [{ error: CODED }],
    full: [{ choices: [{ index: 0, delta: {}, finish_reason: "model_length" }] }],
  },
  responses: {
    error: [{ type: "response.failed", response: { status: "failed", error: CODED } }],
    full: [
      {
        type: "response.incomplete",
        response: {
          status: "incomplete",
          incomplete_details: { reason: "model_context_window_exceeded" },
        },
      },
    ],
  },
  anthropic: {
    error: [
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 9 tokens > 8 maximum",
        },
      },
    ],
    full: [
      { type: "message_delta", delta: { stop_reason: "model_context_window_exceeded" } },
      { type: "message_stop" },
    ],
  },
};

describe.each(WIRES)("within a stream of $name", (wire) => {
  const { error, full } = WITHIN[wire.name]!;

  it("an error says it", async () => {
    const { chunks, failure } = await play(wire, streams(...error));

    expect(chunks).toEqual([TOO_LONG]);
    expect(failure).toMatchObject({ kind: "context_too_long" });
  });

  it("a window that was full before the first word is one that is too small", async () => {
    const { chunks, failure } = await play(wire, streams(...full));

    expect(chunks.at(-1)).toEqual(TOO_LONG);
    expect(failure).toEqual({ kind: "context_too_long" });
  });

  it("a window that was full after some words ends the call like any other", async () => {
    const { chunks, failure } = await play(wire, streams(...wire.text("Hi"), ...full));

    expect(chunks[0]).toEqual({ text: "Hi" });
    expect(chunks.at(-1)?.error).toBeUndefined();
    expect(failure).toBeNull();
  });
});

describe("an error event of the Responses API", () => {
  it("says it by its code", async () => {
    const wire = WIRES.find(({ name }) => name === "responses")!;

    const { chunks } = await play(wire, streams({ type: "error", ...CODED, sequence_number: 1 }));

    expect(chunks).toEqual([TOO_LONG]);
  });
});
