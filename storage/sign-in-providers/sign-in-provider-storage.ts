import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { SignInProvider } from "../../protocol/sign-in-providers/contract.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { recordStatements } from "../audit/audit-storage.ts";
import { consoleSessions } from "../console/table.ts";
import { isStillValid } from "../keys/is-still-valid.ts";
import type { Credential } from "../../protocol/credentials/contract.ts";
import { credentials } from "../credentials/table.ts";
import { isConsoleOf } from "../members/is-console-of.ts";
import { members } from "../members/table.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import type { Database } from "../statements/database.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";
import { memberIdentities, signInProviders } from "./table.ts";

/** A provider as it is stored: the address of the way back follows from the platform's own. */
export type StoredSignInProvider = Omit<SignInProvider, "redirect_url">;

/** The records of an act, and the credential that does it: a Worker may have it in its cache as valid. */
interface Act {
  /** Id of a key or a member. */
  readonly by: string;
  readonly keep?: KeepAnswer;
  readonly audit: WriteAudit;
}

/** Things that ended with a provider. */
interface EndedWithProvider {
  readonly memberIds: readonly string[];
  /** Console sessions that were open. */
  readonly sessionIds: readonly string[];
}

/** The secret of a provider's client, which is kept with the provider and goes with it: the operator's. */
export interface ClientSecret {
  readonly credential: Credential;
  readonly sealed: SealedSecret;
}

/** The OpenID providers at which the members of one owner sign in. */
export interface SignInProviderStorage {
  /**
   * `full`: the owner has as many as it may have; `maker_ended`: the acting one has no rights any more.
   * @param secret Written with it, all or none.
   */
  insert(
    provider: StoredSignInProvider,
    act: Act,
    secret?: ClientSecret,
  ): Promise<"added" | "full" | "maker_ended">;
  list(request: ListRequest): Promise<Page<StoredSignInProvider>>;
  read(providerId: string): Promise<StoredSignInProvider | null>;
  /**
   * Deletes it with its identities, and ends the console sessions of their members, each of whom waits for a new link then.
   * Null when there is none, the acting one has ended, or no owner who signs in would be left: this is decided by the statement.
   */
  remove(providerId: string, now: string, act: Act): Promise<EndedWithProvider | null>;
}

const SHOWN = {
  id: signInProviders.id,
  name: signInProviders.name,
  issuer: signInProviders.issuer,
  client_id: signInProviders.client_id,
  credential_id: signInProviders.credential_id,
  // Written out, because a column of the outer table has no name of its table in a subquery otherwise.
  member_count: sql<number>`(SELECT count(*) FROM member_identities AS bound
    WHERE bound.tenant_id = sign_in_providers.tenant_id AND bound.provider_id = sign_in_providers.id)`,
  created_at: signInProviders.created_at,
  created_by: signInProviders.created_by,
};

