import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../../protocol/requests/limits.ts";
import { fieldError } from "../http-error.ts";

const PLAIN = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`);

/**
 * Parses the header: a bare key, or the quoted string of a structured field (RFC 9651), which is the same key.
 * @throws HttpError `validation_failed` for anything but 1 to 255 visible ASCII characters.
 */
export function parseIdempotencyKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())?.[1];
  const key = quoted === undefined ? header.trim() : quoted.replace(/\\(["\\])/g, "$1");
  if (PLAIN.test(key)) return key;
  throw fieldError(
    "validation_failed",
    "#/headers/idempotency-key",
    `an Idempotency-Key is 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`,
  );
}
