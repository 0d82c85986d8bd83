// A model provider on this machine, whatever its wire: turns over real HTTP.
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "./loopback-server.ts";

/** Plays one answer. The turns of a server are played in order; the last one again and again. */
export type EndpointTurn<Body> = (body: Body, request: RecordedRequest) => void | Promise<void>;

export interface FakeEndpoint {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves when a client has dropped an answer that was not at its end. */
  readonly abandoned: Promise<void>;
  stop(): Promise<void>;
}

/** @param path Where it listens; anything else is 404. */
export async function startFakeEndpoint<Body extends FakeBody>(
  path: string,
  createBody: (response: ServerResponse, request: RecordedRequest) => Body,
  turns: readonly EndpointTurn<Body>[],
): Promise<FakeEndpoint> {
  const requests: RecordedRequest[] = [];
  const abandonment = Promise.withResolvers<void>();
  const server = await startLoopbackServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) abandonment.resolve();
    });
    if (request.method !== "POST" || request.path !== path) {
      response.writeHead(404).end();
      return;
    }
    const turn = turns[Math.min(requests.length, turns.length - 1)];
    requests.push(request);
    if (!turn) throw new Error("the fake has no turn");
    await turn(createBody(response, request), request);
  });
  return {
    url: server.url,
    requests,
    abandoned: abandonment.promise,
    stop: () => server.stop(),
  };
}

/** The answer to one request. */
export class FakeBody {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** False once the client is gone. */
  get isOpen(): boolean {
    return !this.#response.destroyed;
  }

  /** Answers with a refusal. */
  refuse(status: number, value: unknown, headers = {}): void {
    this.#response.writeHead(status, { "content-type": "application/json", ...headers });
    this.#response.end(JSON.stringify(value));
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

  /** Ends the body as if all had been said. */
  end(): void {
    this.#response.end();
  }

  /** Breaks the connection in the middle of the body, after what was written has left. */
  async cut(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#response.destroy();
  }
}
