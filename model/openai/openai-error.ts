// Maps exceptions of the openai package, and errors within a stream, to the error types of a reply. Their texts are not
// part of the error: they may contain the provider, the URL or the credential. Diagnostics get them, redacted.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";

import type { FailureReport } from "../../agent/failure-report.ts";
import type { FailureKind } from "../../protocol/api/diagnostics.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";
import { failureKindOfError, failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { asFields } from "./openai-event.ts";
import { readRetryAfterMs } from "./read-retry-after.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
  /** Texts are as the provider wrote them. */
  readonly report: FailureReport;
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

/** Codes and words with which endpoints say that a conversation is too long; they share no status. */
const TOO_LONG =
  /context_length|context length|context window|maximum context|prompt is too long|too many (?:input )?tokens/i;

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
    kind: kindOf(status, code, message),
    http_status: status,
    ...(code !== undefined && { code }),
    ...(message && { message }),
    ...(request_id !== undefined && { request_id }),
  };
}

function kindOf(status: number, code: string | undefined, message: string): FailureKind {
  if (code === "insufficient_quota") return "quota_spent";
  const isTooLong = TOO_LONG.test(code ?? "") || TOO_LONG.test(message.slice(0, 2_000));
  if (isTooLong && status < 500 && status !== 429) return "context_too_long";
  return failureKindOfStatus(status);
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
      kind: kindOf(isStatus ? status : 500, code, message ?? ""),
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
    },
  };
}

/** The code and the message of an error object: `{message, type, code}`, alone or as the member `error`. */
function wordsOf(value: unknown): { readonly code?: string; readonly message?: string } {
  const fields = asFields(value);
  if (!fields) return {};
  const nested = asFields(fields["error"]) ?? fields;
  const named = [nested["code"], nested["type"]].flatMap((name) => {
    if (typeof name === "number") return [`${name}`];
    return typeof name === "string" && name !== "" ? [name] : [];
  })[0];
  const { message } = nested;
  return {
    ...(named !== undefined && { code: named }),
    ...(typeof message === "string" && { message }),
  };
}

function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}
