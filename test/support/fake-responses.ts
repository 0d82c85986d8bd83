// OpenAI's Responses API on this machine: the events of its streams over real HTTP.
import type { ServerResponse } from "node:http";

import {
  FakeBody,
  startFakeEndpoint,
  type EndpointTurn,
  type FakeEndpoint,
} from "./fake-endpoint.ts";
import type { RecordedRequest } from "./loopback-server.ts";

export type ResponsesTurn = EndpointTurn<FakeResponse>;

export interface FakeResponses extends Omit<FakeEndpoint, "url"> {
  /** For `base_url`. */
  readonly baseUrl: string;
}

export async function startFakeResponses(
  ...turns: readonly ResponsesTurn[]
): Promise<FakeResponses> {
  const { url, ...endpoint } = await startFakeEndpoint(
    "/v1/responses",
    (response, request) => new FakeResponse(response, request),
    turns,
  );
  return { ...endpoint, baseUrl: `${url}/v1` };
}

/** The answer to one request, item by item. */
class FakeResponse extends FakeBody {
  readonly #model: string;
  #sequence = 0;
  readonly #output: object[] = [];

  constructor(response: ServerResponse, request: RecordedRequest) {
    super(response);
    this.#model = String((request.body as { model?: unknown } | null)?.model);
  }

  /** Answers with an error in the provider's own shape. */
  fail(status: number, code: string | null = null, headers = {}): void {
    const message = "the provider's own words, sk-secret";
    this.refuse(status, { error: { message, type: "error", param: null, code } }, headers);
  }

  event(type: string, members: Readonly<Record<string, unknown>> = {}): void {
    const event = { type, sequence_number: this.#sequence, ...members };
    this.#sequence += 1;
    this.raw(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  start(): void {
    this.event("response.created", { response: this.#response("in_progress") });
    this.event("response.in_progress", { response: this.#response("in_progress") });
  }

  /** A whole item: its start, events with its place, its end. */
  item(
    begun: object,
    ended: object,
    ...between: readonly (readonly [type: string, members: object])[]
  ): void {
    const output_index = this.#output.length;
    const item_id = (ended as { id: string }).id;
    this.event("response.output_item.added", { output_index, item: begun });
    for (const [type, members] of between) this.event(type, { output_index, item_id, ...members });
    this.event("response.output_item.done", { output_index, item: ended });
    this.#output.push(ended);
  }

  text(...pieces: readonly string[]): void {
    const id = `msg_${this.#output.length}`;
    const message = { id, type: "message", role: "assistant" };
    const text = pieces.join("");
    const part = (said: string) => ({
      type: "output_text",
      text: said,
      annotations: [],
      logprobs: [],
    });
    const place = { content_index: 0 };
    this.item(
      { ...message, status: "in_progress", content: [] },
      { ...message, status: "completed", content: [part(text)] },
      ["response.content_part.added", { ...place, part: part("") }],
      ...pieces.map(
        (delta) => ["response.output_text.delta", { ...place, delta, logprobs: [] }] as const,
      ),
      ["response.output_text.done", { ...place, text, logprobs: [] }],
      ["response.content_part.done", { ...place, part: part(text) }],
    );
  }

  refusal(refusal: string): void {
    const id = `msg_${this.#output.length}`;
    const message = { id, type: "message", role: "assistant" };
    this.item(
      { ...message, status: "in_progress", content: [] },
      { ...message, status: "completed", content: [{ type: "refusal", refusal }] },
      ["response.refusal.delta", { content_index: 0, delta: refusal }],
    );
  }

  /** @param summary The parts of its summary. */
  reasoning(encrypted_content: string | null, ...summary: readonly string[]): void {
    const id = `rs_${this.#output.length}`;
    const parts = summary.map((text) => ({ type: "summary_text", text }));
    this.item(
      { id, type: "reasoning", summary: [] },
      { id, type: "reasoning", summary: parts, encrypted_content },
      ...summary.flatMap((text, summary_index) => [
        [
          "response.reasoning_summary_part.added",
          { summary_index, part: { type: "summary_text", text: "" } },
        ] as const,
        ["response.reasoning_summary_text.delta", { summary_index, delta: text }] as const,
        ["response.reasoning_summary_text.done", { summary_index, text }] as const,
      ]),
    );
  }

  /** The pieces are of the arguments' JSON text. */
  functionCall(call_id: string, name: string, ...pieces: readonly string[]): void {
    const id = `fc_${this.#output.length}`;
    const call = { id, type: "function_call", call_id, name };
    this.item(
      { ...call, status: "in_progress", arguments: "" },
      { ...call, status: "completed", arguments: pieces.join("") },
      ...pieces.map((delta) => ["response.function_call_arguments.delta", { delta }] as const),
      ["response.function_call_arguments.done", { arguments: pieces.join("") }],
    );
  }

  image(result: string, output_format = "png"): void {
    const id = `ig_${this.#output.length}`;
    const call = { id, type: "image_generation_call" };
    this.item(
      { ...call, status: "in_progress" },
      { ...call, status: "completed", result, output_format },
      ["response.image_generation_call.generating", {}],
    );
  }

  /** The last event: the whole response. */
  done(status: "completed" | "incomplete" = "completed", reason = "max_output_tokens"): void {
    const incomplete_details = status === "incomplete" ? { reason } : null;
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 15,
    };
    this.event(`response.${status}`, {
      response: { ...this.#response(status), incomplete_details, usage },
    });
    this.end();
  }

  failed(code: string): void {
    const error = { code, message: "the provider's own words, sk-secret" };
    this.event("response.failed", { response: { ...this.#response("failed"), error } });
    this.end();
  }

  #response(status: string): object {
    return {
      id: "resp_fake",
      object: "response",
      created_at: 1_790_000_000,
      status,
      error: null,
      incomplete_details: null,
      instructions: null,
      model: this.#model,
      output: this.#output,
      parallel_tool_calls: true,
      store: false,
      tool_choice: "auto",
      tools: [],
      usage: null,
    };
  }
}

/** A whole answer of text. */
export function responds(...pieces: readonly string[]): ResponsesTurn {
  return (response) => {
    response.start();
    response.text(...pieces);
    response.done();
  };
}
