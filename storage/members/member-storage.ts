import { and, desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";

import type { Member } from "../../protocol/members/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { recordStatements } from "../audit/audit-storage.ts";
import { consoleSessions } from "../console/table.ts";
import { isStillValid } from "../keys/is-still-valid.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import type { Database } from "../statements/database.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { memberIdentities } from "../sign-in-providers/table.ts";
import { isConsoleOf } from "./is-console-of.ts";
import { type AnyRole, members, passkeys } from "./table.ts";

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

/** `full`: the operator has as many members as it may have; a tenant's are a quota, which aborts. */
type Invited = "invited" | "address_taken" | "full" | "maker_ended";

/** A member as it is stored: with the owner, a tenant's id or `OPERATOR_ROWS`, in `tenant_id`. */
export interface StoredMember<Role extends AnyRole> extends Omit<Member, "role"> {
  readonly role: Role;
}

/** Members of one owner. Removals and demotions leave an owner behind. This is decided by the statements, so that no two of them race. */
export interface MemberStorage<Role extends AnyRole> {
  insert(member: StoredMember<Role>, link: MemberLink, act: Act): Promise<Invited>;
  list(request: ListRequest): Promise<Page<StoredMember<Role>>>;
  read(memberId: string): Promise<StoredMember<Role> | null>;
  /** Null when there is no such member, the acting one has ended, or the owner of the rows would lose its last owner. */
  update(
    before: StoredMember<Role>,
    change: { readonly name?: string; readonly role?: Role },
    act: Act,
  ): Promise<StoredMember<Role> | null>;
  /**
   * Replaces the link, and ends the member's passkeys, identity and sessions. Null as for {@link update}.
   * @returns the sessions that were open.
   */
  renewLink(
    before: StoredMember<Role>,
    link: MemberLink,
    now: string,
    act: Act,
  ): Promise<Ended<Role> | null>;
  /** Null as for {@link update}. A repeated removal changes nothing, and finds the sessions again. */
  remove(before: StoredMember<Role>, now: string, act: Act): Promise<Ended<Role> | null>;
}

interface Ended<Role extends AnyRole> {
  readonly member: StoredMember<Role>;
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

/** @param ownerId A tenant's id, or `OPERATOR_ROWS`: its members have the roles of that kind of owner. */
export function memberStorage<Role extends AnyRole>(
  database: Database,
  ownerId: string,
): MemberStorage<Role> {
  function isOurs(memberId: string) {
    return and(eq(members.tenant_id, ownerId), eq(members.id, memberId));
  }
  /** The roles in the rows of an owner are of its kind. */
  function ofOwner(row: StoredMember<AnyRole>): StoredMember<Role> {
    return row as StoredMember<Role>;
  }
  /** As it was read: somebody who has changed the role meanwhile decides about another member. */
  function isAsRead({ id, role }: StoredMember<Role>, by: string) {
    return and(
      isOurs(id),
      eq(members.role, role),
      isNull(members.removed_at),
      isStillValid(ownerId, by),
    );
  }
  function endSessions(memberId: string, now: string) {
    return database
      .update(consoleSessions)
      .set({ ended_at: sql`coalesce(${consoleSessions.ended_at}, ${now})` })
      .where(
        and(
          isConsoleOf(ownerId),
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
            eq(table.tenant_id, ownerId),
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
        tenant_id: ownerId,
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
        .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isStillValid(ownerId, by)}`)
        .returning({ id: members.id });
      try {
        const rows = await runInBatch(database, inserted, keep, audit);
        return rows.length > 0 ? "invited" : "maker_ended";
      } catch (error) {
        if (isAddressTaken(error)) return "address_taken";
        if (says(error, "operator_members_full")) return "full";
        throw error;
      }
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(members)
        .where(and(eq(members.tenant_id, ownerId), before ? lt(members.id, before) : undefined))
        .orderBy(desc(members.id))
        .limit(limit + 1);
      return toPage(rows.map(ofOwner), limit);
    },

    async read(memberId) {
      const [row] = await database.select(SHOWN).from(members).where(isOurs(memberId));
      return row ? ofOwner(row) : null;
    },

    async update(before, change, { by, audit }) {
      const isDemotion = change.role !== undefined && change.role !== "owner";
      const updated = database
        .update(members)
        .set(change)
        .where(and(isAsRead(before, by), isDemotion ? leavesAnOwner() : undefined))
        .returning(SHOWN);
      const [row] = await runInBatch(database, updated, undefined, audit);
      return row ? ofOwner(row) : null;
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
      return member ? { member: ofOwner(member), sessionIds: idsOf(rest.at(-1)) } : null;
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
      const member = changed ? ofOwner(changed) : before.removed_at === null ? null : before;
      return member && { member, sessionIds: idsOf(rest.at(-1)) };
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
  return says(error, "UNIQUE constraint failed: members.tenant_id, members.email");
}

function says(error: unknown, text: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(text)) return true;
  }
  return false;
}
