// Maps exceptions of the openai package, and errors within a stream, to the error types of a reply. Their texts are not
// passed on: they may contain the provider, the URL or the credential.
import { APIConnectionError, APIError } from "openai";

import type { ErrorType } from "../../protocol/messages/messages.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
}

/** Any other 4xx is `invalid_request`, any 5xx `upstream`. */
const TYPES: Readonly<Record<number, ErrorType>> = {
  401: "authentication",
  402: "permission",
  403: "permission",
  408: "connection",
  409: "upstream",
  425: "upstream",
  429: "rate_limit",
};

/** Classifies the failure of a request before its stream began. */
export function classifyOpenAiError(error: unknown): ModelFailure {
  if (error instanceof APIConnectionError) {
    return { type: OutgoingRefused.isInstance(error.cause) ? "setup" : "connection" };
  }
  // Not a provider's answer: thrown before the request was sent, for example for an invalid parameter.
  if (!(error instanceof APIError)) return { type: "unknown" };
  const { status = 0, code, headers } = error as APIError;
  // An exhausted budget also has status 429, but a retry does not help.
  if (status === 429 && code === "insufficient_quota") return { type: "permission" };
  return {
    type: typeOfStatus(status),
    ...(headers && { retryAfterMs: readRetryAfterMs(headers, Date.now()) }),
  };
}

/** Classifies a stream's `{"error": …}` event. Some endpoints use an HTTP status as its code. */
export function classifyStreamError(error: unknown): ErrorType {
  if (typeof error !== "object" || error === null || !("code" in error)) return "upstream";
  const { code } = error;
  return typeof code === "number" ? typeOfStatus(code) : "upstream";
}

function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}
