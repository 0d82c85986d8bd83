// The table of tenants.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { StoredQuotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { BASELINE_QUOTAS } from "../quotas/baseline-quotas.ts";

export const tenants = sqliteTable(
  "tenants",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    created_at: text().notNull(),
    /** `suspended`: the tenant's credentials are refused; `closed`: permanently, and its erasure has begun. */
    status: text().$type<TenantStatus>().notNull().default("active"),
    /** All quotas: the triggers of `tenant_counts` read them to refuse inserts beyond a quota. */
    quotas: text({ mode: "json" }).$type<StoredQuotas>().notNull().default(BASELINE_QUOTAS),
    /** Incremented by each change of status or quotas; the tenant's object ignores older revisions. */
    revision: integer().notNull().default(0),
    /** Set when the tenant is closed; its keys are refused from then on. */
    deleted_at: text(),
    /** When the cron sweep resumes the erasure of a closed tenant; null once it is erased. */
    removal_due_at: text(),
  },
  (table) => [
    index("tenants_removals")
      .on(table.removal_due_at)
      .where(sql`${table.removal_due_at} IS NOT NULL`),
    index("tenants_suspended")
      .on(table.id)
      .where(sql`${table.status} = 'suspended'`),
  ],
);
