// Whether a model call that failed is worth making again, and when. Pure.
import {
  MAX_MODEL_RETRIES,
  MAX_RETRY_AFTER_MS,
  MODEL_RETRY_MAX_MS,
  MODEL_RETRY_MS,
} from "../../protocol/limits/models.ts";
import type { ErrorInfo, ErrorType } from "../../protocol/messages/messages.ts";

/** What may be different a moment later. The rest stays as it is until somebody changes something. */
const IS_PASSING: Record<ErrorType, boolean> = {
  rate_limit: true,
  upstream: true,
  connection: true,
  authentication: false,
  permission: false,
  invalid_request: false,
  setup: false,
  output_limit: false,
  quota_exceeded: false,
  internal: false,
  unknown: false,
};

/** Whether a failure of this type may be gone a moment later. */
export function isPassing({ type }: ErrorInfo): boolean {
  return IS_PASSING[type];
}

export interface RetryCircumstances {
  /** What the provider asked for, if it did. */
  readonly retryAfterMs?: number;
  /** From 0 to below 1: sessions that failed together come back apart. */
  readonly random: number;
}

/**
 * @param attempt The try that failed: 1 for the first.
 * @returns How long to wait before the next one; null when this model is given up. A provider that asks for more
 *   than {@link MAX_RETRY_AFTER_MS} is given up: to come back sooner would only be refused.
 */
export function decideRetry(
  attempt: number,
  error: ErrorInfo,
  { retryAfterMs = 0, random }: RetryCircumstances,
): { readonly waitMs: number } | null {
  if (!isPassing(error) || attempt > MAX_MODEL_RETRIES) return null;
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  const backOffMs = Math.min(MODEL_RETRY_MS * 2 ** (attempt - 1), MODEL_RETRY_MAX_MS);
  // Half of the back-off is spread. A time that the provider named is a floor, so it is spread upwards.
  const spreadMs = backOffMs * (0.5 + random / 2);
  return { waitMs: Math.round(Math.max(spreadMs, retryAfterMs * (1 + random / 10))) };
}
