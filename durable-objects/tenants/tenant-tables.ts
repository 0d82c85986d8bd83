// The tables of a tenant's object: its status and quotas, the leases of its sessions, today's usage, and pending
// notifications.
import { DEFAULT_QUOTAS, type StoredQuotas, withQuotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { COUNTED_REPLY_MS, TENANT_PURGED_ROWS } from "../../protocol/quotas/limits.ts";
import type { KeptVersion, TenantSettings } from "../api/tenant-api.ts";
import { dayOf, type LeaseRow } from "./lease-row.ts";
import { RemoteFailures } from "./remote-failures.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS standing (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    status TEXT NOT NULL,
    quotas TEXT NOT NULL,
    revision INTEGER NOT NULL
  );
  -- The tenant's stored bytes as last read from D1.
  CREATE TABLE IF NOT EXISTS held (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    stored_bytes INTEGER NOT NULL
  );
  -- Sessions in use. Times are Unix milliseconds.
  CREATE TABLE IF NOT EXISTS leases (
    session_id TEXT PRIMARY KEY,
    -- Until when the session counts as running a reply; 0 when it runs none.
    running_until INTEGER NOT NULL DEFAULT 0,
    -- Until when it may have open streams; 0 when it has none.
    reading_until INTEGER NOT NULL DEFAULT 0,
    -- Tokens that were granted to its reply and are not reported as used.
    reserved INTEGER NOT NULL DEFAULT 0,
    -- Whose share its reply counts in; null for none, and in rows from before the column, until they are renewed.
    holder TEXT
  ) WITHOUT ROWID;
  -- The tokens that were counted for a reply, so that none are counted twice.
  CREATE TABLE IF NOT EXISTS replies (
    id TEXT PRIMARY KEY,
    tokens INTEGER NOT NULL,
    counted_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- Tokens by day of UTC.
  CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, tokens INTEGER NOT NULL) WITHOUT ROWID;
  -- Keys that were revoked together with the tokens that they minted.
  CREATE TABLE IF NOT EXISTS revoked_makers (key_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
  -- Revoked keys, as long as a Worker may have them cached: sessions without a lease were not notified.
  CREATE TABLE IF NOT EXISTS cut_keys (
    key_id TEXT PRIMARY KEY,
    with_tokens INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- Versions of agents that were once to be retired. D1 knows whether they are.
  CREATE TABLE IF NOT EXISTS retired_versions (
    agent_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (agent_id, version)
  ) WITHOUT ROWID;
  -- Pending notifications of sessions.
  CREATE TABLE IF NOT EXISTS untold (
    session_id TEXT NOT NULL,
    news TEXT NOT NULL,
    PRIMARY KEY (session_id, news)
  ) WITHOUT ROWID;
`;

/** For a tenant whose row was never read from D1: active, with the default quotas. */
export const UNKNOWN_TENANT: TenantSettings = {
  status: "active",
  quotas: DEFAULT_QUOTAS,
  revision: -1,
};

export class TenantTables {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly remoteFailures: RemoteFailures;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(SCHEMA);
    this.remoteFailures = new RemoteFailures(this.#sql);
    const hasHolder = "SELECT 1 FROM pragma_table_info('leases') WHERE name = 'holder'";
    if (this.#sql.exec(hasHolder).toArray().length === 0) {
      this.#sql.exec("ALTER TABLE leases ADD COLUMN holder TEXT");
    }
  }

  /** Null before it was first set. */
  settings(): TenantSettings | null {
    const [row] = this.#sql
      .exec<{ status: TenantStatus; quotas: string; revision: number }>(
        "SELECT status, quotas, revision FROM standing",
      )
      .toArray();
    if (!row) return null;
    // A quota that an older version did not know has its default.
    const quotas = withQuotas(DEFAULT_QUOTAS, JSON.parse(row.quotas) as StoredQuotas);
    return { status: row.status, quotas, revision: row.revision };
  }

  putSettings({ status, quotas, revision }: TenantSettings): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO standing (id, status, quotas, revision) VALUES (1, ?, ?, ?)",
      status,
      JSON.stringify(quotas),
      revision,
    );
  }

  /** Null before it was first read from D1. */
  storedBytes(): number | null {
    const [row] = this.#sql
      .exec<{ stored_bytes: number }>("SELECT stored_bytes FROM held")
      .toArray();
    return row?.stored_bytes ?? null;
  }

  putStoredBytes(bytes: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO held (id, stored_bytes) VALUES (1, ?)", bytes);
  }

  /** Leases that are not over. */
  leases(nowMs: number): Iterable<LeaseRow> {
    return this.#sql.exec<LeaseRow & Record<string, SqlStorageValue>>(
      `SELECT session_id, running_until, reading_until, reserved, holder FROM leases
       WHERE running_until > ?1 OR reading_until > ?1`,
      nowMs,
    );
  }

  /** A lease without a time is deleted. */
  putLease({ session_id, running_until, reading_until, reserved, holder }: LeaseRow): void {
    if (running_until === 0 && reading_until === 0) {
      this.#sql.exec("DELETE FROM leases WHERE session_id = ?", session_id);
      return;
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO leases (session_id, running_until, reading_until, reserved, holder)
       VALUES (?, ?, ?, ?, ?)`,
      session_id,
      running_until,
      reading_until,
      reserved,
      holder,
    );
  }

  /** The tokens that were counted for a reply. */
  countedTokens(replyId: string): number {
    const query = "SELECT tokens FROM replies WHERE id = ?";
    return this.#sql.exec<{ tokens: number }>(query, replyId).toArray()[0]?.tokens ?? 0;
  }

  putCounted(replyId: string, tokens: number, atMs: number): void {
    const query = "INSERT OR REPLACE INTO replies (id, tokens, counted_at) VALUES (?, ?, ?)";
    this.#sql.exec(query, replyId, tokens, atMs);
  }

  /** @param day `YYYY-MM-DD` in UTC. */
  tokensOf(day: string): number {
    const query = "SELECT tokens FROM days WHERE day = ?";
    return this.#sql.exec<{ tokens: number }>(query, day).toArray()[0]?.tokens ?? 0;
  }

  addTokens(day: string, tokens: number): void {
    this.#sql.exec(
      `INSERT INTO days (day, tokens) VALUES (?1, ?2)
       ON CONFLICT (day) DO UPDATE SET tokens = tokens + ?2`,
      day,
      tokens,
    );
  }

  /** All writes of the callback, or none. */
  transaction(write: () => void): void {
    this.#storage.transactionSync(write);
  }

  /** Resolves when what was written is on disk. */
  synced(): Promise<void> {
    return this.#storage.sync();
  }

  revokeMaker(keyId: string, untilMs: number): void {
    const query = "INSERT OR REPLACE INTO revoked_makers (key_id, until) VALUES (?, ?)";
    this.#sql.exec(query, keyId, untilMs);
  }

  revokedMakers(nowMs: number): readonly string[] {
    return this.#sql
      .exec<{ key_id: string }>("SELECT key_id FROM revoked_makers WHERE until > ?", nowMs)
      .toArray()
      .map(({ key_id }) => key_id);
  }

  /** A key that was revoked with its tokens once stays so. */
  cutKey(keyId: string, withTokens: boolean, untilMs: number): void {
    this.#sql.exec(
      `INSERT INTO cut_keys (key_id, with_tokens, until) VALUES (?1, ?2, ?3)
       ON CONFLICT (key_id) DO UPDATE SET with_tokens = max(with_tokens, ?2), until = ?3`,
      keyId,
      Number(withTokens),
      untilMs,
    );
  }

  cutKeys(nowMs: number): readonly { readonly id: string; readonly withTokens: boolean }[] {
    const query = "SELECT key_id, with_tokens FROM cut_keys WHERE until > ?";
    return this.#sql
      .exec<{ key_id: string; with_tokens: number }>(query, nowMs)
      .toArray()
      .map(({ key_id, with_tokens }) => ({ id: key_id, withTokens: with_tokens === 1 }));
  }

  addRetired({ agent_id, version }: KeptVersion): void {
    const query = "INSERT OR IGNORE INTO retired_versions (agent_id, version) VALUES (?, ?)";
    this.#sql.exec(query, agent_id, version);
  }

  removeRetired(agentId: string): void {
    this.#sql.exec("DELETE FROM retired_versions WHERE agent_id = ?", agentId);
    this.remoteFailures.clear(agentId);
  }

  mayBeRetired({ agent_id, version }: KeptVersion): boolean {
    const query = "SELECT 1 FROM retired_versions WHERE agent_id = ? AND version = ?";
    return this.#sql.exec(query, agent_id, version).toArray().length > 0;
  }

  /** Adds a notification for each session that holds a lease. */
  addNotification(notification: string, nowMs: number): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO untold (session_id, news) SELECT session_id, ?2 FROM leases
       WHERE running_until > ?1 OR reading_until > ?1`,
      nowMs,
      notification,
    );
  }

  /** Deletes all pending notifications, which are outdated. */
  clearNotifications(): void {
    this.#sql.exec("DELETE FROM untold");
  }

  pendingNotifications(
    most: number,
  ): readonly { readonly session_id: string; readonly news: string }[] {
    return this.#sql
      .exec<{ session_id: string; news: string }>(
        "SELECT session_id, news FROM untold ORDER BY session_id LIMIT ?",
        most,
      )
      .toArray();
  }

  removeNotification(sessionId: string, notification: string): void {
    const query = "DELETE FROM untold WHERE session_id = ? AND news = ?";
    this.#sql.exec(query, sessionId, notification);
  }

  /** Deletes notifications of sessions that hold no lease any more: these are notified when they ask for one. */
  dropStaleNotifications(nowMs: number): void {
    this.#sql.exec(
      `DELETE FROM untold WHERE NOT EXISTS (SELECT 1 FROM leases
       WHERE leases.session_id = untold.session_id AND (running_until > ?1 OR reading_until > ?1))`,
      nowMs,
    );
  }

  /** Deletes everything but the status and quotas. */
  eraseUse(): void {
    const tables = ["held", "leases", "replies", "days", "revoked_makers", "cut_keys", "untold"];
    for (const table of [...tables, "retired_versions"]) this.#sql.exec(`DELETE FROM ${table}`);
    this.remoteFailures.clear();
  }

  /** Deletes a bounded number of expired rows. @returns whether any were deleted: there may be more. */
  purge(nowMs: number): boolean {
    const most = TENANT_PURGED_ROWS;
    const leases = this.#sql.exec(
      `DELETE FROM leases WHERE session_id IN (SELECT session_id FROM leases
       WHERE running_until <= ?1 AND reading_until <= ?1 LIMIT ?2)`,
      nowMs,
      most,
    );
    const replies = this.#sql.exec(
      // Ids sort by time: only the oldest are read.
      `DELETE FROM replies WHERE id IN (SELECT id FROM (SELECT id, counted_at FROM replies
       ORDER BY id LIMIT ?2) WHERE counted_at <= ?1)`,
      nowMs - COUNTED_REPLY_MS,
      most,
    );
    this.#sql.exec("DELETE FROM days WHERE day < ?", dayOf(nowMs - COUNTED_REPLY_MS));
    this.#sql.exec("DELETE FROM revoked_makers WHERE until <= ?", nowMs);
    this.#sql.exec("DELETE FROM cut_keys WHERE until <= ?", nowMs);
    return leases.rowsWritten + replies.rowsWritten > 0;
  }
}
