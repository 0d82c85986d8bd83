// Recognises that an event of a stream, or the body of a success, is an error. Each endpoint, and each gateway before
// it, has a form of its own.
import { refusalFrom } from "./adapted-requests.ts";
import { fieldsIn, type JsonFields } from "./json-fields.ts";
import { classifyRefusal, wordsOf, type ModelFailure } from "./model-failure.ts";
import { statusOfCode } from "./status-of-code.ts";
import { asFields } from "./stream-event.ts";

/** Members whose text is an error when the event is no part of an answer. */
const TEXTS = ["message", "detail", "msg", "error_msg", "errorMessage"];
/** Members that an HTTP status is told in. */
const STATUSES = ["code", "status", "status_code", "statusCode", "http_code"];
/** Codes of success, which some endpoints tell beside a message. */
const SUCCESSES: readonly unknown[] = [0, "0", 200, "200", "success"];

/** MiniMax: a rate, the key, the balance, and requests that are not allowed. */
const MINIMAX_STATUSES: Readonly<Record<number, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  2013: 400,
  2049: 401,
};

/** Hot path: runs for each event that is parsed. */
export function isErrorEvent(event: JsonFields): boolean {
  const { type, object } = event;
  if (event["error"] || type === "error" || object === "error") return true;
  if (event["base_resp"] && minimaxError(event)) return true;
  if (Array.isArray(event["choices"])) return false;
  // Types of events, which may have a message for people to read.
  if (typeof type === "string" && !type.toLowerCase().endsWith("error")) return false;
  if (SUCCESSES.includes(event["code"]) || event["usage"]) return false;
  if (fieldsIn(event["errors"]).length > 0) return true;
  return TEXTS.some((name) => isErrorText(event[name]));
}

/** A text, or FastAPI's list of what is wrong with the request. */
function isErrorText(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);
}

/**
 * Classifies an error by the status that it names, else by its code; any other is like 500.
 * @param given The event, its error object, or its text.
 */
export function classifyEvent(given: unknown): ModelFailure {
  // Cloudflare has a list of them.
  const fields = asFields(given);
  const error = (fields && minimaxError(fields)) ?? fieldsIn(fields?.["errors"])[0] ?? given;
  const words = wordsOf(error);
  const status = statusIn(error) ?? statusOfCode(words.code ?? "") ?? 500;
  const { type, kind } = classifyRefusal(status, error, words);
  const refusal = refusalFrom(status, words.message, given);
  return { type, report: { kind, ...words }, refusal };
}

/** MiniMax has numbers of its own, in each event; zero is success. */
function minimaxError(event: JsonFields): JsonFields | undefined {
  const { status_code: code, status_msg: message } = asFields(event["base_resp"]) ?? {};
  const isError = typeof code === "number" && code !== 0;
  return isError ? { code: MINIMAX_STATUSES[code] ?? code, message } : undefined;
}

/** The error's own status goes before that of the event around it. */
function statusIn(error: unknown): number | undefined {
  const fields = asFields(error);
  const nested = asFields(fields?.["error"]);
  for (const member of [nested, fields]) {
    for (const name of STATUSES) {
      const value = member?.[name];
      const status = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
      if (Number.isInteger(status) && status >= 300 && status < 600) return status;
    }
  }
  return undefined;
}
