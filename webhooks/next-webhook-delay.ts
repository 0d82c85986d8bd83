// The retry schedule of failed webhook deliveries.
import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_RETRY_MS } from "../protocol/webhooks/limits.ts";

/** Random part of a delay, so that a recovered receiver does not get all messages at once. */
const JITTER = 0.2;
const SECOND_MS = 1_000;

export interface FailedAttempts {
  /** Attempts since the schedule began, at least 1. */
  readonly attempts: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfterMs?: number;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * Milliseconds until the next attempt, in whole seconds as queues require; null after the last one. Jitter only
 * shortens a delay, by a fifth at most. A receiver can delay an attempt by up to a day, but not advance it.
 */
export function nextWebhookDelayMs({
  attempts,
  retryAfterMs = 0,
  random,
}: FailedAttempts): number | null {
  const delayMs = WEBHOOK_RETRY_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const soonestMs = Math.max(delayMs * (1 - JITTER * random), retryAfterMs);
  const wholeMs = Math.ceil(soonestMs / SECOND_MS) * SECOND_MS;
  return Math.min(wholeMs, MAX_WEBHOOK_DELAY_MS);
}
