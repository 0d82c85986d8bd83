// The session's side of its tenant's object: the lease that a running reply needs, and the lease of a session with open
// streams. The tenant's object is not asked for each token of a model, and nothing on disk depends on it.
import type { SpentQuota } from "../../agent/tenant-quota.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import {
  LEASE_GRACE_MS,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  LEASE_RETRY_MS,
  LEASE_WAIT_MS,
  READING_LEASE_MS,
  STORED_BYTES_GRANT,
} from "../../protocol/quotas/limits.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import type {
  CountedReply,
  KeptVersion,
  Lease,
  LeaseRequest,
  RemoteFailureNote,
  TenantApi,
  TenantNotification,
} from "../api/tenant-api.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { SocketLease } from "./socket-lease.ts";

/** Actions on the session. */
export interface TenantCallbacks {
  /** The tenant is suspended or closed: interrupts replies and closes streams. */
  readonly stop: () => void;
  /** Keys were revoked while the session held no lease and was not notified. */
  readonly notify: (notification: TenantNotification) => void;
  /** Whether streams are open that do not end with a reply. */
  readonly isFollowed: () => boolean;
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** A reply with all that it has used so far. */
interface UsedReply {
  readonly reply_id: string;
  readonly usage: Usage | null;
}

/** Facts about the session's version when a reply may begin. */
interface Admission {
  /** Whether the version that the session keeps may be retired; also when the tenant's object has not answered. */
  readonly mayBeRetired: boolean;
}

interface Granted {
  readonly atMs: number;
  /** The number of tokens up to which the reply may continue. */
  readonly upTo: number;
  /** Null until the reply that it was granted for has begun. */
  readonly replyId: string | null;
}

/** The session, and whose share it counts in. */
type HeldSession = Required<Pick<LeaseRequest, "session_id" | "holder">>;

interface StoredBytes {
  /** Tells D1 the size of the session's database, so that the next grant knows of it. */
  readonly report: () => Promise<void>;
  readonly share?: LeaseRequest["share"];
}

const UNREACHABLE: SpentQuota = { quota: "lease" };

export class SessionTenant {
  readonly sockets: SocketLease;
  readonly #session: HeldSession;
  readonly #tenant: () => TenantApi;
  readonly #callbacks: TenantCallbacks;
  /** When the tenant's object last answered, or this object started. */
  #answeredAtMs = Date.now();
  /** When the last request to it failed. */
  #failedAtMs = -Infinity;
  #granted: Granted | null = null;
  #readAtMs = 0;
  /** The size of the session's database up to which it may store without a reply. */
  #roomUpTo = 0;
  /** Grows when earlier grants become invalid. */
  #generation = 0;

  /** @param tenant The tenant's object. While it does not answer, replies may run for {@link LEASE_GRACE_MS}. */
  constructor(session: HeldSession, tenant: () => TenantApi, callbacks: TenantCallbacks) {
    this.#session = session;
    this.#tenant = tenant;
    this.#callbacks = callbacks;
    this.sockets = new SocketLease({
      ask: () => this.#ask({ use: "reading", has_sockets: true }),
      end: () => this.#tenant().endSockets(session.session_id),
    });
  }

  /**
   * Before a reply begins.
   * @param share Binds the end user who asks for it; left out for all others. @param kept Null for a session that
   *   follows the newest version. @returns a refusal `quota_exceeded` or `tenant_suspended`.
   */
  async admit(
    share?: LeaseRequest["share"],
    kept: KeptVersion | null = null,
  ): Promise<Result<Admission>> {
    const generation = this.#generation;
    const lease = await this.#ask({ use: "start", share, ...(kept && { kept }) });
    if (!lease) return this.#isInGrace ? accept({ mayBeRetired: true }) : UNAVAILABLE;
    if (!lease.ok) return lease;
    // When the lease was ended meanwhile, the reply asks again before its first model call.
    if (generation === this.#generation) {
      this.#granted = { atMs: Date.now(), upTo: lease.value.tokens, replyId: null };
    }
    return accept({ mayBeRetired: lease.value.may_be_retired === true });
  }

