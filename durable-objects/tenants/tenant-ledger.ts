// The use that the tenant's sessions make of its quotas at this moment: leases, and counted tokens. Decisions are made
// from memory; changes are written a moment later, many in one commit, so that no reply waits for a write when it
// begins. A crash in between forgets leases that were just given: their sessions renew them.
import { LEASE_WRITE_MS } from "../../protocol/quotas/limits.ts";
import { isId } from "../../protocol/ids.ts";
import type { CountedReply, Running, TenantUse } from "../api/tenant-api.ts";
import { dayOf, type LeaseRow } from "./lease-row.ts";
import type { TenantTables } from "./tenant-tables.ts";

interface RunningLease {
  readonly untilMs: number;
  readonly reserved: number;
  /** The holder of the share that the reply counts in (`holderOf`); null for a lease that is no session's. */
  readonly holder: string | null;
}

/** The end of the reading lease of a session with sockets: none. */
const SOCKETS_UNTIL_MS = Number.MAX_SAFE_INTEGER;

export class TenantLedger {
  readonly #tables: TenantTables;
  readonly #keepAwake: (work: Promise<unknown>) => void;
  readonly #running = new Map<string, RunningLease>();
  readonly #reading = new Map<string, number>();
  /** Sessions whose leases on disk are older than these. */
  readonly #changed = new Set<string>();
  /** Replies and days whose tokens on disk are older. */
  readonly #tokens = new Map<string, { readonly tokens: number; readonly atMs: number }>();
  readonly #days = new Map<string, number>();
  #today = { day: "", tokens: 0 };
  /** Set while something has changed that is not on disk. */
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param keepAwake Keeps the object in memory until what has changed is on disk. */
  constructor(tables: TenantTables, keepAwake: (work: Promise<unknown>) => void) {
    this.#tables = tables;
    this.#keepAwake = keepAwake;
    for (const lease of tables.leases(Date.now())) {
      const { session_id, running_until, reading_until, reserved, holder } = lease;
      if (running_until > 0) {
        this.#running.set(session_id, { untilMs: running_until, reserved, holder });
      }
      if (reading_until > 0) this.#reading.set(session_id, reading_until);
    }
  }

  /**
   * The sum that all sessions but one hold. @param except The session that asks; empty for none.
   * @param holder Whose replies are counted among them.
   */
  running(except: string, nowMs: number, holder: string | null = null): Running {
    let [replies, reserved, held] = [0, 0, 0];
    for (const [sessionId, lease] of this.#running) {
      if (lease.untilMs <= nowMs) this.#running.delete(sessionId);
      else if (sessionId !== except) {
        replies += 1;
        reserved += lease.reserved;
        if (holder !== null && lease.holder === holder) held += 1;
      }
    }
    return { replies, reserved, held };
  }

  /** @param holder Whose running replies are counted by themselves, too. */
  use(nowMs: number, holder?: string): TenantUse {
    const { replies, held } = this.running("", nowMs, holder);
    const tokens_per_day = this.tokensOfDay(nowMs);
    return { running_replies: replies, held_replies: held, tokens_per_day };
  }

