// A model provider on this machine: chat completions over real HTTP, in the chunk shapes that real ones send.
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "./loopback-server.ts";

/** Plays one answer. The turns of a server are played in order; the last one again and again. */
export type FakeTurn = (stream: FakeStream, request: RecordedRequest) => void | Promise<void>;

export interface FakeOpenAi {
  /** For `base_url`. */
  readonly baseUrl: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves when a client has dropped an answer that was not at its end. */
  readonly abandoned: Promise<void>;
  stop(): Promise<void>;
}

export interface FakeCall {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

export async function startFakeOpenAi(...turns: readonly FakeTurn[]): Promise<FakeOpenAi> {
  const requests: RecordedRequest[] = [];
  const abandonment = Promise.withResolvers<void>();
  const server = await startLoopbackServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) abandonment.resolve();
    });
    if (request.method !== "POST" || request.path !== "/v1/chat/completions") {
      response.writeHead(404).end();
      return;
    }
    const turn = turns[Math.min(requests.length, turns.length - 1)];
    requests.push(request);
    if (!turn) throw new Error("the fake has no turn");
    await turn(new FakeStream(response, request), request);
  });
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    abandoned: abandonment.promise,
    stop: () => server.stop(),
  };
}

/** The answer to one request. */
export class FakeStream {
  readonly #response: ServerResponse;
  readonly #model: string;
  readonly #id = `chatcmpl-${Math.random().toString(36).slice(2)}`;

  constructor(response: ServerResponse, request: RecordedRequest) {
    this.#response = response;
    this.#model = String((request.body as { model?: unknown } | null)?.model);
  }

  /** False once the client is gone. */
  get isOpen(): boolean {
    return !this.#response.destroyed;
  }

  /** Answers with an error in the provider's own shape. */
  fail(
    status: number,
    message = "the provider's own words, sk-secret",
    headers = {},
    code: string | null = null,
  ): void {
    this.#response.writeHead(status, { "content-type": "application/json", ...headers });
    this.#response.end(JSON.stringify({ error: { message, type: "error", param: null, code } }));
  }

  /** Answers with something that is no event stream. */
  answer(body: string, contentType: string): void {
    this.#response.writeHead(200, { "content-type": contentType });
    this.#response.end(body);
  }

  /** Begins the answer with another status and other headers than a stream's. */
  head(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, headers);
  }

  /** Writes the same again and again, as fast as it is taken, until the client is gone. */
  async flood(text: string | Buffer): Promise<void> {
    while (this.isOpen) {
      this.raw(text);
      if (this.#response.writableNeedDrain) await this.#room();
    }
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#response.off("drain", go).off("close", go);
        resolve();
      };
      this.#response.on("drain", go).on("close", go);
    });
  }

  raw(text: string | Buffer): void {
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    }
    this.#response.write(text);
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
  usage(prompt_tokens: number, completion_tokens: number, cached_tokens = 0): void {
    this.event({
      ...this.#envelope(),
      choices: [],
      usage: {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        prompt_tokens_details: { cached_tokens, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  }

  done(): void {
    this.raw("data: [DONE]\n\n");
    this.#response.end();
  }

  /** Ends the body as if all had been said. */
  end(): void {
    this.#response.end();
  }

  /** Breaks the connection in the middle of the body, after what was written has left. */
  async cut(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#response.destroy();
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
