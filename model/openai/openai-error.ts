// Maps exceptions of the openai package to the error types of a reply. Their texts are not part of the error: they may
// contain the provider, the URL or the credential. Diagnostics get them, redacted.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";

import type { FailureReport } from "../../agent/failure-report.ts";
import { failureKindOfError } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { refusalFrom, type EndpointRefusal } from "../stream/adapted-requests.ts";
import { classifyRefusal, wordsOf, type ModelFailure } from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";

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
  return classifyAnswer(error as APIError);
}

/** The refusal that a request was rejected with, in all its words; null for any other failure. */
export function openAiRefusal(error: unknown): EndpointRefusal | null {
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return null;
  const { status, error: body, message } = error as APIError;
  return typeof status === "number" ? refusalFrom(status, message, body) : null;
}

function classifyAnswer({ status = 0, error, headers, message: text }: APIError): ModelFailure {
  const said = wordsOf(error);
  // Without JSON the package puts the status and the whole body into its message.
  const message = said.message ?? text.replace(/^\d{3} /, "");
  const { type, kind } = classifyRefusal(status, error, { ...said, message });
  const request_id = headers?.get("x-request-id") ?? headers?.get("request-id") ?? undefined;
  const report: FailureReport = {
    kind,
    http_status: status,
    ...(said.code !== undefined && { code: said.code }),
    ...(message && { message }),
    ...(request_id !== undefined && { request_id }),
  };
  // A budget that is spent also has status 429, but waiting does not help.
  const mayWait = headers && kind !== "quota_spent";
  return { type, ...(mayWait && { retryAfterMs: readRetryAfterMs(headers, Date.now()) }), report };
}
