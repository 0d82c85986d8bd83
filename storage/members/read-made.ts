// Things that a member has made and that are in use: they stay when the member leaves.
import { and, desc, eq, isNull, sql } from "drizzle-orm";

import type { Member, RemovedMember } from "../../protocol/members/contract.ts";
import { MAX_LISTED_RULE_SESSIONS, MAX_LISTED_TENANT_KEYS } from "../../protocol/members/limits.ts";
import type {
  OperatorMember,
  RemovedOperatorMember,
} from "../../protocol/members/operator-contract.ts";
import { auditEntries } from "../audit/table.ts";
import { apiKeys } from "../keys/table.ts";
import { signInProviders } from "../sign-in-providers/table.ts";
import { type Database, openDatabase } from "../statements/database.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";
import { tokenIssuers } from "../token-issuers/table.ts";

export async function readMade(
  binding: D1Database,
  tenantId: string,
  memberId: string,
): Promise<Omit<RemovedMember, keyof Member>> {
  const database = openDatabase(binding);
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
    selectProviders(database, tenantId, memberId),
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
    token_issuer_ids: idsOf(issuers),
    sign_in_provider_ids: idsOf(providers),
    rule_session_ids: idsOf(entries),
  };
}

/** As {@link readMade}, of one of the operator's people: keys of all tenants. */
export async function readMadeForOperator(
  binding: D1Database,
  memberId: string,
): Promise<Omit<RemovedOperatorMember, keyof OperatorMember>> {
  const database = openDatabase(binding);
  const [keys, providers] = await database.batch([
    database
      .select({
        id: apiKeys.id,
        tenant_id: apiKeys.tenant_id,
        name: apiKeys.name,
        prefix: apiKeys.prefix,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.created_by, memberId), isNull(apiKeys.revoked_at)))
      .orderBy(desc(apiKeys.id))
      .limit(MAX_LISTED_TENANT_KEYS),
    selectProviders(database, OPERATOR_ROWS, memberId),
  ]);
  return { api_keys: keys, sign_in_provider_ids: idsOf(providers) };
}

function selectProviders(database: Database, ownerId: string, memberId: string) {
  return database
    .select({ id: signInProviders.id })
    .from(signInProviders)
    .where(and(eq(signInProviders.tenant_id, ownerId), eq(signInProviders.created_by, memberId)));
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
