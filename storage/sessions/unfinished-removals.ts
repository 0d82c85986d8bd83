// Deletions of sessions and erasures of tenants that have begun, and whose job was lost or has failed for good.
import { REMOVAL_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import type { RemovalJob, TenantRemovalJob } from "./queue-job.ts";

/** As {@link takeUnfinishedRemovals}, for closed tenants that are not erased yet. */
export async function takeUnfinishedErasures(
  database: D1Database,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<readonly TenantRemovalJob[]> {
  const [now, dueAgain] = [nowMs, nowMs + REMOVAL_OVERDUE_MS].map((ms) =>
    new Date(ms).toISOString(),
  );
  const { results } = await database
    .prepare(
      `UPDATE tenants SET removal_due_at = ?2 WHERE id IN (
         SELECT id FROM tenants WHERE removal_due_at <= ?1 ORDER BY removal_due_at LIMIT ?3)
       RETURNING id`,
    )
    .bind(now, dueAgain, most)
    .all<{ id: string }>();
  return results.map(({ id }) => ({
    kind: "tenant_removal",
    tenant_id: id,
    chain: crypto.randomUUID(),
  }));
}

interface UnfinishedRow {
  readonly tenant_id: string;
  readonly id: string;
}

/**
 * Jobs for due deletions, oldest first. Postpones each by {@link REMOVAL_OVERDUE_MS}, so that the next call returns
 * others. Reads only these rows.
 */
export async function takeUnfinishedRemovals(
  database: D1Database,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<readonly RemovalJob[]> {
  const [now, dueAgain] = [nowMs, nowMs + REMOVAL_OVERDUE_MS].map((ms) =>
    new Date(ms).toISOString(),
  );
  const { results } = await database
    .prepare(
      `UPDATE sessions SET removal_due_at = ?2 WHERE id IN (
         SELECT id FROM sessions WHERE removal_due_at <= ?1 ORDER BY removal_due_at LIMIT ?3)
       RETURNING tenant_id, id`,
    )
    .bind(now, dueAgain, most)
    .all<UnfinishedRow>();
  return results.map(({ tenant_id, id }) => ({
    kind: "session_removal",
    tenant_id,
    session_id: id,
  }));
}
