// Sign-ins of members by an identity at a provider, of all owners. An identity is bound to one member, and a member who has one
// has nothing else to sign in with. What they decide stands in the statements.
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";

import type { WriteAudit } from "../audit/audit-storage.ts";
import {
  type AnsweredChallenge,
  answerChallenge,
  hasSession,
  insertSession,
  isOwned,
  type NewMemberSession,
  noteSignIn,
  purgeOver,
  SIGNING_MEMBER,
  type SigningMember,
  type SignInOutcome,
  toOutcome,
} from "../members/session-statements.ts";
import type { LinkedMember } from "../members/sign-in-storage.ts";
import { members, passkeys } from "../members/table.ts";
import { openDatabase } from "../statements/database.ts";
import { tenants } from "../tenants/table.ts";
import { memberIdentities, signInProviders } from "./table.ts";

/** A person at a provider. */
export interface StoredIdentity {
  readonly provider_id: string;
  /** The claim `sub`. */
  readonly subject: string;
}

/** A provider as a sign-in needs it. */
export interface SigningProvider {
  readonly id: string;
  /** A tenant's id, or `OPERATOR_ROWS`. */
  readonly tenant_id: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly credential_id: string | null;
}

export interface IdentityStorage {
  /** Oldest first; none for an unknown owner, in one query as for a known one. */
  listChoices(ownerId: string): Promise<readonly { readonly id: string; readonly name: string }[]>;
  findProvider(ownerId: string, providerId: string): Promise<SigningProvider | null>;
  findMember(ownerId: string, identity: StoredIdentity): Promise<SigningMember | null>;
  /**
   * The open invitation of a person with this address. One who has joined before comes back by a link alone: whoever has
   * taken over the old identity has its address too.
   */
  findInvitation(ownerId: string, email: string, now: string): Promise<LinkedMember | null>;
  /**
   * Uses the member's link, and binds the identity in place of all that the member had. The challenge is the state of the
   * sign-in, which is accepted once.
   */
  accept(
    member: LinkedMember,
    identity: StoredIdentity,
    session: NewMemberSession,
    challenge: AnsweredChallenge,
    audits: { readonly started: WriteAudit; readonly joined: WriteAudit },
  ): Promise<SignInOutcome>;
  signIn(
    member: SigningMember,
    identity: StoredIdentity,
    session: NewMemberSession,
    challenge: AnsweredChallenge,
    started: WriteAudit,
  ): Promise<SignInOutcome>;
}

export function identityStorage(binding: D1Database): IdentityStorage {
  const database = openDatabase(binding);

  return {
    async listChoices(ownerId) {
      return database
        .select({ id: signInProviders.id, name: signInProviders.name })
        .from(signInProviders)
        .where(eq(signInProviders.tenant_id, ownerId))
        .orderBy(asc(signInProviders.id));
    },

    async findProvider(ownerId, providerId) {
      const [row] = await database
        .select({
          id: signInProviders.id,
          tenant_id: signInProviders.tenant_id,
          name: signInProviders.name,
          issuer: signInProviders.issuer,
          client_id: signInProviders.client_id,
          credential_id: signInProviders.credential_id,
        })
        .from(signInProviders)
        .where(and(eq(signInProviders.tenant_id, ownerId), eq(signInProviders.id, providerId)));
      return row ?? null;
    },

    async findMember(ownerId, { provider_id, subject }) {
      const [row] = await database
        .select(SIGNING_MEMBER)
        .from(memberIdentities)
        .innerJoin(members, eq(members.id, memberIdentities.member_id))
        .leftJoin(tenants, eq(tenants.id, members.tenant_id))
        .where(
          and(
            eq(memberIdentities.tenant_id, ownerId),
            eq(memberIdentities.provider_id, provider_id),
            eq(memberIdentities.subject, subject),
            isOwned(ownerId),
            isNull(members.removed_at),
          ),
        );
      return row ?? null;
    },

    async findInvitation(ownerId, email, now) {
      const [row] = await database
        .select({
          ...SIGNING_MEMBER,
          link_hash: members.link_hash,
          link_expires_at: members.link_expires_at,
        })
        .from(members)
        .leftJoin(tenants, eq(tenants.id, members.tenant_id))
        .where(
          and(
            isOwned(ownerId),
            eq(members.email, email),
            isNull(members.removed_at),
            isNull(members.last_sign_in_at),
            isNotNull(members.link_hash),
            gt(members.link_expires_at, now),
          ),
        );
      if (!row || row.link_hash === null || row.link_expires_at === null) return null;
      const { link_hash, link_expires_at, ...member } = row;
      return { ...member, link_hash, link_expires_at };
    },

    async accept(member, { provider_id, subject }, session, challenge, { started, joined }) {
      const { startedAt: now } = session;
      const ownerId = member.owner_id;
      const isMember = and(eq(members.tenant_id, ownerId), eq(members.id, member.id));
      const linked = sql`SELECT 1 FROM ${members} WHERE ${and(
        isMember,
        eq(members.link_hash, member.link_hash),
        gt(members.link_expires_at, now),
        isNull(members.removed_at),
      )} AND EXISTS (SELECT 1 FROM sign_in_providers AS provider
        WHERE provider.tenant_id = ${ownerId} AND provider.id = ${provider_id})`;
      return toOutcome(async () => {
        const [, rows] = await database.batch([
          answerChallenge(database, ownerId, challenge),
          insertSession(database, member, session, linked),
          started(database),
          database
            .delete(passkeys)
            .where(
              and(
                eq(passkeys.tenant_id, ownerId),
                eq(passkeys.member_id, member.id),
                hasSession(session),
              ),
            ),
          database
            .delete(memberIdentities)
            .where(
              and(
                eq(memberIdentities.tenant_id, ownerId),
                eq(memberIdentities.member_id, member.id),
                hasSession(session),
              ),
            ),
          // In the order of the table's columns. Aborts the batch for an identity of another member.
          database
            .insert(memberIdentities)
            .select(
              sql`SELECT ${ownerId}, ${provider_id}, ${subject}, ${member.id}, ${now} WHERE ${hasSession(session)}`,
            ),
          database
            .update(members)
            .set({ link_hash: null, link_expires_at: null, joined_at: now, last_sign_in_at: now })
            .where(and(isMember, hasSession(session))),
          joined(database),
          ...purgeOver(database, session),
        ]);
        return rows.length > 0;
      });
    },

    async signIn(member, { provider_id, subject }, session, challenge, started) {
      const bound = sql`SELECT 1 FROM ${memberIdentities} WHERE ${and(
        eq(memberIdentities.tenant_id, member.owner_id),
        eq(memberIdentities.provider_id, provider_id),
        eq(memberIdentities.subject, subject),
        eq(memberIdentities.member_id, member.id),
      )}`;
      return toOutcome(async () => {
        const [, rows] = await database.batch([
          answerChallenge(database, member.owner_id, challenge),
          insertSession(database, member, session, bound),
          started(database),
          noteSignIn(database, member, session),
          ...purgeOver(database, session),
        ]);
        return rows.length > 0;
      });
    },
  };
}
