// The reason that a model call failed, as the adapters tell it. Texts of a provider are not part of the error: they may
// contain the provider, the URL or the credential. Diagnostics get them, redacted.
import type { FailureReport } from "../../agent/failure-report.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import { MAX_FAILURE_CODE_CHARACTERS } from "../../protocol/diagnostics/limits.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";
import { failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { redact } from "../../outgoing/redact.ts";
import type { EndpointRefusal } from "./adapted-requests.ts";
import { isContextTooLong } from "./context-too-long.ts";
import { fieldsIn } from "./json-fields.ts";
import { asFields, asText } from "./stream-event.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
  /** Texts are as the provider wrote them. */
  readonly report: FailureReport;
  /** Of an error within an answer: the same as with a status, for which the request may be adapted. */
  readonly refusal?: EndpointRefusal;
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
const SPENT: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "billing_error",
  // MiniMax
  "insufficient_balance_error",
]);

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

export interface ProviderWords {
  readonly code?: string;
  readonly message?: string;
}

/** Members of an error object that its code is in, the best first. */
const CODE_MEMBERS = ["code", "type", "status", "error_code"];
const MESSAGE_MEMBERS = ["message", "detail", "msg", "error_msg", "errorMessage"];

/**
 * The code and the message of an error object: `{message, type, code}`, alone or as the member `error`. A number as code
 * only repeats the status, so a type goes before it.
 */
export function wordsOf(value: unknown): ProviderWords {
  if (typeof value === "string") return value === "" ? {} : { message: value };
  const fields = asFields(value);
  if (!fields) return {};
  const nested = asFields(fields["error"]) ?? fields;
  const names = CODE_MEMBERS.flatMap((member) => {
    const name = nested[member];
    if (typeof name === "number") return [`${name}`];
    return typeof name === "string" && !SAYS_NOTHING.has(name) ? [name] : [];
  });
  const code = names.find((name) => !/^\d+$/.test(name)) ?? names[0];
  const message = [...MESSAGE_MEMBERS.map((member) => nested[member]), fields["error"]]
    .map(textOf)
    .find((text) => text !== undefined);
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
}

/** Types of an error that say nothing, since every error has them. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["", "error"]);

/** A text, or the texts in FastAPI's list of what is wrong with a request. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const texts = fieldsIn(value).map(({ msg }) => asText(msg));
  return texts.some((text) => text !== "") ? texts.join("; ") : undefined;
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
