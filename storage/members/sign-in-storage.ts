// Sign-ins of members, in all tenants: by a link that registers a passkey, and by the passkey. What they decide stands in
// the statements, so that a removal or a second use of the same thing at that moment is not overtaken.
import { and, eq, getTableColumns, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";

import { CONSOLE_KEPT_MS, MAX_PURGED_CONSOLE_SESSIONS } from "../../protocol/keys/limits.ts";
import { MAX_PURGED_CHALLENGES } from "../../protocol/members/limits.ts";
import type { MemberRole } from "../../protocol/members/roles.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { consoleSessions } from "../console/table.ts";
import { openDatabase } from "../statements/database.ts";
import { tenants } from "../tenants/table.ts";
import { answeredChallenges, members, passkeys } from "./table.ts";

/** A member who is about to sign in. */
export interface SigningMember {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: MemberRole;
  readonly tenant: { readonly id: string; readonly name: string; readonly status: TenantStatus };
}

export interface LinkedMember extends SigningMember {
  readonly link_hash: string;
  readonly link_expires_at: string;
}

export interface StoredPasskey {
  readonly id: string;
  /** COSE, in base64url. */
  readonly public_key: string;
  readonly counter: number;
}

export interface NewMemberSession {
  readonly id: string;
  /** Hash of the secret in the cookie. */
  readonly hash: string;
  readonly startedAt: string;
  readonly expiresAt: string;
}

export interface MemberSignInStorage {
  /** @param hashes Of the link's secret, one per accepted pepper. Null for a link that was used or replaced. */
  findLink(tenantId: string, hashes: readonly string[]): Promise<LinkedMember | null>;
  /**
   * Uses the link: of any number of calls at once one returns true. The passkey is the only one of the member then.
   * @param passkey Null where the host cannot have any.
   */
  accept(
    member: LinkedMember,
    passkey: StoredPasskey | null,
    session: NewMemberSession,
    audits: { readonly started: WriteAudit; readonly joined: WriteAudit },
  ): Promise<boolean>;
  findPasskey(
    tenantId: string,
    passkeyId: string,
  ): Promise<{ readonly member: SigningMember; readonly passkey: StoredPasskey } | null>;
  /**
   * False when the challenge was answered before, the passkey is gone, or its counter is behind the stored one.
   * @param challenge Its hash and its end.
   */
  signIn(
    member: SigningMember,
    passkey: StoredPasskey,
    session: NewMemberSession,
    challenge: { readonly hash: string; readonly expiresAt: string },
    started: WriteAudit,
  ): Promise<boolean>;
}

const MEMBER = {
  id: members.id,
  name: members.name,
  email: members.email,
  role: members.role,
  tenant: { id: tenants.id, name: tenants.name, status: tenants.status },
};

export function memberSignInStorage(binding: D1Database): MemberSignInStorage {
  const database = openDatabase(binding);

  /** A session of the member, if the rows in `found` are there. */
  function insertSession(member: SigningMember, session: NewMemberSession, found: SQL) {
    const { startedAt } = session;
    const row: typeof consoleSessions.$inferSelect = {
      id: session.id,
      tenant_id: member.tenant.id,
      key_id: null,
      member_id: member.id,
      scopes: null,
      link_hash: null,
      link_expires_at: null,
      created_at: startedAt,
      hash: session.hash,
      started_at: startedAt,
      expires_at: session.expiresAt,
      last_used_at: startedAt,
      ended_at: null,
    };
    // In the order of the table's columns.
    const values = Object.keys(getTableColumns(consoleSessions)).map(
      (name) => sql`${row[name as keyof typeof row]}`,
    );
    return database
      .insert(consoleSessions)
      .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE EXISTS (${found})`)
      .returning({ id: consoleSessions.id });
  }
  function hasSession({ id }: NewMemberSession) {
    return sql`EXISTS (SELECT 1 FROM ${consoleSessions} WHERE ${consoleSessions.id} = ${id})`;
  }
  /** Rows whose time is over, some more than a sign-in adds. */
  function purge({ startedAt }: NewMemberSession) {
    const endedBefore = new Date(Date.parse(startedAt) - CONSOLE_KEPT_MS).toISOString();
    const over = database
      .select({ id: consoleSessions.id })
      .from(consoleSessions)
      .where(lt(consoleSessions.expires_at, endedBefore))
      .limit(MAX_PURGED_CONSOLE_SESSIONS);
    return [
      database.delete(consoleSessions).where(inArray(consoleSessions.id, over)),
      database.delete(answeredChallenges).where(
        sql`(tenant_id, hash) IN (SELECT tenant_id, hash FROM ${answeredChallenges}
          WHERE expires_at < ${startedAt} LIMIT ${MAX_PURGED_CHALLENGES})`,
      ),
    ] as const;
  }

  return {
    async findLink(tenantId, hashes) {
      const [row] = await database
        .select({
          ...MEMBER,
          link_hash: members.link_hash,
          link_expires_at: members.link_expires_at,
        })
        .from(members)
        .innerJoin(tenants, eq(tenants.id, members.tenant_id))
        .where(
          and(
            eq(members.tenant_id, tenantId),
            inArray(members.link_hash, [...hashes]),
            isNull(members.removed_at),
          ),
        );
      if (!row) return null;
      const { link_hash, link_expires_at, ...member } = row;
      if (link_hash === null || link_expires_at === null) return null;
      return { ...member, link_hash, link_expires_at };
    },

    async accept(member, passkey, session, { started, joined }) {
      const { startedAt: now } = session;
      const isMember = and(eq(members.tenant_id, member.tenant.id), eq(members.id, member.id));
      const linked = sql`SELECT 1 FROM ${members} WHERE ${and(
        isMember,
        eq(members.link_hash, member.link_hash),
        gt(members.link_expires_at, now),
        isNull(members.removed_at),
      )}`;
      const added = passkey
        ? [
            database
              .delete(passkeys)
              .where(
                and(
                  eq(passkeys.tenant_id, member.tenant.id),
                  eq(passkeys.member_id, member.id),
                  hasSession(session),
                ),
              ),
            // In the order of the table's columns.
            database.insert(passkeys).select(
              sql`SELECT ${member.tenant.id}, ${passkey.id}, ${member.id}, ${passkey.public_key},
                ${passkey.counter}, ${now} WHERE ${hasSession(session)}`,
            ),
          ]
        : [];
      return isUnlessTaken(async () => {
        const [rows] = await database.batch([
          insertSession(member, session, linked),
          started(database),
          ...added,
          database
            .update(members)
            .set({ link_hash: null, link_expires_at: null, joined_at: now, last_sign_in_at: now })
            .where(and(isMember, hasSession(session))),
          joined(database),
          ...purge(session),
        ]);
        return rows.length > 0;
      });
    },

    async findPasskey(tenantId, passkeyId) {
      const [row] = await database
        .select({
          ...MEMBER,
          passkey: {
            id: passkeys.id,
            public_key: passkeys.public_key,
            counter: passkeys.counter,
          },
        })
        .from(passkeys)
        .innerJoin(members, eq(members.id, passkeys.member_id))
        .innerJoin(tenants, eq(tenants.id, passkeys.tenant_id))
        .where(
          and(
            eq(passkeys.tenant_id, tenantId),
            eq(passkeys.id, passkeyId),
            eq(members.tenant_id, tenantId),
            isNull(members.removed_at),
          ),
        );
      if (!row) return null;
      const { passkey, ...member } = row;
      return { member, passkey };
    },

    async signIn(member, passkey, session, challenge, started) {
      const { startedAt: now } = session;
      const isPasskey = and(
        eq(passkeys.tenant_id, member.tenant.id),
        eq(passkeys.id, passkey.id),
        eq(passkeys.member_id, member.id),
      );
      const counted = sql`SELECT 1 FROM ${passkeys} WHERE ${isPasskey}
        AND (${passkey.counter} = 0 OR ${passkeys.counter} < ${passkey.counter})`;
      return isUnlessTaken(async () => {
        const [, rows] = await database.batch([
          // Aborts the batch for a challenge that was answered before.
          database.insert(answeredChallenges).values({
            tenant_id: member.tenant.id,
            hash: challenge.hash,
            expires_at: challenge.expiresAt,
          }),
          insertSession(member, session, counted),
          started(database),
          database
            .update(passkeys)
            .set({ counter: passkey.counter })
            .where(and(isPasskey, hasSession(session))),
          database
            .update(members)
            .set({ last_sign_in_at: now })
            .where(
              and(
                eq(members.tenant_id, member.tenant.id),
                eq(members.id, member.id),
                hasSession(session),
              ),
            ),
          ...purge(session),
        ]);
        return rows.length > 0;
      });
    },
  };
}

/** False where a challenge was answered before, or another member has a passkey of this id. */
async function isUnlessTaken(run: () => Promise<boolean>): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (/UNIQUE constraint failed: (?:answered_challenges|passkeys)\./.test(cause.message)) {
        return false;
      }
    }
    throw error;
  }
}
