// Sign-in links and sessions of the console, of all tenants and of the operator: they are found by secrets, before it
// is known whose they are.
import { and, eq, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";

import type { Scope } from "../../protocol/keys/contract.ts";
import type { StoredQuotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { MAX_PURGED_CONSOLE_SESSIONS } from "../../protocol/keys/limits.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { consoleSessions } from "./table.ts";
import { apiKeys } from "../keys/table.ts";
import { type AnyRole, members } from "../members/table.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";
import { tenants } from "../tenants/table.ts";

type NewConsoleLink = Omit<
  typeof consoleSessions.$inferSelect,
  | "hash"
  | "started_at"
  | "last_used_at"
  | "ended_at"
  | "expires_at"
  | "member_id"
  | "link_expires_at"
> & { readonly link_expires_at: string };

/** A link or a session, with what its rights depend on. */
export interface ConsoleSessionRecord {
  readonly id: string;
  /** Null for the operator's console; so are `scopes`, `tenant` and `key`. */
  readonly tenant_id: string | null;
  /** Null for a member's session. */
  readonly key_id: string | null;
  /** Null for a session that a link has opened. */
  readonly member_id: string | null;
  readonly scopes: readonly Scope[] | null;
  /** Null for a member's session. */
  readonly link_expires_at: string | null;
  readonly started_at: string | null;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly ended_at: string | null;
  /** Null, too, when its row is gone. */
  readonly tenant: {
    readonly name: string;
    readonly status: TenantStatus;
    readonly quotas: StoredQuotas;
  } | null;
  /** The key that made the link; null, too, when its row is gone. */
  readonly key: {
    readonly expires_at: string | null;
    readonly revoked_at: string | null;
    readonly last_used_at: string | null;
  } | null;
  /** The member who has signed in; null, too, when the row is gone. */
  readonly member: {
    readonly name: string;
    readonly role: AnyRole;
    readonly removed_at: string | null;
  } | null;
}

export interface ConsoleStorage {
  /** Also deletes some rows of sessions that ended before `endedBefore`. */
  insertLink(
    link: NewConsoleLink,
    records: {
      readonly keep?: KeepAnswer;
      readonly audit: WriteAudit;
      readonly endedBefore: string;
    },
  ): Promise<void>;
  /** @param hashes Of the link's secret, one per accepted pepper. Also finds used and expired links. */
  findLink(hashes: readonly string[]): Promise<ConsoleSessionRecord | null>;
  /** @param hashes Of the cookie's secret, one per accepted pepper. Also finds ended sessions. */
  findSession(hashes: readonly string[]): Promise<ConsoleSessionRecord | null>;
  readSession(id: string): Promise<ConsoleSessionRecord | null>;
  /**
   * Uses the link: of any number of concurrent calls one returns true.
   * @param session The hash of the new cookie's secret; the start, and the latest end.
   */
  start(
    id: string,
    session: { readonly hash: string; readonly startedAt: string; readonly expiresAt: string },
    audit: WriteAudit,
  ): Promise<boolean>;
  /** Notes an exchange for an access token; false when the session was ended meanwhile. */
  noteUse(id: string, usedAt: string): Promise<boolean>;
  /** Idempotent. */
  end(id: string, endedAt: string, audit: WriteAudit): Promise<void>;
}

export function consoleStorage(binding: D1Database): ConsoleStorage {
  const database = openDatabase(binding);

  async function find(isWanted: ReturnType<typeof eq>): Promise<ConsoleSessionRecord | null> {
    const [row] = await database
      .select({
        session: consoleSessions,
        tenant: { name: tenants.name, status: tenants.status, quotas: tenants.quotas },
        // With its id, since a row whose selected columns are all null counts as missing.
        key: {
          id: apiKeys.id,
          expires_at: apiKeys.expires_at,
          revoked_at: apiKeys.revoked_at,
          last_used_at: apiKeys.last_used_at,
        },
        member: {
          id: members.id,
          name: members.name,
          role: members.role,
          removed_at: members.removed_at,
        },
      })
      .from(consoleSessions)
      .leftJoin(tenants, eq(tenants.id, consoleSessions.tenant_id))
      .leftJoin(
        apiKeys,
        and(
          eq(apiKeys.id, consoleSessions.key_id),
          eq(apiKeys.tenant_id, consoleSessions.tenant_id),
        ),
      )
      .leftJoin(
        members,
        and(
          eq(members.id, consoleSessions.member_id),
          sql`${members.tenant_id} = coalesce(${consoleSessions.tenant_id}, ${OPERATOR_ROWS})`,
        ),
      )
      .where(isWanted);
    if (!row) return null;
    const { hash: _, link_hash: __, created_at: ___, ...session } = row.session;
    return { ...session, tenant: row.tenant, key: row.key, member: row.member };
  }

  return {
    async insertLink(link, { keep, audit, endedBefore }) {
      const inserted = database
        .insert(consoleSessions)
        .values({ ...link, expires_at: link.link_expires_at });
      await runInBatch(database, inserted, keep, audit);
      const over = database
        .select({ id: consoleSessions.id })
        .from(consoleSessions)
        .where(lt(consoleSessions.expires_at, endedBefore))
        .limit(MAX_PURGED_CONSOLE_SESSIONS);
      await database.delete(consoleSessions).where(inArray(consoleSessions.id, over));
    },

    findLink: (hashes) => find(inArray(consoleSessions.link_hash, [...hashes])),
    findSession: (hashes) => find(inArray(consoleSessions.hash, [...hashes])),
    readSession: (id) => find(eq(consoleSessions.id, id)),

    async start(id, { hash, startedAt, expiresAt }, audit) {
      const started = database
        .update(consoleSessions)
        .set({ hash, started_at: startedAt, last_used_at: startedAt, expires_at: expiresAt })
        .where(
          and(
            eq(consoleSessions.id, id),
            isNull(consoleSessions.started_at),
            gt(consoleSessions.link_expires_at, startedAt),
          ),
        )
        .returning({ id: consoleSessions.id });
      const rows = await runInBatch(database, started, undefined, audit);
      return rows.length > 0;
    },

    async noteUse(id, usedAt) {
      const rows = await database
        .update(consoleSessions)
        .set({ last_used_at: usedAt })
        .where(
          and(
            eq(consoleSessions.id, id),
            isNull(consoleSessions.ended_at),
            isNotNull(consoleSessions.started_at),
          ),
        )
        .returning({ id: consoleSessions.id });
      return rows.length > 0;
    },

    async end(id, endedAt, audit) {
      const ended = database
        .update(consoleSessions)
        .set({ ended_at: sql`${endedAt}` })
        .where(and(eq(consoleSessions.id, id), isNull(consoleSessions.ended_at)));
      await runInBatch(database, ended, undefined, audit);
    },
  };
}
