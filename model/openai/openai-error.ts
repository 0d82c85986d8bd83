// Maps exceptions of the openai package, and errors within a stream, to the error types of a reply. Their texts are not
// passed on: they may contain the provider, the URL or the credential.
import { APIConnectionError, APIError } from "openai";

import type { ErrorType } from "../../protocol/messages/messages.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { typeOfStatus, type ModelFailure } from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";

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
