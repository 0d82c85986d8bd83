import { COUNTED_QUOTAS, type CountedQuota } from "../../protocol/api/tenants/quotas.ts";

/** The message of the triggers of `tenant_counts` when a row would exceed a quota. */
const EXCEEDED = /\bquota_exceeded (\w+)/;

/** The quota that the refused row would exceed; null for any other error. */
export function exceededQuota(error: unknown): CountedQuota | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const name = EXCEEDED.exec(cause.message)?.[1];
    const quota = COUNTED_QUOTAS.find((counted) => counted === name);
    if (quota) return quota;
  }
  return null;
}
