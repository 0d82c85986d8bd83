import { MAX_ACTIVITY_ROWS } from "../../protocol/operator/limits.ts";
import type { TenantActivity } from "../../protocol/operator/tenant-activity.ts";
import { ReplyEndSchema } from "../../protocol/replies/reply-end.ts";

/** Sums of a tenant's replies of one day. */
type DaySums = Omit<TenantActivity, "running_replies">;

const ENDS = ReplyEndSchema.options;

/**
 * Of each tenant the newest rows of the day, which its key has in order. `?1` are the ids as JSON, `?2` the day, `?3` how
 * many rows are read of each.
 */
export const TENANT_ACTIVITY = `
  SELECT tenants.id AS tenant_id, (
    SELECT json_object('rows', count(*), ${ENDS.map((end) => `'${end}', total(counts ->> '$.${end}')`).join(", ")})
    FROM (SELECT counts FROM reply_hours WHERE tenant_id = tenants.id AND hour >= ?2 AND hour < ?2 || 'U'
      ORDER BY hour DESC LIMIT ?3)
  ) AS sums
  FROM json_each(?1) AS named JOIN tenants ON tenants.id = named.value
  WHERE tenants.deleted_at IS NULL ORDER BY named.key`;

/** @param day `YYYY-MM-DD` in UTC. @returns sums in the order of the ids, without tenants that are not there. */
export async function readTenantActivity(
  database: D1Database,
  tenantIds: readonly string[],
  day: string,
): Promise<readonly DaySums[]> {
  const { results } = await database
    .prepare(TENANT_ACTIVITY)
    .bind(JSON.stringify(tenantIds), day, MAX_ACTIVITY_ROWS + 1)
    .all<{ tenant_id: string; sums: string }>();
  return results.map(({ tenant_id, sums }) => {
    const counts = JSON.parse(sums) as Readonly<Record<"rows" | (typeof ENDS)[number], number>>;
    return {
      tenant_id,
      replies: ENDS.reduce((sum, end) => sum + counts[end], 0),
      error: counts.error,
      is_whole: counts.rows <= MAX_ACTIVITY_ROWS,
    };
  });
}
