// Maps refusals of the Messages API to the error types of a reply.
import { failureKindOfError } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { refusalFrom, type EndpointRefusal } from "../stream/adapted-requests.ts";
import { classifyRefusal, wordsOf, type ModelFailure } from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";
import { parseStreamEvent } from "../stream/stream-event.ts";

/** An answer that is no success. */
export class AnthropicRefusal extends Error {
  override readonly name = "AnthropicRefusal";
  readonly failure: ModelFailure;
  readonly refusal: EndpointRefusal;

  constructor({ status, headers }: Response, body: string, nowMs: number) {
    super("the provider has refused the request");
    const error = parseStreamEvent(body);
    const words = wordsOf(error);
    this.refusal = refusalFrom(status, words.message, error ?? body);
    const { type, kind } = classifyRefusal(status, error, words);
    const request_id = headers.get("request-id") ?? headers.get("x-request-id");
    const retryAfterMs = readRetryAfterMs(headers, nowMs);
    this.failure = {
      type,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      report: {
        kind,
        http_status: status,
        ...words,
        ...(request_id !== null && { request_id }),
      },
    };
  }
}

/** As `openAiRefusal`. */
export function anthropicRefusal(error: unknown): EndpointRefusal | null {
  return error instanceof AnthropicRefusal ? error.refusal : null;
}

/** No answer within the time for it. */
export class AnthropicTimeout extends Error {
  override readonly name = "AnthropicTimeout";
}

/** Classifies the failure of a request before its stream began. */
export function classifyAnthropicError(error: unknown): ModelFailure {
  if (error instanceof AnthropicRefusal) return error.failure;
  if (error instanceof AnthropicTimeout) return { type: "connection", report: { kind: "timeout" } };
  if (OutgoingRefused.isInstance(error)) {
    return { type: "setup", report: { kind: "egress_refused", message: error.message } };
  }
  return { type: "connection", report: { kind: failureKindOfError(error, false) } };
}
