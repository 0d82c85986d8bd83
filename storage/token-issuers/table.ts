// Identity providers whose tokens a tenant accepts.
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { IssuerVerb } from "../../protocol/token-issuers/contract.ts";
import { tenantRow } from "../tables/shared-columns.ts";

/** Rows are written once and never changed. A trigger bounds their number for each tenant. */
export const tokenIssuers = sqliteTable(
  "token_issuers",
  {
    ...tenantRow,
    name: text().notNull(),
    issuer: text().notNull(),
    jwks_url: text().notNull(),
    /** Null for the address of the endpoint that is asked. */
    audience: text(),
    end_user_claim: text().notNull(),
    end_user_prefix: text().notNull(),
    verbs: text({ mode: "json" }).$type<IssuerVerb[]>().notNull(),
    /** Null for all agents. */
    agent_ids: text({ mode: "json" }).$type<string[]>(),
    allowed_origins: text({ mode: "json" }).$type<string[]>(),
    created_at: text().notNull(),
    /** The API key that registered it. */
    created_by: text().notNull(),
    /** The issuer's own part of the share of each of its end users; null for nothing. */
    end_user_share: text({ mode: "json" }).$type<EndUserShareChange>(),
  },
  (table) => [index("token_issuers_tenant").on(table.tenant_id, table.id)],
);