  /**
   * Before bytes are stored without a reply: asks where the last grant does not reach.
   * @param size Of the session's database.
   * @returns a refusal `quota_exceeded` or `tenant_suspended`.
   */
  async admitBytes(
    size: number,
    bytes: number,
    { report, share }: StoredBytes,
  ): Promise<Result<null>> {
    if (size + bytes <= this.#roomUpTo) return accept(null);
    await report();
    const lease = await this.#ask({ use: "store", bytes, share });
    if (!lease) return this.#isInGrace ? accept(null) : UNAVAILABLE;
    if (!lease.ok) return lease;
    this.#roomUpTo = size + bytes + STORED_BYTES_GRANT;
    return accept(null);
  }

  /**
   * Before a model call. Asks only when the granted tokens are used up, or the lease is due for renewal.
   * @param share As {@link admit}: a reply that has waited, or was queued, asks for its lease here.
   */
  async check(reply: CountedReply, share?: LeaseRequest["share"]): Promise<SpentQuota | null> {
    if (this.#isGranted(reply)) return null;
    const lease = await this.#ask({ use: "running", reply, share });
    if (!lease) return this.#isInGrace ? null : UNREACHABLE;
    if (!lease.ok) return this.#refused(lease.refusal);
    this.#grant(reply, lease.value);
    return null;
  }

  /**
   * Before a summary is made beside replies, and while it is being made. The grant of a reply stays as it is.
   * @returns a refusal `quota_exceeded`, or that the tenant is stopped, and with it the session.
   */
  async checkBeside(counted: CountedReply): Promise<Result<null>> {
    const lease = await this.#ask({ use: "running", reply: counted });
    if (!lease) return this.#isInGrace ? accept(null) : UNAVAILABLE;
    if (lease.ok) return accept(null);
    if (lease.refusal.code !== "quota_exceeded") this.#callbacks.stop();
    return lease;
  }

  /** Called by the watchdog: renews the lease during a long model call or tool call. Contract: never rejects. */
  async renew(reply: CountedReply): Promise<void> {
    const lease = await this.#ask({ use: "running", reply });
    if (lease?.ok) this.#grant(reply, lease.value);
    else if (lease) this.#refused(lease.refusal);
  }

  /**
   * A stream is open: renews the reading lease when it is half over; else makes no request. The lease of a running reply
   * stands in for it: the tenant's object notifies sessions that hold either.
   */
  noteReader(): void {
    const nowMs = Date.now();
    if (this.#granted && nowMs - this.#granted.atMs < LEASE_MS / 2) return;
    if (nowMs - this.#readAtMs < READING_LEASE_MS / 2) return;
    this.#readAtMs = nowMs;
    this.#callbacks.inBackground(this.#read());
  }

  /** The tenant's object has ended the session's leases: the next reply and the next stream ask for new ones. */
  forget(): void {
    this.#forgetGranted();
    this.#readAtMs = 0;
    this.sockets.forget();
  }

  /** Whether a reply was admitted that has not begun. */
  get isAdmitted(): boolean {
    return this.#granted !== null && this.#granted.replyId === null;
  }

  /** Reports replies that have ended or wait, and what failed in them. @throws when the tenant's object does not accept it. */
  async settle(
    entries: readonly UsedReply[],
    isRunning: boolean,
    failures: readonly RemoteFailureNote[] = [],
  ): Promise<void> {
    // The lease ends with this: a waiting reply needs a new one once it is answered.
    if (!isRunning) this.#forgetGranted();
    const replies = entries.map(({ reply_id, usage }) => ({
      reply_id,
      tokens: usage ? usage.input_tokens + usage.output_tokens : 0,
    }));
    await withinDeadline(
      this.#tenant().settle({
        session_id: this.#session.session_id,
        replies,
        is_running: isRunning,
        ...(failures.length > 0 && { remote_failures: failures }),
      }),
      LEASE_WAIT_MS,
    );
    this.#answeredAtMs = Date.now();
    // A stream that outlives the reply, whose lease stood in for its own.
    if (!isRunning && this.#callbacks.isFollowed()) this.noteReader();
  }

  /**
   * The session is erased. Contract: never rejects; its lease ends by itself when the tenant's object is not reached.
   */
  async leave(entries: readonly UsedReply[]): Promise<void> {
    try {
      await this.settle(entries, false);
    } catch (error) {
      console.warn("could not report an erased session to the tenant's object", {
        session_id: this.#session.session_id,
        error: String(error),
      });
    }
  }

  async #read(): Promise<void> {
    const lease = await this.#ask({ use: "reading" });
    if (!lease) this.#readAtMs = 0;
    else if (!lease.ok) this.#refused(lease.refusal);
  }

  /** Also invalidates an answer that is on its way, which was granted before. */
  #forgetGranted(): void {
    this.#generation += 1;
    this.#granted = null;
  }

  get #isInGrace(): boolean {
    return Date.now() - this.#answeredAtMs < LEASE_GRACE_MS;
  }

  /** Whether the grant covers the reply. A new reply takes over the grant of its admission. */
  #isGranted({ reply_id, tokens }: CountedReply): boolean {
    const granted = this.#granted;
    if (!granted || (granted.replyId !== null && granted.replyId !== reply_id)) return false;
    this.#granted = { ...granted, replyId: reply_id };
    return tokens < granted.upTo && Date.now() - granted.atMs < LEASE_RENEWAL_MS;
  }

  #grant({ reply_id, tokens }: CountedReply, lease: Lease): void {
    this.#granted = { atMs: Date.now(), upTo: tokens + lease.tokens, replyId: reply_id };
  }

  /** The quota that is used up; null when the tenant is stopped, and with it the reply. */
  #refused({ code, extensions }: Refusal): SpentQuota | null {
    this.#granted = null;
    if (code !== "quota_exceeded") {
      this.#callbacks.stop();
      return null;
    }
    const { quota, retry_after_ms } = (extensions ?? {}) as unknown as SpentQuota;
    return { quota, retry_after_ms };
  }

  /**
   * Null when there is no answer in time, and for {@link LEASE_RETRY_MS} after that, so that a hanging object is waited
   * for only once.
   */
  async #ask(request: Omit<LeaseRequest, keyof HeldSession>): Promise<Result<Lease> | null> {
    const failedAgoMs = Date.now() - this.#failedAtMs;
    // Negative when the clock was set back.
    if (failedAgoMs >= 0 && failedAgoMs < LEASE_RETRY_MS) return null;
    try {
      const asked = this.#tenant().lease({ ...this.#session, ...request });
      const lease = await withinDeadline(asked, LEASE_WAIT_MS);
      this.#answeredAtMs = Date.now();
      for (const one of (lease.ok && lease.value.news) || []) this.#callbacks.notify(one);
      return lease;
    } catch (error) {
      this.#failedAtMs = Date.now();
      console.warn("could not get a lease from the tenant's object", {
        session_id: this.#session.session_id,
        error: String(error),
      });
      return null;
    }
  }
}

const UNAVAILABLE = refuse(
  "unavailable",
  "the tenant's quotas cannot be looked at for some time now; try again",
);
