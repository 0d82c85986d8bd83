// The Durable Object of one tenant: which of its sessions run or are read, what was used today, and the tenant's status
// and quotas. Sessions ask it for a lease when a reply begins, and renew it while the reply runs, not for each token.
// It notifies the sessions that hold a lease when the tenant is suspended or closed, or when keys are revoked.
import { DurableObject } from "cloudflare:workers";

import { KEY_STALE_MS, MAX_TOKEN_TTL_SECONDS } from "../protocol/keys/limits.ts";
import {
  LEASE_MS,
  LEASE_WAIT_MS,
  PUSH_RETRY_MS,
  READING_LEASE_MS,
  TENANT_STATUS_REFRESH_MS,
} from "../protocol/quotas/limits.ts";
import { accept, type Result } from "../protocol/errors.ts";
import { readTenantSettings } from "../storage/tenants/read-tenant-settings.ts";
import { AnswerRoom } from "./tenants/answer-room.ts";
import { ErasureClaim } from "./tenants/erasure-claim.ts";
import { EndUserShares } from "./tenants/end-user-shares.ts";
import { grantLease, refuseQuota, refuseRoom, refuseStopped } from "./tenants/grant-lease.ts";
import { HeldBytes } from "./tenants/held-bytes.ts";
import { keyNotifications } from "./tenants/key-notifications.ts";
import type {
  KeptVersion,
  Lease,
  LeaseRequest,
  OutboxReport,
  TenantSettings,
  TenantApi,
  TenantAdmission,
  TenantNotification,
  TenantUse,
} from "./api/tenant-api.ts";
import { deliverNotification, pushNotifications } from "./tenants/push-notifications.ts";
import { TenantLedger } from "./tenants/tenant-ledger.ts";
import { TenantTables, UNKNOWN_TENANT } from "./tenants/tenant-tables.ts";
import { withinDeadline } from "../runtime/within-deadline.ts";

const PURGE_MS = 3_600_000;

