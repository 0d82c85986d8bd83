// What a tenant's object offers to its sessions and to the Worker. Types only.
import type { Quotas } from "../../protocol/api/quotas.ts";
import type { TenantStatus } from "../../protocol/api/tenants.ts";
import type { Result } from "../../protocol/errors.ts";

/** What the operator has set, as the object was last told. */
export interface TenantSettings {
  readonly status: TenantStatus;
  readonly quotas: Quotas;
  /** Of D1's row: an older one is no news. */
  readonly revision: number;
}

/** What the Worker has to know of a tenant before it lets a client token or a callback address in. */
export interface TenantAdmission extends TenantSettings {
  /** Keys that were revoked with all that was made with them, as long as a token of theirs may live. */
  readonly revoked_makers: readonly string[];
}

/** A session that runs a reply, or is read, asks for it. Asking again is renewing. */
export interface LeaseRequest {
  readonly session_id: string;
  /** `start`: a reply is about to begin, which may still be refused; `running`: one is in mid-run; `reading`: none. */
  readonly use: "start" | "running" | "reading";
  /** Of the reply in mid-run, with all the tokens that it has used so far. */
  readonly reply?: CountedReply;
}

export interface CountedReply {
  readonly reply_id: string;
  /** Input and output of all its model calls. */
  readonly tokens: number;
}

export interface Lease {
  /** Tokens that the reply may use from here on before it asks again. */
  readonly tokens: number;
  /** For a reading lease: keys that were revoked before the session had a lease, so that it was not told. */
  readonly news?: readonly TenantNews[];
}

/** What a session's outbox brings: replies that have ended or wait. */
export interface Settlement {
  readonly session_id: string;
  readonly replies: readonly CountedReply[];
  /** A reply runs at this moment: the session keeps its lease. */
  readonly is_running: boolean;
}

/** What all running sessions have of the quotas, but for one that asks. */
export interface Running {
  readonly replies: number;
  readonly reserved: number;
}

/** What is used of the quotas that the object counts itself. */
export interface TenantUse {
  readonly running_replies: number;
  readonly tokens_per_day: number;
}

export interface TenantApi {
  admission(): Promise<TenantAdmission>;
  /** @returns a refusal `quota_exceeded` with the quota, or `tenant_suspended`. */
  lease(request: LeaseRequest): Promise<Result<Lease>>;
  /** Counts what was used, once, however often it is told; the session's running lease ends unless it runs on. */
  settle(settlement: Settlement): Promise<void>;
  readUse(): Promise<TenantUse>;
  /** What was written to D1. Sessions that hold leases hear of a status that stops them; resolves before they all have. */
  setSettings(settings: TenantSettings): Promise<void>;
  /** Whether this chain of steps may take its next one: the first, or when the one before it was not heard of again. */
  claimErasure(chain: string): Promise<boolean>;
  /** A step has failed: another chain may go on. */
  giveUpErasure(chain: string): Promise<void>;
  /** The tenant is closed and erased: nothing stays here but that it is closed. */
  erase(): Promise<void>;
  /** Streams that were opened with these keys end. @param withTokens What they have minted ends with them. */
  cutKeys(keyIds: readonly string[], withTokens: boolean): Promise<void>;
}

/** What a tenant's object tells a session that holds a lease. */
export interface TenantNews {
  /** Set when the tenant is suspended or closed: what runs ends, and streams do. */
  readonly stopped?: Exclude<TenantStatus, "active">;
  /** Keys whose streams end. */
  readonly cut_keys?: readonly string[];
  /** With the client tokens that they have minted. */
  readonly with_tokens?: true;
}
