// Reads what a tenant's object needs from D1: the settings of the operator, and the counts of the tenant's rows and
// bytes.
import { eq } from "drizzle-orm";

import {
  COUNTED_QUOTAS,
  type CountedQuota,
  DEFAULT_QUOTAS,
  withQuotas,
} from "../../protocol/quotas/contract.ts";
import type { Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { openDatabase } from "../statements/database.ts";
import { tenantCounts } from "../quotas/table.ts";
import { tenants } from "./table.ts";

export interface StoredTenantSettings {
  readonly status: TenantStatus;
  readonly quotas: Quotas;
  readonly revision: number;
  /** Rows and bytes in D1, as counted by its triggers. */
  readonly counts: Readonly<Record<CountedQuota, number>>;
}

const NOTHING = Object.fromEntries(COUNTED_QUOTAS.map((name) => [name, 0])) as Readonly<
  Record<CountedQuota, number>
>;

/** Null for an unknown tenant. */
export async function readTenantSettings(
  binding: D1Database,
  tenantId: string,
): Promise<StoredTenantSettings | null> {
  const [row] = await openDatabase(binding)
    .select({
      status: tenants.status,
      quotas: tenants.quotas,
      revision: tenants.revision,
      counts: tenantCounts,
    })
    .from(tenants)
    .leftJoin(tenantCounts, eq(tenantCounts.tenant_id, tenants.id))
    .where(eq(tenants.id, tenantId));
  if (!row) return null;
  const { tenant_id: _, ...counts } = row.counts ?? { tenant_id: tenantId, ...NOTHING };
  // Quotas missing in the row have their defaults.
  return { ...row, quotas: withQuotas(DEFAULT_QUOTAS, row.quotas), counts };
}
