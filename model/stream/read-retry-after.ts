// Reads the retry delay from a provider's response headers.

/** Up to nine digits, so that the delay stays finite; any such long delay exceeds the limit anyway. */
const SECONDS = /^\d{1,9}(?:\.\d{1,6})?$/;

/**
 * Reads `retry-after-ms` (milliseconds), else `retry-after` (seconds or an HTTP date).
 * @returns Milliseconds from now; undefined without a valid header.
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && SECONDS.test(exact)) return Number(exact);
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  if (SECONDS.test(given)) return Number(given) * 1_000;
  // Checked first, because `Date.parse` is lenient and reads "-1" as a year.
  const atMs = /^[A-Za-z]{3,9},? /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
