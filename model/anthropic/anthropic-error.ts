// Maps refusals of the Messages API, and errors within its stream, to the error types of a reply.
import { failureKindOfError } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import {
  classifyEventError,
  classifyRefusal,
  wordsOf,
  type ModelFailure,
} from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";
import { parseStreamEvent } from "../stream/stream-event.ts";

/** An answer that is no success. */
export class AnthropicRefusal extends Error {
  override readonly name = "AnthropicRefusal";
  readonly failure: ModelFailure;

  constructor({ status, headers }: Response, body: string, nowMs: number) {
    super("the provider has refused the request");
    const error = parseStreamEvent(body);
    const words = wordsOf(error);
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

/** No answer within the time for it. */
export class AnthropicTimeout extends Error {
  override readonly name = "AnthropicTimeout";
}

/** The status of the same error outside of a stream; any other type is like 500, `overloaded_error` among them. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
};

/** Classifies the failure of a request before its stream began. */
export function classifyAnthropicError(error: unknown): ModelFailure {
  if (error instanceof AnthropicRefusal) return error.failure;
  if (error instanceof AnthropicTimeout) return { type: "connection", report: { kind: "timeout" } };
  if (OutgoingRefused.isInstance(error)) {
    return { type: "setup", report: { kind: "egress_refused", message: error.message } };
  }
  return { type: "connection", report: { kind: failureKindOfError(error, false) } };
}

/** Classifies the error of a stream's `error` event. */
export function classifyAnthropicEvent(error: unknown): ModelFailure {
  const { code = "" } = wordsOf(error);
  const status = (Object.hasOwn(STATUSES, code) && STATUSES[code]) || 500;
  return classifyEventError(status, error);
}
