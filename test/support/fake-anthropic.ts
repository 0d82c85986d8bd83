// Anthropic's Messages API on this machine: the events of its streams over real HTTP.
import type { ServerResponse } from "node:http";

import {
  FakeBody,
  startFakeEndpoint,
  type EndpointTurn,
  type FakeEndpoint,
} from "./fake-endpoint.ts";
import type { RecordedRequest } from "./loopback-server.ts";

export type AnthropicTurn = EndpointTurn<FakeMessage>;

/** Its `url` is for `base_url`. */
export function startFakeAnthropic(...turns: readonly AnthropicTurn[]): Promise<FakeEndpoint> {
  return startFakeEndpoint(
    "/v1/messages",
    (response, request) => new FakeMessage(response, request),
    turns,
  );
}

/** The counts at the start of a message: those of the input. */
interface StartUsage {
  readonly input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** The answer to one request, block by block. */
class FakeMessage extends FakeBody {
  readonly #model: string;
  #index = -1;

  constructor(response: ServerResponse, request: RecordedRequest) {
    super(response);
    this.#model = String((request.body as { model?: unknown } | null)?.model);
  }

  /** Answers with an error in the provider's own shape. */
  fail(status: number, type = "api_error", headers = {}): void {
    const error = { type, message: "the provider's own words, sk-ant-secret" };
    this.refuse(status, { type: "error", error, request_id: "req_fake" }, headers);
  }

  event(type: string, members: Readonly<Record<string, unknown>> = {}): void {
    this.raw(`event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`);
  }

  start(usage: StartUsage = {}): void {
    this.event("message_start", {
      message: {
        id: "msg_fake",
        type: "message",
        role: "assistant",
        model: this.#model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 1,
          service_tier: "standard",
          ...usage,
        },
      },
    });
    this.event("ping");
  }

  /** A whole block: its start, a delta for each of the others, its stop. */
  block(content_block: object, ...deltas: readonly object[]): void {
    this.#index += 1;
    const index = this.#index;
    this.event("content_block_start", { index, content_block });
    for (const delta of deltas) this.event("content_block_delta", { index, delta });
    this.event("content_block_stop", { index });
  }

  text(...pieces: readonly string[]): void {
    const deltas = pieces.map((text) => ({ type: "text_delta", text }));
    this.block({ type: "text", text: "" }, ...deltas);
  }

  thinking(thinking: string, signature: string): void {
    this.block(
      { type: "thinking", thinking: "", signature: "" },
      ...(thinking === "" ? [] : [{ type: "thinking_delta", thinking }]),
      { type: "signature_delta", signature },
    );
  }

  redacted(data: string): void {
    this.block({ type: "redacted_thinking", data });
  }

  /** The pieces are of the input's JSON text. */
  toolUse(id: string, name: string, ...pieces: readonly string[]): void {
    this.block(
      { type: "tool_use", id, name, input: {} },
      ...["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json })),
    );
  }

  /** The stop reason, and the counts of the whole call. */
  finish(stop_reason = "end_turn", usage: object = { output_tokens: 5 }): void {
    this.event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  }

  done(): void {
    this.event("message_stop");
    this.end();
  }
}

/** A whole answer of text. */
export function tells(...pieces: readonly string[]): AnthropicTurn {
  return (message) => {
    message.start();
    message.text(...pieces);
    message.finish();
    message.done();
  };
}
