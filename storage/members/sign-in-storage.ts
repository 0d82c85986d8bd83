// Sign-ins of members, of all owners: by a link that binds a passkey, and by the passkey. What they decide stands in the
// statements, so that a removal or a second use of the same thing at that moment is not overtaken.
import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";

import type { WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase } from "../statements/database.ts";
import { tenants } from "../tenants/table.ts";
import {
  type AnsweredChallenge,
  answerChallenge,
  hasSession,
  insertSession,
  isOwned,
  noteSignIn,
  type NewMemberSession,
  purgeOver,
  SIGNING_MEMBER,
  type SigningMember,
  type SignInOutcome,
  toOutcome,
} from "./session-statements.ts";
import { members, passkeys } from "./table.ts";

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

export interface MemberSignInStorage {
  /** @param hashes Of the link's secret, one per accepted pepper. Null for a link that was used or replaced. */
  findLink(ownerId: string, hashes: readonly string[]): Promise<LinkedMember | null>;
  /**
   * Uses the link: of any number of calls at once one signs in. The passkey is the only one of the member then.
   * @param passkey Null where the host cannot have any.
   */
  accept(
    member: LinkedMember,
    passkey: StoredPasskey | null,
    session: NewMemberSession,
    audits: { readonly started: WriteAudit; readonly joined: WriteAudit },
  ): Promise<SignInOutcome>;
  findPasskey(
    ownerId: string,
    passkeyId: string,
  ): Promise<{ readonly member: SigningMember; readonly passkey: StoredPasskey } | null>;
  /** `ended` when the passkey is gone, or its counter is behind the stored one. */
  signIn(
    member: SigningMember,
    passkey: StoredPasskey,
    session: NewMemberSession,
    challenge: AnsweredChallenge,
    started: WriteAudit,
  ): Promise<SignInOutcome>;
}

export function memberSignInStorage(binding: D1Database): MemberSignInStorage {
  const database = openDatabase(binding);

  return {
    async findLink(ownerId, hashes) {
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
      const isMember = and(eq(members.tenant_id, member.owner_id), eq(members.id, member.id));
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
                  eq(passkeys.tenant_id, member.owner_id),
                  eq(passkeys.member_id, member.id),
                  hasSession(session),
                ),
              ),
            // In the order of the table's columns.
            database.insert(passkeys).select(
              sql`SELECT ${member.owner_id}, ${passkey.id}, ${member.id}, ${passkey.public_key},
                ${passkey.counter}, ${now} WHERE ${hasSession(session)}`,
            ),
          ]
        : [];
      return toOutcome(async () => {
        const [rows] = await database.batch([
          insertSession(database, member, session, linked),
          started(database),
          ...added,
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

    async findPasskey(ownerId, passkeyId) {
      const [row] = await database
        .select({
          ...SIGNING_MEMBER,
          passkey: {
            id: passkeys.id,
            public_key: passkeys.public_key,
            counter: passkeys.counter,
          },
        })
        .from(passkeys)
        .innerJoin(members, eq(members.id, passkeys.member_id))
        .leftJoin(tenants, eq(tenants.id, members.tenant_id))
        .where(
          and(
            eq(passkeys.tenant_id, ownerId),
            eq(passkeys.id, passkeyId),
            isOwned(ownerId),
            isNull(members.removed_at),
          ),
        );
      if (!row) return null;
      const { passkey, ...member } = row;
      return { member, passkey };
    },

    async signIn(member, passkey, session, challenge, started) {
      const isPasskey = and(
        eq(passkeys.tenant_id, member.owner_id),
        eq(passkeys.id, passkey.id),
        eq(passkeys.member_id, member.id),
      );
      const counted = sql`SELECT 1 FROM ${passkeys} WHERE ${isPasskey}
        AND (${passkey.counter} = 0 OR ${passkeys.counter} < ${passkey.counter})`;
      return toOutcome(async () => {
        const [, rows] = await database.batch([
          answerChallenge(database, member.owner_id, challenge),
          insertSession(database, member, session, counted),
          started(database),
          database
            .update(passkeys)
            .set({ counter: passkey.counter })
            .where(and(isPasskey, hasSession(session))),
          noteSignIn(database, member, session),
          ...purgeOver(database, session),
        ]);
        return rows.length > 0;
      });
    },
  };
}
