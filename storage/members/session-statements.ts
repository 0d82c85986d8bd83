// Statements that every sign-in of a member has in its batch, whatever the member shows: a session that is there only if what was
// shown still holds, and others that ask whether it is there.
import { and, eq, getTableColumns, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";

import { CONSOLE_KEPT_MS, MAX_PURGED_CONSOLE_SESSIONS } from "../../protocol/keys/limits.ts";
import { MAX_PURGED_CHALLENGES } from "../../protocol/members/limits.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { consoleSessions } from "../console/table.ts";
import type { Database } from "../statements/database.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";
import { tenants } from "../tenants/table.ts";
import { answeredChallenges, type AnyRole, members } from "./table.ts";

/** A member who is about to sign in. */
export interface SigningMember {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: AnyRole;
  /** A tenant's id, or `OPERATOR_ROWS`. */
  readonly owner_id: string;
  /** Null for a member of the operator. */
  readonly tenant: SigningTenant | null;
}

interface SigningTenant {
  readonly id: string;
  readonly name: string;
  readonly status: TenantStatus;
}

/** Columns of a {@link SigningMember}, of members joined with tenants, where there is one ({@link isOwned}). */
export const SIGNING_MEMBER = {
  id: members.id,
  name: members.name,
  email: members.email,
  role: members.role,
  owner_id: members.tenant_id,
  tenant: { id: tenants.id, name: tenants.name, status: tenants.status },
};

/** A member without a tenant is the operator's, and never one whose tenant's row is gone. */
export function isOwned(ownerId: string): SQL | undefined {
  return and(
    eq(members.tenant_id, ownerId),
    or(eq(members.tenant_id, OPERATOR_ROWS), isNotNull(tenants.id)),
  );
}

export interface NewMemberSession {
  readonly id: string;
  /** Hash of the secret in the cookie. */
  readonly hash: string;
  readonly startedAt: string;
  readonly expiresAt: string;
}

/** A challenge that is accepted once: its hash, and until when it is remembered. */
export interface AnsweredChallenge {
  readonly hash: string;
  readonly expiresAt: string;
}

/**
 * `ended`: what was shown does not hold any more; `repeated`: the challenge was answered before; `taken`: another member has this
 * passkey or identity.
 */
export type SignInOutcome = "signed_in" | "ended" | "repeated" | "taken";

/** A session of the member, if the rows in `found` are there. */
export function insertSession(
  database: Database,
  member: SigningMember,
  session: NewMemberSession,
  found: SQL,
) {
  const { startedAt } = session;
  const row: typeof consoleSessions.$inferSelect = {
    id: session.id,
    tenant_id: member.owner_id === OPERATOR_ROWS ? null : member.owner_id,
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

export function hasSession({ id }: NewMemberSession): SQL {
  return sql`EXISTS (SELECT 1 FROM ${consoleSessions} WHERE ${consoleSessions.id} = ${id})`;
}

/** When the member signed in last. */
export function noteSignIn(database: Database, member: SigningMember, session: NewMemberSession) {
  return database
    .update(members)
    .set({ last_sign_in_at: session.startedAt })
    .where(
      and(eq(members.tenant_id, member.owner_id), eq(members.id, member.id), hasSession(session)),
    );
}

/** Aborts its batch for a challenge that was answered before. */
export function answerChallenge(
  database: Database,
  ownerId: string,
  { hash, expiresAt }: AnsweredChallenge,
) {
  return database
    .insert(answeredChallenges)
    .values({ tenant_id: ownerId, hash, expires_at: expiresAt });
}

/** Rows whose time is over, some more than a sign-in adds. */
export function purgeOver(database: Database, { startedAt }: NewMemberSession) {
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

/** @param run Returns whether a session was started. */
export async function toOutcome(run: () => Promise<boolean>): Promise<SignInOutcome> {
  try {
    return (await run()) ? "signed_in" : "ended";
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const table = /UNIQUE constraint failed: (\w+)\./.exec(cause.message)?.[1];
      if (table === "answered_challenges") return "repeated";
      if (table === "passkeys" || table === "member_identities") return "taken";
    }
    throw error;
  }
}
