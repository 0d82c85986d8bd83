// The operator's list of tenants: all of them, or those that a text finds.
import { and, count, desc, gte, isNull, lt, min, sql } from "drizzle-orm";

import { MAX_SEARCHED_TENANTS } from "../../protocol/operator/limits.ts";
import { DEFAULT_QUOTAS, withQuotas } from "../../protocol/quotas/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { Tenant } from "../../protocol/tenants/contract.ts";
import type { Database } from "../statements/database.ts";
import { encodePageToken, type ListRequest, toPage } from "../statements/page.ts";
import { tenants } from "../tenants/table.ts";

export interface TenantListRequest extends ListRequest {
  /** The beginning of an id, `ten_…`, or a part of a name. */
  readonly search?: string | undefined;
}

/** Tenants that are not closed, newest first. */
export async function listTenants(
  database: Database,
  { before, limit, search }: TenantListRequest,
): Promise<Page<Tenant>> {
  const isListed = and(isNull(tenants.deleted_at), before ? lt(tenants.id, before) : undefined);
  const start = search?.toLowerCase() ?? "ten_";
  if (search !== undefined && !start.startsWith("ten_")) {
    return findByName(database, isListed, search, limit);
  }
  const rows = await database
    .select()
    .from(tenants)
    // Characters of ids are letters and digits, which `{` is behind.
    .where(and(isListed, gte(tenants.id, start), lt(tenants.id, `${start}{`)))
    .orderBy(desc(tenants.id))
    .limit(limit + 1);
  return toPage(rows.map(toTenant), limit);
}

/**
 * Looks through {@link MAX_SEARCHED_TENANTS} tenants at most, and goes on behind them with the next page: a name may be
 * anywhere, so no index would find it. The text is compared as it is, without wildcards.
 */
async function findByName(
  database: Database,
  isListed: ReturnType<typeof and>,
  search: string,
  limit: number,
): Promise<Page<Tenant>> {
  const read = database
    .select()
    .from(tenants)
    .where(isListed)
    .orderBy(desc(tenants.id))
    .limit(MAX_SEARCHED_TENANTS)
    .as("read");
  const [rows, [end]] = await database.batch([
    database
      .select()
      .from(read)
      .where(sql`instr(lower(${read.name}), lower(${search})) > 0`)
      .orderBy(desc(read.id))
      .limit(limit + 1),
    database.select({ id: min(read.id), tenants: count() }).from(read),
  ]);
  const page = toPage(rows.map(toTenant), limit);
  const last = end?.tenants === MAX_SEARCHED_TENANTS ? end.id : null;
  if (page.has_more || last === null) return page;
  return { ...page, has_more: true, next_page: encodePageToken(last) };
}

export function toTenant(row: typeof tenants.$inferSelect): Tenant {
  const { id, name, metadata, status, quotas, created_at } = row;
  // Quotas missing in the row have their defaults.
  const all = withQuotas(DEFAULT_QUOTAS, quotas);
  return { id, name, metadata: metadata as Tenant["metadata"], status, quotas: all, created_at };
}
