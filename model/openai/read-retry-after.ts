// When a provider asks to be called again, from the headers of its refusal.

/** 1e9 seconds and more are no times that anybody waits for; they stay finite, and too long. */
const SECONDS = /^\d{1,9}(?:\.\d{1,6})?$/;

/**
 * Reads `retry-after-ms` (milliseconds), else `retry-after` (seconds or an HTTP date).
 * @returns Milliseconds from now; undefined when the headers name no time that can be read.
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && SECONDS.test(exact)) return Number(exact);
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  if (SECONDS.test(given)) return Number(given) * 1_000;
  // Only what looks like a date is given to the lenient parser, which takes "-1" for a year.
  const atMs = /^[A-Za-z]{3,9},? /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