/** @param ownerId A tenant's id, or `OPERATOR_ROWS`. */
export function signInProviderStorage(database: Database, ownerId: string): SignInProviderStorage {
  const isOwners = eq(signInProviders.tenant_id, ownerId);
  function isOurs(providerId: string) {
    return and(isOwners, eq(signInProviders.id, providerId));
  }
  /** Members who sign in by it, once the provider itself is gone: nothing ends when the statement has refused. */
  function losesItsWay(providerId: string, memberId: SQL) {
    return sql`${memberId} IN (SELECT member_id FROM member_identities
      WHERE tenant_id = ${ownerId} AND provider_id = ${providerId})
      AND ${isGone(providerId)}`;
  }

  function insertSecret({ credential, sealed }: ClientSecret, providerId: string) {
    const row: typeof credentials.$inferSelect = { ...credential, tenant_id: ownerId, sealed };
    // In the order of the table's columns.
    const values = Object.entries(getTableColumns(credentials)).map(
      ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
    );
    return database
      .insert(credentials)
      .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE NOT (${isGone(providerId)})`);
  }
  /** A tenant's secret is a credential of its own, which it deletes itself; the operator's has no other use. */
  function dropSecret(providerId: string) {
    if (ownerId !== OPERATOR_ROWS) return [];
    const isUnused = sql`${credentials.id} NOT IN (SELECT credential_id FROM sign_in_providers
      WHERE tenant_id = ${ownerId} AND credential_id IS NOT NULL)`;
    return [
      database
        .delete(credentials)
        .where(and(eq(credentials.tenant_id, ownerId), isUnused, isGone(providerId))),
    ];
  }

  return {
    async insert({ member_count: _, ...provider }, { by, keep, audit }, secret) {
      const row: typeof signInProviders.$inferSelect = { ...provider, tenant_id: ownerId };
      // In the order of the table's columns.
      const values = Object.keys(getTableColumns(signInProviders)).map(
        (name) => sql`${row[name as keyof typeof row]}`,
      );
      const inserted = database
        .insert(signInProviders)
        .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isStillValid(ownerId, by)}`)
        .returning({ id: signInProviders.id });
      try {
        const [rows] = await database.batch([
          inserted,
          ...recordStatements(database, audit, keep),
          ...(secret ? [insertSecret(secret, provider.id)] : []),
        ]);
        return rows.length > 0 ? "added" : "maker_ended";
      } catch (error) {
        if (isFull(error)) return "full";
        throw error;
      }
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(signInProviders)
        .where(and(isOwners, before ? lt(signInProviders.id, before) : undefined))
        .orderBy(desc(signInProviders.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async read(providerId) {
      const [row] = await database.select(SHOWN).from(signInProviders).where(isOurs(providerId));
      return row ?? null;
    },

    async remove(providerId, now, { by, audit }) {
      const [deleted, ...rest] = await database.batch([
        database
          .delete(signInProviders)
          .where(
            and(isOurs(providerId), isStillValid(ownerId, by), leavesAnOwner(ownerId, providerId)),
          )
          .returning({ id: signInProviders.id }),
        ...recordStatements(database, audit),
        ...dropSecret(providerId),
        database
          .update(members)
          .set({ joined_at: null })
          .where(and(eq(members.tenant_id, ownerId), losesItsWay(providerId, sql`${members.id}`)))
          .returning({ id: members.id }),
        database
          .update(consoleSessions)
          .set({ ended_at: sql`coalesce(${consoleSessions.ended_at}, ${now})` })
          .where(
            and(
              isConsoleOf(ownerId),
              sql`${consoleSessions.expires_at} > ${now}`,
              losesItsWay(providerId, sql`${consoleSessions.member_id}`),
            ),
          )
          .returning({ id: consoleSessions.id }),
        database
          .delete(memberIdentities)
          .where(
            and(
              eq(memberIdentities.tenant_id, ownerId),
              eq(memberIdentities.provider_id, providerId),
              isGone(providerId),
            ),
          ),
      ]);
      if (deleted.length === 0) return null;
      return { memberIds: idsOf(rest.at(-3)), sessionIds: idsOf(rest.at(-2)) };
    },
  };
}

function isGone(providerId: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM sign_in_providers WHERE id = ${providerId})`;
}

/** Whether no owner signs in by the provider, or another one signs in by something else. */
function leavesAnOwner(ownerId: string, providerId: string): SQL {
  const owner = (isBound: SQL) => sql`EXISTS (SELECT 1 FROM members AS owner
    WHERE owner.tenant_id = ${ownerId} AND owner.role = 'owner' AND owner.removed_at IS NULL
    AND owner.joined_at IS NOT NULL AND ${isBound})`;
  const bound = sql`(SELECT member_id FROM member_identities
    WHERE tenant_id = ${ownerId} AND provider_id = ${providerId})`;
  return sql`(NOT ${owner(sql`owner.id IN ${bound}`)} OR ${owner(sql`owner.id NOT IN ${bound}`)})`;
}

function idsOf(rows: unknown): readonly string[] {
  return (rows as readonly { readonly id: string }[]).map(({ id }) => id);
}

/** The trigger `sign_in_providers_bounded` has refused the row. */
function isFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("sign_in_providers_full")) return true;
  }
  return false;
}
