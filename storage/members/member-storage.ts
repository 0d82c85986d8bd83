import { and, desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";

import { MAX_LISTED_RULE_SESSIONS } from "../../protocol/members/limits.ts";
import type { Member, RemovedMember } from "../../protocol/members/contract.ts";
import type { MemberRole } from "../../protocol/members/roles.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { recordStatements } from "../audit/audit-storage.ts";
import { auditEntries } from "../audit/table.ts";
import { consoleSessions } from "../console/table.ts";
import { isStillValid } from "../keys/is-still-valid.ts";
import { apiKeys } from "../keys/table.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import type { Database } from "../statements/database.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { memberIdentities, signInProviders } from "../sign-in-providers/table.ts";
import { tokenIssuers } from "../token-issuers/table.ts";
import { members, passkeys } from "./table.ts";

/** A link: the hash of its secret, and its end. */
export interface MemberLink {
  readonly hash: string;
  readonly expiresAt: string;
}

/** The records of an act, and the credential that does it: a Worker may have it in its cache as valid. */
interface Act {
  /** Id of a key or a member; `operator`, which nothing revokes. */
  readonly by: string;
  readonly keep?: KeepAnswer;
  readonly audit: WriteAudit;
}

type Invited = "invited" | "address_taken" | "maker_ended";

/** Removals and demotions leave an owner behind. This is decided by the statements, so that no two of them race. */
export interface MemberStorage {
  insert(member: Member, link: MemberLink, act: Act): Promise<Invited>;
  list(request: ListRequest): Promise<Page<Member>>;
  read(memberId: string): Promise<Member | null>;
  /** Null when there is no such member, the acting one has ended, or the tenant would lose its last owner. */
  update(
    before: Member,
    change: { readonly name?: string; readonly role?: MemberRole },
    act: Act,
  ): Promise<Member | null>;
  /**
   * Replaces the link, and ends the member's passkeys, identity and sessions. Null as for {@link update}.
   * @returns the sessions that were open.
   */
  renewLink(before: Member, link: MemberLink, now: string, act: Act): Promise<Ended | null>;
  /** Null as for {@link update}. A repeated removal changes nothing, and finds the sessions again. */
  remove(before: Member, now: string, act: Act): Promise<Ended | null>;
  /** Things that the member has made and that are in use. */
  readMade(memberId: string): Promise<Omit<RemovedMember, keyof Member>>;
}

interface Ended {
  readonly member: Member;
  readonly sessionIds: readonly string[];
}

const SHOWN = {
  id: members.id,
  tenant_id: members.tenant_id,
  name: members.name,
  email: members.email,
  role: members.role,
  status: sql<Member["status"]>`CASE WHEN ${members.removed_at} IS NOT NULL THEN 'removed'
    WHEN ${members.joined_at} IS NULL THEN 'invited' ELSE 'active' END`.as("status"),
  created_at: members.created_at,
  created_by: members.created_by,
  link_expires_at: members.link_expires_at,
  last_sign_in_at: members.last_sign_in_at,
  removed_at: members.removed_at,
};

export function memberStorage(database: Database, tenantId: string): MemberStorage {
  function isOurs(memberId: string) {
    return and(eq(members.tenant_id, tenantId), eq(members.id, memberId));
  }
  /** As it was read: somebody who has changed the role meanwhile decides about another member. */
  function isAsRead({ id, role }: Member, by: string) {
    return and(
      isOurs(id),
      eq(members.role, role),
      isNull(members.removed_at),
      isStillValid(tenantId, by),
    );
  }
  function endSessions(memberId: string, now: string) {
    return database
      .update(consoleSessions)
      .set({ ended_at: sql`coalesce(${consoleSessions.ended_at}, ${now})` })
      .where(
        and(
          eq(consoleSessions.tenant_id, tenantId),
          eq(consoleSessions.member_id, memberId),
          sql`${consoleSessions.expires_at} > ${now}`,
          // The member is as the statements before have left it: nothing ends when they have refused.
          sql`EXISTS (SELECT 1 FROM ${members} WHERE ${isOurs(memberId)} AND ${members.joined_at} IS NULL)`,
        ),
      )
      .returning({ id: consoleSessions.id });
  }
  /** Passkeys, and the identity at a sign-in provider. */
  function dropWaysIn(memberId: string) {
    return [passkeys, memberIdentities].map((table) =>
      database
        .delete(table)
        .where(
          and(
            eq(table.tenant_id, tenantId),
            eq(table.member_id, memberId),
            sql`EXISTS (SELECT 1 FROM ${members} WHERE ${isOurs(memberId)} AND ${members.joined_at} IS NULL)`,
          ),
        ),
    );
  }

  return {
    async insert(member, link, { by, keep, audit }) {
      const { status: _, ...shown } = member;
      const row: typeof members.$inferSelect = {
        ...shown,
        tenant_id: tenantId,
        link_hash: link.hash,
        link_expires_at: link.expiresAt,
        joined_at: null,
      };
      // In the order of the table's columns.
      const values = Object.entries(getTableColumns(members)).map(
        ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
      );
      const inserted = database
        .insert(members)
        .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isStillValid(tenantId, by)}`)
        .returning({ id: members.id });
      try {
        const rows = await runInBatch(database, inserted, keep, audit);
        return rows.length > 0 ? "invited" : "maker_ended";
      } catch (error) {
        if (isAddressTaken(error)) return "address_taken";
        throw error;
      }
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(members)
        .where(and(eq(members.tenant_id, tenantId), before ? lt(members.id, before) : undefined))
        .orderBy(desc(members.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async read(memberId) {
      const [row] = await database.select(SHOWN).from(members).where(isOurs(memberId));
      return row ?? null;
    },

    async update(before, change, { by, audit }) {
      const isDemotion = change.role !== undefined && change.role !== "owner";
      const updated = database
        .update(members)
        .set(change)
        .where(and(isAsRead(before, by), isDemotion ? leavesAnOwner() : undefined))
        .returning(SHOWN);
      const [row] = await runInBatch(database, updated, undefined, audit);
      return row ?? null;
    },

    async renewLink(before, link, now, { by, keep, audit }) {
      const [[member], ...rest] = await database.batch([
        database
          .update(members)
          .set({ link_hash: link.hash, link_expires_at: link.expiresAt, joined_at: null })
          .where(isAsRead(before, by))
          .returning(SHOWN),
        ...recordStatements(database, audit, keep),
        ...dropWaysIn(before.id),
        endSessions(before.id, now),
      ]);
      return member ? { member, sessionIds: idsOf(rest.at(-1)) } : null;
    },

    async remove(before, now, { by, audit }) {
      const [[changed], ...rest] = await database.batch([
        database
          .update(members)
          .set({ removed_at: now, link_hash: null, link_expires_at: null, joined_at: null })
          .where(and(isAsRead(before, by), leavesAnOwner()))
          .returning(SHOWN),
        ...recordStatements(database, audit),
        ...dropWaysIn(before.id),
        endSessions(before.id, now),
      ]);
      const member = changed ?? (before.removed_at === null ? null : before);
      return member && { member, sessionIds: idsOf(rest.at(-1)) };
    },

    async readMade(memberId) {
      const [keys, issuers, providers, entries] = await database.batch([
        database
          .select({ id: apiKeys.id, name: apiKeys.name, prefix: apiKeys.prefix })
          .from(apiKeys)
          .where(
            and(
              eq(apiKeys.tenant_id, tenantId),
              eq(apiKeys.created_by, memberId),
              isNull(apiKeys.revoked_at),
            ),
          )
          .orderBy(desc(apiKeys.id)),
        database
          .select({ id: tokenIssuers.id })
          .from(tokenIssuers)
          .where(and(eq(tokenIssuers.tenant_id, tenantId), eq(tokenIssuers.created_by, memberId))),
        database
          .select({ id: signInProviders.id })
          .from(signInProviders)
          .where(
            and(eq(signInProviders.tenant_id, tenantId), eq(signInProviders.created_by, memberId)),
          ),
        database
          .select({ id: auditEntries.target_id })
          .from(auditEntries)
          .where(
            and(
              eq(auditEntries.tenant_id, tenantId),
              eq(auditEntries.actor_id, memberId),
              // As the index says it.
              sql`${auditEntries.actor_kind} = 'member' AND ${auditEntries.action} = 'session.rules_added'`,
            ),
          )
          .groupBy(auditEntries.target_id)
          .orderBy(desc(sql`max(${auditEntries.id})`))
          .limit(MAX_LISTED_RULE_SESSIONS),
      ]);
      return {
        api_keys: keys,
        token_issuer_ids: issuers.map(({ id }) => id),
        sign_in_provider_ids: providers.map(({ id }) => id),
        rule_session_ids: entries.map(({ id }) => id),
      };
    },
  };
}

/**
 * Whether the row that is changed is no owner, or another owner is left: one who signs in, if this one does.
 */
function leavesAnOwner(): SQL {
  return sql`(${members.role} <> 'owner' OR EXISTS (SELECT 1 FROM members AS other
    WHERE other.tenant_id = ${members.tenant_id} AND other.id <> ${members.id} AND other.role = 'owner'
    AND other.removed_at IS NULL AND (${members.joined_at} IS NULL OR other.joined_at IS NOT NULL)))`;
}

function idsOf(rows: unknown): readonly string[] {
  return (rows as readonly { readonly id: string }[]).map(({ id }) => id);
}

function isAddressTaken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("UNIQUE constraint failed: members.tenant_id, members.email")) {
      return true;
    }
  }
  return false;
}
