// A consolidation's part of its tenant's quotas: it holds a lease of its own, as a running reply does.
import type { Refusal } from "../../protocol/errors.ts";
import type { ConsolidationError } from "../../protocol/memory/consolidation.ts";
import {
  CONSOLIDATION_CHECK_MS,
  CONSOLIDATION_SUSPENDED_MS,
} from "../../protocol/memory/limits.ts";
import { QUOTA_RETRY_MS } from "../../protocol/quotas/limits.ts";
import type { CountedReply } from "../api/tenant-api.ts";
import { openTenant } from "../sessions/open-tenant.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { StoredConsolidation } from "./consolidation-rows.ts";
import { tokensOf } from "./consolidation-usage.ts";
import type { ConsolidatedStore } from "./consolidated-store.ts";

/** The rest of the work on a job. */
export type Step =
  | { readonly type: "next" }
  /** Looked at again in so many milliseconds. */
  | { readonly type: "later"; readonly waitMs: number }
  | { readonly type: "failed"; readonly error: ConsolidationError }
  /** The job was cancelled, or the store erased. */
  | { readonly type: "stopped" };

/** @param stop The tenant was suspended or closed. */
export function openJobTenant(
  { env, tables, inBackground }: Pick<ConsolidatedStore, "env" | "tables" | "inBackground">,
  id: string,
  stop: () => void,
): SessionTenant {
  const tenant_id = tables.store?.owner.tenant_id ?? "";
  return openTenant(
    env,
    // The tenant's own work: no end user's share counts it, also in a store of one.
    { tenant_id, session_id: id, end_user_id: null },
    { stop, notify: () => undefined, isFollowed: () => false, inBackground },
  );
}

export function countedOf({ id, used }: StoredConsolidation): CountedReply {
  return { reply_id: id, tokens: tokensOf(used) };
}

/** The tokens of a day are refused until the next one, and a quota of 0 for good; all else has room in a moment. */
export function ofRefusal({ code, detail, extensions = {} }: Refusal): Step {
  if (code === "quota_exceeded") {
    const { retry_after_ms: waitMs, limit } = extensions as {
      readonly retry_after_ms?: number;
      readonly limit?: number;
    };
    const hasRoom = limit !== 0 && waitMs !== undefined && waitMs <= QUOTA_RETRY_MS;
    if (hasRoom) return { type: "later", waitMs };
    return { type: "failed", error: { code: "quota_exceeded", message: `${detail}.` } };
  }
  const waitMs = code === "unavailable" ? CONSOLIDATION_CHECK_MS : CONSOLIDATION_SUSPENDED_MS;
  return { type: "later", waitMs };
}
