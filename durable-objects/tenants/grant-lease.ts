// Decides whether a session may run a reply, from its tenant's quotas and what its other sessions use. Pure.
import {
  type EndUserShare,
  shareOfBytes,
  type ShareQuota,
} from "../../protocol/quotas/end-user-share.ts";
import { DEFAULT_QUOTAS, type QuotaName } from "../../protocol/quotas/contract.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import {
  ANSWER_ROOM_WAIT_MS,
  MAX_HELD_ANSWER_BYTES,
  QUOTA_RETRY_MS,
  TOKEN_GRANT,
} from "../../protocol/quotas/limits.ts";
import type { LeaseRequest, Running, TenantSettings } from "../api/tenant-api.ts";

const DAY_MS = 86_400_000;

export interface LeaseCircumstances {
  readonly settings: TenantSettings;
  /** The use of the tenant's other sessions. */
  readonly others: Running;
  /** Whether the session that asks counts as running already. */
  readonly isRunning: boolean;
  /** A replay asks, and another one is running. */
  readonly isReplaying?: boolean;
  readonly tokensOfDay: number;
  /** As last read from D1; null before that. */
  readonly storedBytes: number | null;
  readonly databaseBytes?: number | null;
  /** The end user whom a share binds; left out for all others. */
  readonly endUser?: BoundEndUser | undefined;
  readonly nowMs: number;
}

export interface BoundEndUser {
  /** In force for the request: the tenant's, with what an issuer sets itself. */
  readonly share: EndUserShare;
  /** As last read from D1; null before that. */
  readonly storedBytes: number | null;
}

/** @returns the tokens that are granted, or a refusal that says which quota it is and what helps. */
export function grantLease(
  use: LeaseRequest["use"],
  {
    settings,
    others,
    isRunning,
    isReplaying = false,
    tokensOfDay,
    storedBytes,
    databaseBytes = null,
    endUser,
    nowMs,
  }: LeaseCircumstances,
): Result<number> {
  const { status, quotas } = settings;
  if (status !== "active") return refuseStopped(status);
  if (use === "reading" || use === "store") return { ok: true, value: 0 };
  if (!isRunning && isReplaying) {
    const detail = "a tenant runs one replay at a time; try again when the other one has ended";
    return refuse("replay_running", detail);
  }
  if (!isRunning && others.replies >= quotas.running_replies) {
    const retryAfterMs = QUOTA_RETRY_MS;
    return refuseQuota("running_replies", quotas.running_replies, { retryAfterMs });
  }
  if (use === "call") return { ok: true, value: 0 };
  const mostRunning = endUser?.share.running_replies ?? null;
  if (!isRunning && mostRunning !== null && others.held >= mostRunning) {
    return refuseShare("end_user_running_replies", mostRunning, QUOTA_RETRY_MS);
  }
  const mostBytes = endUser ? shareOfBytes(endUser.share, quotas.stored_bytes) : null;
  const heldBytes = endUser?.storedBytes ?? null;
  if (use === "start" && mostBytes !== null && heldBytes !== null && heldBytes >= mostBytes) {
    return refuseShare("end_user_stored_bytes", mostBytes);
  }
  if (use === "start" && storedBytes !== null && storedBytes >= quotas.stored_bytes) {
    return refuseQuota("stored_bytes", quotas.stored_bytes);
  }
  // Rows from before the quota have none in the object.
  const most = quotas.database_bytes ?? DEFAULT_QUOTAS.database_bytes;
  if (use === "start" && databaseBytes !== null && databaseBytes >= most) {
    return refuseQuota("database_bytes", most);
  }
  const free = quotas.tokens_per_day - tokensOfDay - others.reserved;
  if (free <= 0) {
    const retryAfterMs = DAY_MS - (nowMs % DAY_MS);
    if (tokensOfDay >= quotas.tokens_per_day) {
      return refuseQuota("tokens_per_day", quotas.tokens_per_day, { retryAfterMs });
    }
    return refuseQuota("tokens_per_day", quotas.tokens_per_day, {
      retryAfterMs: Math.min(retryAfterMs, QUOTA_RETRY_MS),
      wayOut: "what is left was granted to replies that run; wait until one has ended",
    });
  }
  return { ok: true, value: Math.min(free, TOKEN_GRANT) };
}

export function refuseStopped(status: Exclude<TenantSettings["status"], "active">): Result<never> {
  return status === "suspended"
    ? refuse("tenant_suspended", "the operator has suspended this tenant; nothing was done")
    : refuse("not_found", "there is no such session");
}

/** A call's answer has no room in memory beside those of the tenant's other calls. */
export function refuseRoom(): Result<never> {
  const detail = `the answers that this tenant's calls beside replies read may have ${MAX_HELD_ANSWER_BYTES} bytes at once, and others have all of them: make fewer large calls at once, or let the server answer with less`;
  return refuse("rate_limited", detail, { extensions: { retry_after_ms: ANSWER_ROOM_WAIT_MS } });
}

/** Ways to get below a quota, for the text of a refusal. */
const WAYS_OUT: Partial<Record<QuotaName, string>> = {
  running_replies: "wait until one has ended",
  tokens_per_day: "the day ends at 00:00 UTC",
  stored_bytes: "delete sessions or agents",
  database_bytes: "delete sessions, agents or keys",
};

/** Ways for an end user to get below a share, for the text of a refusal. */
const SHARE_WAYS_OUT: Readonly<Record<ShareQuota, string>> = {
  end_user_sessions: "delete sessions of this end user",
  end_user_running_replies: "wait until one of their replies has ended",
  end_user_stored_bytes: "delete sessions of this end user",
};

/** @param retryAfterMs When a retry may succeed without any action. */
export function refuseShare(quota: ShareQuota, most: number, retryAfterMs?: number): Result<never> {
  return refuse(
    "quota_exceeded",
    `this end user's share of the tenant's quotas, ${quota}, is ${most}, and it is used up: ${SHARE_WAYS_OUT[quota]}, or ask the tenant for more`,
    {
      extensions: {
        quota,
        limit: most,
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      },
    },
  );
}

/** @param options.retryAfterMs When a retry may succeed without any action. */
export function refuseQuota(
  quota: QuotaName,
  most: number,
  {
    retryAfterMs,
    wayOut = WAYS_OUT[quota] ?? "delete some",
  }: { readonly retryAfterMs?: number; readonly wayOut?: string } = {},
): Result<never> {
  return refuse(
    "quota_exceeded",
    `the tenant's quota ${quota} is ${most}, and it is used up: ${wayOut}, or ask the operator for more; GET /v1/limits shows all quotas`,
    {
      extensions: {
        quota,
        limit: most,
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      },
    },
  );
}
