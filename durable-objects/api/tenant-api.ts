// The RPC interface of a tenant's object, for its sessions and for the Worker. Types only.
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import type { Result } from "../../protocol/errors.ts";

/** The tenant's status and quotas as the operator has set them, as far as the object knows. */
export interface TenantSettings {
  readonly status: TenantStatus;
  readonly quotas: Quotas;
  /** The revision of D1's row; a lower one is ignored. */
  readonly revision: number;
}

/** The facts that the Worker checks before it accepts a client token or a callback token. */
export interface TenantAdmission extends TenantSettings {
  /** Keys that were revoked together with the tokens that they minted, for as long as such a token may live. */
  readonly revoked_makers: readonly string[];
}

/** The version of an agent that a session keeps. */
export interface KeptVersion {
  readonly agent_id: string;
  readonly version: number;
}

/** A session needs a lease while it runs a reply or has open streams. A repeated request renews it. */
export interface LeaseRequest {
  readonly session_id: string;
  /**
   * `start`: a reply is about to begin and may be refused; `running`: one is running; `reading`: streams are open;
   * `store`: bytes are about to be stored without a reply, for which no lease is held; `call`: a request asks a server of
   * the tenant beside its replies. It counts as a running reply, and needs no tokens.
   */
  readonly use: "start" | "running" | "reading" | "store" | "call";
  /** For `store`: how many. For `call`: of the answers that it reads, in all; waits until there is room for them. */
  readonly bytes?: number;
  /**
   * For `reading`: the streams are WebSockets, whose session may sleep and renews nothing. The lease has no end until
   * {@link TenantApi.endSockets}, and is on disk before the answer.
   */
  readonly has_sockets?: true;
  /** For `call`: it holds these bytes already, so that it does not wait. */
  readonly is_holding?: true;
  /** The running reply, with all the tokens that it has used so far. */
  readonly reply?: CountedReply;
  /** For `start`: left out for a session that follows the newest version. */
  readonly kept?: KeptVersion;
  /** The holder of the share that the session counts in (`holderOf`); left out for a call that is no session's. */
  readonly holder?: string;
  /** Share of the end user who asks, over the one in the tenant's quotas; left out for all others. */
  readonly share?: EndUserShareChange | undefined;
}

export interface CountedReply {
  readonly reply_id: string;
  /** Input and output of all its model calls. */
  readonly tokens: number;
}

export interface Lease {
  /** Tokens that the reply may use from here on before it asks again. */
  readonly tokens: number;
  /** Keys that were revoked while the session may have held no lease and was not notified. */
  readonly news?: readonly TenantNotification[];
  /** The version that the session keeps was once to be retired: D1 knows whether it is. */
  readonly may_be_retired?: true;
  /** For `has_sockets`: left out by an object of before it, whose lease ends. */
  readonly keeps_sockets?: true;
}

/** The failure of an agent of another system. */
export interface RemoteFailureNote {
  readonly agent_id: string;
  /** Empty for the agent that gives the replies. */
  readonly tool_name: string;
  readonly kind: FailureKind;
  readonly http_status: number | null;
  /** ISO 8601. */
  readonly failed_at: string;
}

/** A report of a session's outbox: replies that have ended or wait. */
export interface OutboxReport {
  readonly session_id: string;
  readonly replies: readonly CountedReply[];
  /** A reply runs at this moment: the session keeps its lease. */
  readonly is_running: boolean;
  /** In these replies; none when left out. */
  readonly remote_failures?: readonly RemoteFailureNote[];
}

/** The sum of the quotas that all running sessions hold, without the one that asks. */
export interface Running {
  readonly replies: number;
  readonly reserved: number;
  /** Replies of the holder that asks. */
  readonly held: number;
}

/** Usage of the quotas that the object counts itself. */
export interface TenantUse {
  readonly running_replies: number;
  readonly tokens_per_day: number;
  /** Running replies of the holder that was named; 0 without one. */
  readonly held_replies: number;
}

export interface TenantApi {
  admission(): Promise<TenantAdmission>;
  /**
   * @returns a refusal `quota_exceeded` with the quota, `tenant_suspended`, or `rate_limited` where a call has no room for
   *   its answer.
   */
  lease(request: LeaseRequest): Promise<Result<Lease>>;
  /** Counts what was used, once, however often it is called; ends the session's running lease unless it still runs. */
  settle(report: OutboxReport): Promise<void>;
  /** The session has no WebSockets any more. Idempotent. */
  endSockets(sessionId: string): Promise<void>;
  readUse(holder?: string): Promise<TenantUse>;
  /** The last failure of each remote of an agent. */
  readRemoteFailures(agentId: string): Promise<readonly RemoteFailureNote[]>;
  /** The ids of the sessions whose replies run at this moment. */
  listRunning(): Promise<readonly string[]>;
  /** Before a version is retired in D1. Resolves when it is on disk: from then on sessions that keep it ask D1. */
  noteRetired(version: KeptVersion): Promise<void>;
  /** The agent was deleted: its sessions keep what they have. */
  forgetRetired(agentId: string): Promise<void>;
  /**
   * Takes over what was written to D1. Sessions that hold leases are notified of a status that stops them; resolves
   * before all of them are.
   */
  setSettings(settings: TenantSettings): Promise<void>;
  /**
   * Whether this chain of steps may take its next one: no other chain holds the claim, or the other's claim has
   * expired.
   */
  claimErasure(chain: string): Promise<boolean>;
  /** A step has failed: gives the claim back, so that another chain may continue. */
  giveUpErasure(chain: string): Promise<void>;
  /** The tenant is closed and erased: deletes all but its status. */
  erase(): Promise<void>;
  /**
   * Closes the streams that were opened with these keys. @param withTokens Revokes the tokens that they minted, too.
   */
  cutKeys(keyIds: readonly string[], withTokens: boolean): Promise<void>;
}

/** A notification from a tenant's object to a session that holds a lease. */
export interface TenantNotification {
  /** The tenant is suspended or closed: replies are interrupted and streams closed. */
  readonly stopped?: Exclude<TenantStatus, "active">;
  /** Revoked keys: the streams that they opened are closed. */
  readonly cut_keys?: readonly string[];
  /** The client tokens that they minted are revoked, too. */
  readonly with_tokens?: true;
  /** The lease of the one that is told is for WebSockets: it gives it back if it has none any more. */
  readonly has_sockets?: true;
}
