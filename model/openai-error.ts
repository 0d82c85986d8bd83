// From the openai package's exceptions to the types of a reply's error. Their texts stay here: they may quote
// the provider, the address or the credential.
import { APIConnectionError, APIError } from "openai";

import type { ErrorType } from "../protocol/messages.ts";
import { OutgoingRefused } from "../tools/outgoing.ts";

const TYPES: Readonly<Record<number, ErrorType>> = {
  400: "invalid_request",
  401: "authentication",
  402: "permission",
  403: "permission",
  404: "invalid_request",
  408: "connection",
  413: "invalid_request",
  415: "invalid_request",
  422: "invalid_request",
  429: "rate_limit",
};

/** What a request that got no stream failed with. */
export function classifyOpenAiError(error: unknown): ErrorType {
  if (error instanceof APIConnectionError) {
    return OutgoingRefused.isInstance(error.cause) ? "setup" : "connection";
  }
  // Anything that is no answer of the provider was thrown before one: a parameter that cannot be sent, say.
  if (!(error instanceof APIError)) return "unknown";
  return TYPES[error.status ?? 0] ?? "upstream";
}
