// Why a model call failed, as the adapters tell it. Texts of a provider are not part of the error: they may contain the
// provider, the URL or the credential. Diagnostics get them, redacted.
import type { FailureReport } from "../../agent/failure-report.ts";
import type { FailureKind } from "../../protocol/api/diagnostics.ts";
import { MAX_FAILURE_CODE_CHARACTERS } from "../../protocol/limits/diagnostics.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";
import { failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { redact } from "../../outgoing/redact.ts";
import { asFields } from "./stream-event.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
  /** Texts are as the provider wrote them. */
  readonly report: FailureReport;
}

export const MALFORMED: ModelFailure = { type: "upstream", report: { kind: "malformed_answer" } };
export const TOO_LARGE: ModelFailure = { type: "upstream", report: { kind: "too_large" } };
/** The stream ended before its end marker. */
export const CUT_OFF: ModelFailure = { type: "connection", report: { kind: "connection_lost" } };

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

/** Classifies a refusal by its HTTP status. */
export function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}

/** Codes and words with which endpoints say that a conversation is too long; they share no status. */
const TOO_LONG =
  /context_length|context length|context window|maximum context|prompt is too long|too many (?:input )?tokens/i;

/** The kind of a refusal by its status and the provider's words. */
export function failureKindOf(
  status: number,
  { code = "", message = "" }: ProviderWords,
): FailureKind {
  if (code === "insufficient_quota" || code === "billing_error") return "quota_spent";
  const isTooLong = TOO_LONG.test(code) || TOO_LONG.test(message.slice(0, 2_000));
  if (isTooLong && status < 500 && status !== 429) return "context_too_long";
  return failureKindOfStatus(status);
}

export interface ProviderWords {
  readonly code?: string;
  readonly message?: string;
}

/** The code and the message of an error object: `{message, type, code}`, alone or as the member `error`. */
export function wordsOf(value: unknown): ProviderWords {
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

/** The provider's texts without the secret that was sent, and bounded. */
export function redactReport(
  { code, message, request_id, ...report }: FailureReport,
  apiKey: string,
): FailureReport {
  return {
    ...report,
    ...(code !== undefined && { code: redactCode(code, apiKey) }),
    ...(message !== undefined && { message: redact(message, [apiKey]) }),
    ...(request_id !== undefined && { request_id: redactCode(request_id, apiKey) }),
  };
}

/** One word of the provider's, as {@link redactReport}. */
export function redactCode(text: string, apiKey: string): string {
  return redact(text, [apiKey], MAX_FAILURE_CODE_CHARACTERS);
}