export class TenantObject extends DurableObject<Env> implements TenantApi {
  readonly #tables: TenantTables;
  readonly #ledger: TenantLedger;
  readonly #tenantId: string;
  #settings: TenantSettings | null;
  readonly #bytes: HeldBytes;
  readonly #room = new AnswerRoom();
  readonly #shares: EndUserShares;
  #refreshedAtMs = 0;
  #refreshing: Promise<void> | null = null;
  #pushing: Promise<void> | null = null;
  #purgedAtMs = 0;
  readonly #erasure = new ErasureClaim();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#tenantId = ctx.id.name ?? "";
    this.#tables = new TenantTables(ctx.storage);
    const inBackground = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#ledger = new TenantLedger(this.#tables, inBackground);
    this.#settings = this.#tables.settings();
    this.#bytes = new HeldBytes(this.#tables);
    this.#shares = new EndUserShares({ DB: env.DB, tenantId: this.#tenantId, inBackground });
  }

  async admission(): Promise<TenantAdmission> {
    const settings = await this.#known();
    return { ...settings, revoked_makers: this.#tables.revokedMakers(Date.now()) };
  }

  async lease(request: LeaseRequest): Promise<Result<Lease>> {
    const { session_id, use, reply, holder = null, kept } = request;
    const settings = await this.#known();
    if (use === "store") return this.#grantBytes(settings, request);
    const endUser = await this.#shares.bound(settings.quotas, request);
    const nowMs = Date.now();
    const untilMs = nowMs + LEASE_MS;
    const ledger = this.#ledger;
    // Usage is counted even when the lease is then refused.
    if (reply) ledger.count(reply, nowMs);
    this.#purge(nowMs);
    const granted = grantLease(use, {
      settings,
      others: ledger.running(session_id, nowMs, holder),
      isRunning: ledger.isRunning(session_id, nowMs),
      isReplaying: session_id.startsWith("rpl_") && ledger.isReplaying(nowMs),
      tokensOfDay: ledger.tokensOfDay(nowMs),
      storedBytes: this.#bytes.stored,
      databaseBytes: this.#bytes.database,
      endUser,
      nowMs,
    });
    if (!granted.ok) {
      if (use === "running" || use === "call") ledger.endRunningLease(session_id);
      return granted;
    }
    if (use === "call") return this.#leaseCall(request, nowMs);
    if (use === "reading") await this.#leaseReading(request, nowMs);
    else ledger.putRunningLease(session_id, { untilMs, reserved: granted.value, holder });
    const news = keyNotifications(this.#tables.cutKeys(nowMs));
    const noted = kept && this.#tables.mayBeRetired(kept) ? { may_be_retired: true as const } : {};
    const isKept = request.has_sockets && { keeps_sockets: true as const };
    return accept({
      tokens: granted.value,
      ...(news.length > 0 && { news }),
      ...noted,
      ...isKept,
    });
  }

  async endSockets(sessionId: string): Promise<void> {
    this.#ledger.endSocketLease(sessionId, Date.now() + READING_LEASE_MS);
  }

  async settle(report: OutboxReport): Promise<void> {
    const { session_id, replies, is_running, remote_failures = [] } = report;
    const nowMs = Date.now();
    this.#tables.remoteFailures.put(remote_failures);
    for (const reply of replies) this.#ledger.count(reply, nowMs);
    if (!is_running) {
      this.#ledger.endRunningLease(session_id);
      this.#room.give(session_id);
    }
    // On disk before it is answered: the session forgets what it has reported.
    this.#ledger.write();
  }

  async readUse(holder?: string): Promise<TenantUse> {
    return this.#ledger.use(Date.now(), holder);
  }

  async readRemoteFailures(agentId: string) {
    return this.#tables.remoteFailures.of(agentId);
  }

  async listRunning(): Promise<readonly string[]> {
    return this.#ledger.runningSessions(Date.now());
  }

  async noteRetired(version: KeptVersion): Promise<void> {
    this.#tables.addRetired(version);
    await this.ctx.storage.sync();
  }

  async forgetRetired(agentId: string): Promise<void> {
    this.#tables.removeRetired(agentId);
  }

  async setSettings(settings: TenantSettings): Promise<void> {
    this.#take(settings);
    await this.ctx.storage.sync();
  }

  async claimErasure(chain: string): Promise<boolean> {
    return this.#erasure.claim(chain, Date.now());
  }

  async giveUpErasure(chain: string): Promise<void> {
    this.#erasure.giveUp(chain);
  }

  async erase(): Promise<void> {
    this.#erasure.clear();
    if (this.#settings?.status !== "closed") return;
    this.#ledger.clear();
    this.ctx.storage.transactionSync(() => this.#tables.eraseUse());
    await this.ctx.storage.deleteAlarm();
  }

  async cutKeys(keyIds: readonly string[], withTokens: boolean): Promise<void> {
    const nowMs = Date.now();
    this.#ledger.write();
    this.ctx.storage.transactionSync(() => {
      if (withTokens) {
        const untilMs = nowMs + MAX_TOKEN_TTL_SECONDS * 1_000;
        for (const id of keyIds) this.#tables.revokeMaker(id, untilMs);
      }
      for (const id of keyIds) this.#tables.cutKey(id, withTokens, nowMs + KEY_STALE_MS);
      this.#addNotification({ cut_keys: keyIds, ...(withTokens && { with_tokens: true }) }, nowMs);
    });
    await this.ctx.storage.sync();
  }

  /** Retries the notifications that have failed. */
  override async alarm(): Promise<void> {
    await this.#push();
  }

  /** As last known, else from D1. Contract: never rejects, and waits for {@link LEASE_WAIT_MS} at most. */
  async #known(): Promise<TenantSettings> {
    const isDue = Date.now() - this.#refreshedAtMs >= TENANT_STATUS_REFRESH_MS;
    if (isDue && !this.#refreshing) {
      this.#refreshedAtMs = Date.now();
      this.#refreshing = this.#refresh().finally(() => (this.#refreshing = null));
      this.ctx.waitUntil(this.#refreshing);
    }
    if (!this.#settings && this.#refreshing) await this.#refreshing;
    return this.#settings ?? UNKNOWN_TENANT;
  }

  async #leaseReading({ session_id, has_sockets }: LeaseRequest, nowMs: number): Promise<void> {
    if (!has_sockets) return this.#ledger.putReadingLease(session_id, nowMs + READING_LEASE_MS);
    this.#ledger.putSocketLease(session_id);
    // On disk: a session that sleeps does not ask again when this object loses its memory.
    this.#ledger.write();
    await this.ctx.storage.sync();
  }

  async #leaseCall(
    { session_id, bytes = 0, is_holding }: LeaseRequest,
    nowMs: number,
  ): Promise<Result<Lease>> {
    this.#ledger.extendRunningLease(session_id, nowMs + LEASE_MS);
    if (is_holding) this.#room.hold(session_id, bytes);
    else if (!(await this.#room.take(session_id, bytes))) return refuseRoom();
    // The tenant may have been stopped while the call waited.
    const { status } = await this.#known();
    return status === "active" ? accept({ tokens: 0 }) : refuseStopped(status);
  }

  async #grantBytes(settings: TenantSettings, request: LeaseRequest): Promise<Result<Lease>> {
    const { status, quotas } = settings;
    if (status !== "active") return refuseStopped(status);
    const refused = await this.#shares.refuseBytes(quotas, request);
    if (refused) return refused;
    const isGranted = await this.#bytes.grant(request.bytes ?? 0, quotas, () => this.#refresh());
    return isGranted ? accept({ tokens: 0 }) : refuseQuota("stored_bytes", quotas.stored_bytes);
  }

  /** Reads D1: a request may have written a change there and failed before it called `setSettings`. */
  async #refresh(): Promise<void> {
    try {
      const read = readTenantSettings(this.env.DB, this.#tenantId);
      const stored = await withinDeadline(read, LEASE_WAIT_MS);
      if (!stored) return;
      const { counts, ...settings } = stored;
      this.#bytes.take(counts);
      this.#take(settings);
    } catch (error) {
      console.warn("could not read the tenant's status and quotas from D1", {
        tenant_id: this.#tenantId,
        error: String(error),
      });
    }
  }

  #take(settings: TenantSettings): void {
    const known = this.#settings;
    if (known && known.revision >= settings.revision) return;
    const nowMs = Date.now();
    this.#ledger.write();
    this.ctx.storage.transactionSync(() => {
      this.#tables.putSettings(settings);
      if (settings.status === (known?.status ?? "active")) return;
      this.#tables.clearNotifications();
      if (settings.status !== "active") this.#addNotification({ stopped: settings.status }, nowMs);
    });
    this.#settings = settings;
  }

  /**
   * Part of a transaction, for all sessions that hold a lease on disk. The alarm retries after a crash, and for a session
   * that cannot be reached.
   */
  #addNotification(notification: TenantNotification, nowMs: number): void {
    this.#tables.addNotification(JSON.stringify(notification), nowMs);
    void this.ctx.storage.setAlarm(nowMs + PUSH_RETRY_MS);
    this.ctx.waitUntil(Promise.resolve().then(() => this.#push()));
  }

  /** Contract: never rejects. */
  async #push(): Promise<void> {
    this.#pushing ??= this.#pushAll().finally(() => (this.#pushing = null));
    await this.#pushing;
  }

  async #pushAll(): Promise<void> {
    const isTold = await pushNotifications(this.#tables, (id, news) => this.#deliver(id, news));
    if (isTold) return this.ctx.storage.deleteAlarm();
    this.#ledger.write();
    this.#tables.dropStaleNotifications(Date.now());
    await this.ctx.storage.setAlarm(Date.now() + PUSH_RETRY_MS);
  }

  async #deliver(sessionId: string, notification: TenantNotification): Promise<boolean> {
    const place = { tenantId: this.#tenantId, sessionId };
    const has_sockets = this.#ledger.hasSockets(sessionId) && ({ has_sockets: true } as const);
    const told = { ...notification, ...has_sockets };
    if (!(await deliverNotification(this.env, place, told))) return false;
    if (notification.stopped) this.#ledger.endLeases(sessionId);
    return true;
  }

  #purge(nowMs: number): void {
    if (nowMs - this.#purgedAtMs < PURGE_MS) return;
    this.#ledger.dropExpired(nowMs);
    // While rows are left, the next request purges too: a busy tenant leaves more rows in an hour than one purge
    // deletes.
    if (!this.#tables.purge(nowMs)) this.#purgedAtMs = nowMs;
  }
}
