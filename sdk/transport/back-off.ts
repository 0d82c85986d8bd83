// How long to wait before the next try.
import { ApiError } from "./api-error.ts";
import type { Settings } from "./reprise-options.ts";

/**
 * Doubles with each failure, and adds up to a half at random, so that the clients of a platform that was away do not
 * all come back in the same moment. Never shorter than what the platform asked for.
 *
 * @param failures In a row, the present one included: 1 or more.
 */
export function backOffMs(
  failures: number,
  error: unknown,
  { firstDelayMs = 500, maxDelayMs }: Settings["reconnect"],
): number {
  const doubled = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  const waitMs = Math.max(doubled * (1 + Math.random() / 2), retryAfterMs(error));
  return Math.min(waitMs, LONGEST_TIMER_MS);
}

/** Timers of all runtimes count in 31 bits, and fire at once when they are given more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a `Retry-After` of an error asks for, in milliseconds; at most 0 when it asks for nothing that can be read. */
function retryAfterMs(error: unknown): number {
  const value = ApiError.isInstance(error) && error.headers.get("Retry-After");
  if (!value) return 0;
  return /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now() || 0;
}
