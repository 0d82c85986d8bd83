// Maps exceptions of the openai package, and errors within a stream, to the error types of a reply. Their texts are not
// part of the error: they may contain the provider, the URL or the credential. Diagnostics get them, redacted.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";

import type { FailureReport } from "../../agent/failure-report.ts";
import { failureKindOfError } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import {
  failureKindOf,
  typeOfStatus,
  wordsOf,
  type ModelFailure,
} from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";
import { asFields } from "../stream/stream-event.ts";

/** Classifies the failure of a request before its stream began. */
export function classifyOpenAiError(error: unknown): ModelFailure {
  if (error instanceof APIConnectionError) {
    const { cause } = error;
    if (OutgoingRefused.isInstance(cause)) {
      return { type: "setup", report: { kind: "egress_refused", message: cause.message } };
    }
    const isTimeout = error instanceof APIConnectionTimeoutError;
    const kind = isTimeout ? "timeout" : failureKindOfError(cause, false);
    return { type: "connection", report: { kind } };
  }
  // Not a provider's answer: thrown before the request was sent, for example for an invalid parameter.
  if (!(error instanceof APIError)) return { type: "unknown", report: { kind: "setup" } };
  const { status = 0, code, headers } = error as APIError;
  const report = describe(error as APIError);
  // An exhausted budget also has status 429, but a retry does not help.
  if (status === 429 && code === "insufficient_quota") return { type: "permission", report };
  return {
    type: typeOfStatus(status),
    ...(headers && { retryAfterMs: readRetryAfterMs(headers, Date.now()) }),
    report,
  };
}

function describe(error: APIError): FailureReport {
  const { status = 0, headers } = error;
  const said = wordsOf(error.error);
  const code = said.code ?? error.code ?? error.type ?? undefined;
  // Without JSON the package puts the status and the whole body into its message.
  const message = said.message ?? error.message.replace(/^\d{3} /, "");
  const request_id = headers?.get("x-request-id") ?? headers?.get("request-id") ?? undefined;
  return {
    kind: failureKindOf(status, { code, message }),
    http_status: status,
    ...(code !== undefined && { code }),
    ...(message && { message }),
    ...(request_id !== undefined && { request_id }),
  };
}

/** Classifies a stream's `{"error": …}` event. Some endpoints use an HTTP status as its code. */
export function classifyStreamError(error: unknown): ModelFailure {
  const { code, message = typeof error === "string" ? error : undefined } = wordsOf(error);
  const status = Number(code);
  const isStatus = Number.isInteger(status) && status >= 300 && status < 600;
  const raw = asFields(error)?.["code"];
  return {
    type: typeof raw === "number" ? typeOfStatus(raw) : "upstream",
    report: {
      kind: failureKindOf(isStatus ? status : 500, { code, message }),
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
    },
  };
}
