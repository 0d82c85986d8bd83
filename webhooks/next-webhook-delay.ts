// When a message that did not arrive is sent again.
import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_RETRY_MS } from "../protocol/limits/webhooks.ts";

/** The part of a delay that chance decides: receivers that come back are not met by all messages at once. */
const JITTER = 0.2;
const SECOND_MS = 1_000;

export interface FailedAttempts {
  /** Attempts that were made since the schedule began, at least 1. */
  readonly attempts: number;
  /** What the receiver asked for. */
  readonly retryAfterMs?: number;
  /** From 0 on, below 1. */
  readonly random: number;
}

/**
 * Milliseconds until the next attempt, in whole seconds as the queue counts them; null after the last one. Chance
 * only makes a delay shorter, by a fifth at most. A receiver can put an attempt off, up to a day, and not bring it forward.
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
