import { SHARE_QUOTAS, type ShareQuota } from "../../protocol/quotas/end-user-share.ts";
import { COUNTED_QUOTAS, type CountedQuota } from "../../protocol/quotas/contract.ts";

/** The message of the triggers of `tenant_counts` and `end_user_checks` when a row would exceed a quota. */
const EXCEEDED = /\bquota_exceeded (\w+)/;

const QUOTAS: readonly (CountedQuota | ShareQuota)[] = [...COUNTED_QUOTAS, ...SHARE_QUOTAS];

/** The quota that the refused row would exceed, a tenant's or an end user's share; null for any other error. */
export function exceededQuota(error: unknown): CountedQuota | ShareQuota | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const name = EXCEEDED.exec(cause.message)?.[1];
    const quota = QUOTAS.find((counted) => counted === name);
    if (quota) return quota;
  }
  return null;
}
