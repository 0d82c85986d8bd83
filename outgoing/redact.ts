// Redaction of texts that other servers wrote, before people see them.
import { MAX_FAILURE_MESSAGE_CHARACTERS } from "../protocol/diagnostics/limits.ts";
import { secretForms, withoutForms } from "./secret-forms.ts";

const REDACTED = "[redacted]";
/** Characters of a text that are searched; what is shown of it is far shorter. */
const MAX_SEARCHED = 20_000;
/** Characters that are dropped where a text was cut, after the search: they may hold a part of a secret. */
const DROPPED = 10_000;

/** Members and headers whose value is a secret; the value ends at white space, a quote, a comma or `&`. */
const NAMED =
  /((?:api[-_ ]?key|x-api-key|authorization|access[-_ ]?token|token|secret|password|passwd|signature)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)(?:(?:Bearer|Basic)\s+)?[^\s"',&\\]+/gi;
const SCHEMES = /\b(Bearer|Basic)\s+[^\s"',]+/gi;
/** Keys of providers by their beginnings, webhook secrets, the platform's own keys, and signed tokens. */
const KEYS =
  /\b(?:(?:(?:sk|pk|rk|rop|ct|whsec|xox[abp]|gh[opsu])[-_]|AKIA|AIza)[A-Za-z0-9][\w*.-]{6,}|eyJ[\w-]{8,}(?:\.[\w-]+){0,2})/g;
const USER_INFO = /(\b[a-z][a-z\d+.-]{0,15}:\/\/)[^\s/@"']{1,500}@/gi;
const QUERY = /(\b(?:https?|wss?):\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]*/gi;
/** Control characters, which terminals obey, and characters that change the direction of text. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/**
 * One line of at most `maxCharacters`, without the given secrets, bearer tokens, keys, and queries of addresses.
 * @param secrets Secrets that were sent to the server, which may repeat them.
 */
export function redact(
  text: string,
  secrets: readonly string[] = [],
  maxCharacters = MAX_FAILURE_MESSAGE_CHARACTERS,
): string {
  let shown = text.slice(0, MAX_SEARCHED);
  shown = withoutForms(shown, secretForms(secrets));
  if (text.length > MAX_SEARCHED) shown = shown.slice(0, -DROPPED);
  shown = shown
    .replace(CONTROLS, " ")
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(QUERY, `$1?${REDACTED}`)
    .replace(NAMED, `$1${REDACTED}`)
    .replace(SCHEMES, `$1 ${REDACTED}`)
    .replace(KEYS, REDACTED)
    .replace(/\s+/g, " ")
    .trim();
  if (shown.length <= maxCharacters) return shown.toWellFormed();
  return `${shown.slice(0, maxCharacters - 1)}…`.toWellFormed();
}
