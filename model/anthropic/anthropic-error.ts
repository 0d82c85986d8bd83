// Maps refusals of the Messages API, and errors within its stream, to the error types of a reply.
import type { ErrorType } from "../../protocol/messages/messages.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { asFields } from "../stream/stream-event.ts";
import { typeOfStatus, type ModelFailure } from "../stream/model-failure.ts";

/** An answer that is no success. */
export class AnthropicRefusal extends Error {
  override readonly name = "AnthropicRefusal";
  readonly failure: ModelFailure;

  constructor(status: number, retryAfterMs: number | undefined) {
    super("the provider has refused the request");
    this.failure = {
      type: typeOfStatus(status),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

/** By the `type` of an error; any other is `upstream`, such as `overloaded_error` and `api_error`. */
const TYPES: Readonly<Record<string, ErrorType>> = {
  authentication_error: "authentication",
  billing_error: "permission",
  permission_error: "permission",
  rate_limit_error: "rate_limit",
  invalid_request_error: "invalid_request",
  not_found_error: "invalid_request",
  request_too_large: "invalid_request",
};

/** Classifies the failure of a request before its stream began. */
export function classifyAnthropicError(error: unknown): ModelFailure {
  if (error instanceof AnthropicRefusal) return error.failure;
  return { type: OutgoingRefused.isInstance(error) ? "setup" : "connection" };
}

/** Classifies the error of a stream's `error` event. */
export function classifyAnthropicEvent(error: unknown): ErrorType {
  const type = asFields(error)?.["type"];
  return (typeof type === "string" && Object.hasOwn(TYPES, type) && TYPES[type]) || "upstream";
}
