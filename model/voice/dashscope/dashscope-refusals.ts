// Errors of Qwen-Omni's realtime server: which change nothing, and what the others mean.
import { modelError } from "../../../agent/state/model-error.ts";
import { classifyRefusal } from "../../stream/model-failure.ts";
import { statusOfCode } from "../../stream/status-of-code.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import type { ProviderSocket } from "../realtime/provider-socket.ts";
import type { ErrorWords } from "./dashscope-frames.ts";

/** Something was over already, or a picture came too soon. */
const HARMLESS = /cancel|active response|truncat|image/i;
/** An answer to what was asked for while another response is under way: one that has begun meanwhile is that. */
const TOO_SOON = /already has an active response/i;

/** Model Studio's codes of errors, by the status that they come with outside of a socket. Their first words, up to a dot. */
const STATUSES: Readonly<Record<string, number>> = {
  InvalidApiKey: 401,
  AccessDenied: 403,
  Arrearage: 402,
  ModelNotFound: 404,
  WorkSpaceNotFound: 404,
  InvalidParameter: 400,
  DataInspectionFailed: 400,
  Throttling: 429,
};

/** Characters of the server's code, and of its words. */
const MAX_WORDS = 500;

/** Redacted, and bounded. */
export function shownWords(
  { code, message }: ErrorWords,
  { redact }: Pick<ProviderSocket, "redact">,
): ErrorWords {
  return { code: redact(code).slice(0, MAX_WORDS), message: redact(message).slice(0, MAX_WORDS) };
}

export function isTooSoon({ code, message }: ErrorWords): boolean {
  return TOO_SOON.test(`${code} ${message}`);
}

export function isHarmless(words: ErrorWords): boolean {
  return !isTooSoon(words) && HARMLESS.test(`${words.code} ${words.message}`);
}

/** @param words Redacted and bounded. */
export function refusalOf(words: ErrorWords): ProviderFailure {
  const [first = ""] = words.code.split(".");
  const known = Object.hasOwn(STATUSES, first) ? STATUSES[first] : undefined;
  const status = known ?? statusOfCode(words.code);
  if (status === undefined) return providerFailure("provider_error", words);
  const { type, kind } = classifyRefusal(status, words);
  return { error: modelError(type), report: { kind, ...words } };
}
