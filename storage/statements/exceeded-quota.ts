import { COUNTED_QUOTAS, type CountedQuota } from "../../protocol/api/quotas.ts";

/** What the triggers of `tenant_counts` say when a row would be one too many. */
const EXCEEDED = /\bquota_exceeded (\w+)/;

/** The quota for which D1 has refused a row; null for an error of any other kind. */
export function exceededQuota(error: unknown): CountedQuota | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const name = EXCEEDED.exec(cause.message)?.[1];
    const quota = COUNTED_QUOTAS.find((counted) => counted === name);
    if (quota) return quota;
  }
  return null;
}
