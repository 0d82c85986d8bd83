// Members of tenants and of the operator, their passkeys, and the challenges that were answered. The owner of a row is in
// `tenant_id`: a tenant, or `OPERATOR_ROWS`.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { OperatorRole } from "../../protocol/members/operator-roles.ts";
import type { MemberRole } from "../../protocol/members/roles.ts";
import { tenantRow } from "../tables/shared-columns.ts";

/** Role of any member: a tenant's people have those of tenants, the operator's those of the operator. */
export type AnyRole = MemberRole | OperatorRole;

/** A person of one owner. The row stays when the person leaves: decisions and keys name it. */
export const members = sqliteTable(
  "members",
  {
    ...tenantRow,
    name: text().notNull(),
    /** In lower case; null where none was given, and some time after the member has left. */
    email: text(),
    role: text().$type<AnyRole>().notNull(),
    created_at: text().notNull(),
    /** The API key or the member that sent the invitation, or `operator`. */
    created_by: text().notNull(),
    /** Hash of the secret in the last link; null once it was used or withdrawn. */
    link_hash: text(),
    link_expires_at: text(),
    /** When the last link was used; null while a link waits for it. */
    joined_at: text(),
    last_sign_in_at: text(),
    removed_at: text(),
  },
  (table) => [
    uniqueIndex("members_link_hash").on(table.link_hash),
    uniqueIndex("members_email")
      .on(table.tenant_id, table.email)
      .where(sql`${table.removed_at} IS NULL AND ${table.email} IS NOT NULL`),
    index("members_tenant").on(table.tenant_id, table.id),
    index("members_addresses_kept")
      .on(table.removed_at)
      .where(sql`${table.removed_at} IS NOT NULL AND ${table.email} IS NOT NULL`),
  ],
);

/** A passkey of a member. Its id is the authenticator's, so it is unique within an owner alone. WITHOUT ROWID. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    tenant_id: text().notNull(),
    /** Base64url, as in all messages of WebAuthn. */
    id: text().notNull(),
    member_id: text().notNull(),
    /** COSE, in base64url. */
    public_key: text().notNull(),
    /** Signatures that the authenticator says it has made; 0 for those that do not count. */
    counter: integer().notNull(),
    created_at: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.id] }),
    index("passkeys_member").on(table.tenant_id, table.member_id),
  ],
);

/** Challenges that were answered and have not expired: each is accepted once. WITHOUT ROWID. */
export const answeredChallenges = sqliteTable(
  "answered_challenges",
  {
    tenant_id: text().notNull(),
    /** SHA-256 of the challenge, in hex. */
    hash: text().notNull(),
    expires_at: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.hash] }),
    index("answered_challenges_expiry").on(table.expires_at),
  ],
);
