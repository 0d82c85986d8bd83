// A model provider on this machine: chat completions over real HTTP, in the chunk shapes that real ones send.
import type { ServerResponse } from "node:http";

import {
  FakeBody,
  startFakeEndpoint,
  type EndpointTurn,
  type FakeEndpoint,
} from "./fake-endpoint.ts";
import type { RecordedRequest } from "./loopback-server.ts";

export type FakeTurn = EndpointTurn<FakeStream>;

export interface FakeOpenAi extends Omit<FakeEndpoint, "url"> {
  /** For `base_url`. */
  readonly baseUrl: string;
}

export interface FakeCall {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

export async function startFakeOpenAi(...turns: readonly FakeTurn[]): Promise<FakeOpenAi> {
  const { url, ...endpoint } = await startFakeEndpoint(
    "/v1/chat/completions",
    (response, request) => new FakeStream(response, request),
    turns,
  );
  return { ...endpoint, baseUrl: `${url}/v1` };
}

/** The answer to one request. */
export class FakeStream extends FakeBody {
  readonly #model: string;
  readonly #id = `chatcmpl-${Math.random().toString(36).slice(2)}`;

  constructor(response: ServerResponse, request: RecordedRequest) {
    super(response);
    this.#model = String((request.body as { model?: unknown } | null)?.model);
  }

  /** Answers with an error in the provider's own shape. */
  fail(
    status: number,
    message = "the provider's own words, sk-secret",
    headers = {},
    code: string | null = null,
  ): void {
    this.refuse(status, { error: { message, type: "error", param: null, code } }, headers);
  }

  event(value: unknown): void {
    this.raw(`data: ${JSON.stringify(value)}\n\n`);
  }

  delta(delta: Readonly<Record<string, unknown>>, finish_reason: string | null = null): void {
    this.event({
      ...this.#envelope(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
  }

  text(content: string): void {
    this.delta({ content });
  }

  calls(...calls: readonly FakeCall[]): void {
    this.delta({
      tool_calls: calls.map(({ index, id, name, arguments: input = "" }) => ({
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id, type: "function" }),
        function: { ...(name !== undefined && { name }), arguments: input },
      })),
    });
  }

  finish(reason = "stop"): void {
    this.delta({}, reason);
  }

  /** The last chunk before the end, which has no choices. */
  usage(
    prompt_tokens: number,
    completion_tokens: number,
    cached_tokens = 0,
    cache_write_tokens = 0,
  ): void {
    this.event({
      ...this.#envelope(),
      choices: [],
      usage: {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        prompt_tokens_details: { cached_tokens, cache_write_tokens, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  }

  done(): void {
    this.raw("data: [DONE]\n\n");
    this.end();
  }

  #envelope() {
    return {
      id: this.#id,
      object: "chat.completion.chunk",
      created: 1_790_000_000,
      model: this.#model,
      service_tier: "default",
      system_fingerprint: "fp_fake",
      usage: null,
    };
  }
}

/** A whole answer of text, a chunk for each piece. */
export function says(...texts: readonly string[]): FakeTurn {
  return (stream) => {
    stream.delta({ role: "assistant", content: "", refusal: null });
    for (const text of texts) stream.text(text);
    stream.finish();
    stream.usage(10, texts.length);
    stream.done();
  };
}

/** The text of token `number`: each is found again in what arrives, however it was merged. */
export function tokenText(number: number): string {
  return ` t${String(number).padStart(5, "0")}`;
}

/** Streams `count` tokens at a set rate, by a schedule that a late timer does not shift. */
export function paced(count: number, tokensPerSecond: number): FakeTurn {
  return async (stream) => {
    stream.delta({ role: "assistant", content: "", refusal: null });
    const startedAtMs = performance.now();
    for (let number = 0; number < count && stream.isOpen; number += 1) {
      const dueMs = startedAtMs + (number * 1_000) / tokensPerSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      stream.text(tokenText(number));
    }
    stream.finish();
    stream.usage(10, count);
    stream.done();
  };
}
