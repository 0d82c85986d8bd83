// From what the openai package throws, and from errors within a stream, to the types of a reply's error. Their
// texts stay here: they may quote the provider, the address or the credential.
import { APIConnectionError, APIError } from "openai";

import type { ErrorType } from "../../protocol/messages/messages.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { readRetryAfterMs } from "./read-retry-after.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
}

/** Other refusals from 400 on are the request's fault, and 500 and above the provider's. */
const TYPES: Readonly<Record<number, ErrorType>> = {
  401: "authentication",
  402: "permission",
  403: "permission",
  408: "connection",
  409: "upstream",
  425: "upstream",
  429: "rate_limit",
};

/** What a request that got no stream failed with. */
export function classifyOpenAiError(error: unknown): ModelFailure {
  if (error instanceof APIConnectionError) {
    return { type: OutgoingRefused.isInstance(error.cause) ? "setup" : "connection" };
  }
  // Anything that is no answer of the provider was thrown before one: a parameter that cannot be sent, say.
  if (!(error instanceof APIError)) return { type: "unknown" };
  const { status = 0, code, headers } = error as APIError;
  // A spent budget is told with the status of too many requests, and does not pass by waiting.
  if (status === 429 && code === "insufficient_quota") return { type: "permission" };
  return {
    type: typeOfStatus(status),
    ...(headers && { retryAfterMs: readRetryAfterMs(headers, Date.now()) }),
  };
}

/** What a stream failed with that ends in `{"error": …}`. Some endpoints give an HTTP status as its code. */
export function classifyStreamError(error: unknown): ErrorType {
  if (typeof error !== "object" || error === null || !("code" in error)) return "upstream";
  const { code } = error;
  return typeof code === "number" ? typeOfStatus(code) : "upstream";
}

function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}
