// Why a model call failed, as the adapters tell it. Texts of a provider are not part of the error: they may contain the
// provider, the URL or the credential. Diagnostics get them, redacted.
import type { FailureReport } from "../../agent/failure-report.ts";
import type { FailureKind } from "../../protocol/api/diagnostics.ts";
import { MAX_FAILURE_CODE_CHARACTERS } from "../../protocol/limits/diagnostics.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";
import { failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { redact } from "../../outgoing/redact.ts";
import { isContextTooLong } from "./context-too-long.ts";
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
/** The conversation has filled the model's window, so that no word of an answer had room. */
export const WINDOW_FULL: ModelFailure = {
  type: "invalid_request",
  report: { kind: "context_too_long" },
};

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

function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}

/** Spent budgets, which share their status with what passes by waiting. */
const SPENT: ReadonlySet<string> = new Set(["insufficient_quota", "billing_error"]);

/**
 * Classifies a provider's refusal.
 * @param status Of the response, or of the same error outside of a stream.
 * @param error The provider's error object.
 */
export function classifyRefusal(
  status: number,
  error: unknown,
  words = wordsOf(error),
): Pick<ModelFailure, "type"> & { readonly kind: FailureKind } {
  if (SPENT.has(words.code ?? "")) return { type: "permission", kind: "quota_spent" };
  if (isContextTooLong(status, error, words)) {
    return { type: "invalid_request", kind: "context_too_long" };
  }
  return { type: typeOfStatus(status), kind: failureKindOfStatus(status) };
}

/** As {@link classifyRefusal}, of an error within a stream, where its status has to be told from it. */
export function classifyEventError(status: number, error: unknown): ModelFailure {
  const words = wordsOf(error);
  const { type, kind } = classifyRefusal(status, error, words);
  return { type, report: { kind, ...words } };
}

export interface ProviderWords {
  readonly code?: string;
  readonly message?: string;
}

/**
 * The code and the message of an error object: `{message, type, code}`, alone or as the member `error`. A number as code
 * only repeats the status, so a type goes before it.
 */
export function wordsOf(value: unknown): ProviderWords {
  if (typeof value === "string") return { message: value };
  const fields = asFields(value);
  if (!fields) return {};
  const nested = asFields(fields["error"]) ?? fields;
  const names = [nested["code"], nested["type"]].flatMap((name) => {
    if (typeof name === "number") return [`${name}`];
    return typeof name === "string" && name !== "" ? [name] : [];
  });
  const code = names.find((name) => !/^\d+$/.test(name)) ?? names[0];
  const message = [nested["message"], nested["detail"], fields["error"]].find(
    (text) => typeof text === "string",
  );
  return {
    ...(code !== undefined && { code }),
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