  /** Without replays and calls beside replies, whose leases have no session's id. */
  runningSessions(nowMs: number): readonly string[] {
    return [...this.#running]
      .filter(([id, { untilMs }]) => untilMs > nowMs && isId("ses", id))
      .map(([id]) => id);
  }

  isRunning(sessionId: string, nowMs: number): boolean {
    return (this.#running.get(sessionId)?.untilMs ?? 0) > nowMs;
  }

  /** Whether a replay holds a lease: its id, `rpl_…`, is in the place of a session's. */
  isReplaying(nowMs: number): boolean {
    for (const [id, { untilMs }] of this.#running) {
      if (id.startsWith("rpl_") && untilMs > nowMs) return true;
    }
    return false;
  }

  putRunningLease(sessionId: string, lease: RunningLease): void {
    this.#running.set(sessionId, lease);
    this.#note(sessionId);
  }

  /** Keeps what was granted with it. */
  extendRunningLease(sessionId: string, untilMs: number): void {
    const { reserved = 0, holder = null } = this.#running.get(sessionId) ?? {};
    this.putRunningLease(sessionId, { untilMs, reserved, holder });
  }

  /** One of a session with sockets stays as it is. */
  putReadingLease(sessionId: string, untilMs: number): void {
    if (this.hasSockets(sessionId)) return;
    this.#reading.set(sessionId, untilMs);
    this.#note(sessionId);
  }

  /** A lease without an end: a session that sleeps renews none. */
  putSocketLease(sessionId: string): void {
    this.putReadingLease(sessionId, SOCKETS_UNTIL_MS);
  }

  hasSockets(sessionId: string): boolean {
    return this.#reading.get(sessionId) === SOCKETS_UNTIL_MS;
  }

  /** @param untilMs The end of the lease then: other streams may be open. */
  endSocketLease(sessionId: string, untilMs: number): void {
    if (!this.hasSockets(sessionId)) return;
    this.#reading.set(sessionId, untilMs);
    this.#note(sessionId);
  }

  endRunningLease(sessionId: string): void {
    if (this.#running.delete(sessionId)) this.#note(sessionId);
  }

  /** Ends both leases of the session. */
  endLeases(sessionId: string): void {
    this.#reading.delete(sessionId);
    this.#running.delete(sessionId);
    this.#note(sessionId);
  }

  /** Counts the tokens of a reply that were not counted before, on the day of `nowMs`. */
  count({ reply_id, tokens }: CountedReply, nowMs: number): void {
    const known = this.#tokens.get(reply_id)?.tokens ?? this.#tables.countedTokens(reply_id);
    const more = tokens - known;
    if (more <= 0) return;
    const day = dayOf(nowMs);
    this.#today = { day, tokens: this.tokensOfDay(nowMs) + more };
    this.#tokens.set(reply_id, { tokens, atMs: nowMs });
    this.#days.set(day, (this.#days.get(day) ?? 0) + more);
    this.#writeSoon();
  }

  tokensOfDay(nowMs: number): number {
    const day = dayOf(nowMs);
    if (this.#today.day !== day) {
      this.#today = { day, tokens: this.#tables.tokensOf(day) + (this.#days.get(day) ?? 0) };
    }
    return this.#today.tokens;
  }

  /** Writes what has changed. @throws when the storage fails: it is written with the next change. */
  write(): void {
    if (this.#changed.size + this.#tokens.size === 0) return;
    this.#tables.transaction(() => {
      for (const sessionId of this.#changed) this.#tables.putLease(this.#lease(sessionId));
      for (const [id, { tokens, atMs }] of this.#tokens) this.#tables.putCounted(id, tokens, atMs);
      for (const [day, more] of this.#days) this.#tables.addTokens(day, more);
    });
    this.#changed.clear();
    this.#tokens.clear();
    this.#days.clear();
  }

  /** Forgets leases that are over: nothing else asks for those of streams. */
  dropExpired(nowMs: number): void {
    for (const [id, { untilMs }] of this.#running) if (untilMs <= nowMs) this.#running.delete(id);
    for (const [id, untilMs] of this.#reading) if (untilMs <= nowMs) this.#reading.delete(id);
  }

  /** Forgets all of it, also what is not written. */
  clear(): void {
    for (const map of [this.#running, this.#reading, this.#changed, this.#tokens, this.#days]) {
      map.clear();
    }
    this.#today = { day: "", tokens: 0 };
  }

  #lease(session_id: string): LeaseRow {
    const running = this.#running.get(session_id);
    return {
      session_id,
      running_until: running?.untilMs ?? 0,
      reading_until: this.#reading.get(session_id) ?? 0,
      reserved: running?.reserved ?? 0,
      holder: running?.holder ?? null,
    };
  }

  #note(sessionId: string): void {
    this.#changed.add(sessionId);
    this.#writeSoon();
  }

  #writeSoon(): void {
    if (this.#timer !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      try {
        this.write();
      } catch (error) {
        console.warn("what a tenant uses could not be written", { error: String(error) });
      }
      this.#tables.synced().then(resolve, resolve);
    }, LEASE_WRITE_MS);
    this.#keepAwake(promise);
  }
}
