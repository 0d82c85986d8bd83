// Decides whether and when a failed model call is retried. Pure.
import {
  MAX_MODEL_RETRIES,
  MAX_RETRY_AFTER_MS,
  MODEL_RETRY_MAX_MS,
  MODEL_RETRY_MS,
} from "../../protocol/models/limits.ts";
import type { ErrorInfo, ErrorType } from "../../protocol/messages/messages.ts";

/** Whether an error is transient. The others remain until a setting is changed. */
const IS_TRANSIENT: Record<ErrorType, boolean> = {
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
export function isTransient({ type }: ErrorInfo): boolean {
  return IS_TRANSIENT[type];
}

export interface RetryCircumstances {
  /** The provider's `Retry-After`, if it sent one. */
  readonly retryAfterMs?: number;
  /** From 0 to below 1: spreads the retries of sessions that failed together. */
  readonly random: number;
}

/**
 * @param attempt The number of the failed try: 1 for the first.
 * @returns The wait before the next one; null to give this model up, also when the provider asks for more than {@link
 *   MAX_RETRY_AFTER_MS}: an earlier retry would be refused.
 */
export function decideRetry(
  attempt: number,
  error: ErrorInfo,
  { retryAfterMs = 0, random }: RetryCircumstances,
): { readonly waitMs: number } | null {
  if (!isTransient(error) || attempt > MAX_MODEL_RETRIES) return null;
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  const backOffMs = Math.min(MODEL_RETRY_MS * 2 ** (attempt - 1), MODEL_RETRY_MAX_MS);
  // Jitter on half of the back-off. The provider's time is a minimum, so its jitter is only added.
  const spreadMs = backOffMs * (0.5 + random / 2);
  return { waitMs: Math.round(Math.max(spreadMs, retryAfterMs * (1 + random / 10))) };
}
