// Delay before the next attempt: exponential back-off with jitter.
import { ApiError } from "./api-error.ts";
import type { Settings } from "./reprise-options.ts";

/**
 * Doubles with each failure and adds up to half of it at random, so that clients do not reconnect all at once after an
 * outage. Never shorter than the platform's `Retry-After`.
 *
 * @param failures Consecutive failures including the current one: at least 1.
 */
export function backOffMs(
  failures: number,
  error: unknown,
  { firstDelayMs = 500, maxDelayMs }: Pick<Settings["reconnect"], "firstDelayMs" | "maxDelayMs">,
): number {
  const doubled = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  const waitMs = Math.max(doubled * (1 + Math.random() / 2), retryAfterMs(error));
  return Math.min(waitMs, LONGEST_TIMER_MS);
}

/** Timers use 31 bits in all runtimes; a longer delay fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The error's `Retry-After` in milliseconds; 0 or less when absent or unreadable. */
function retryAfterMs(error: unknown): number {
  const value = ApiError.isInstance(error) && error.headers.get("Retry-After");
  if (!value) return 0;
  return /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now() || 0;
}
