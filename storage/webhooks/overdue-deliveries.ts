// Deliveries whose jobs the queue has lost. They are marked as waiting, so that each call finds others, and then
// promoted like all waiting deliveries.
import type { WebhookJob } from "./webhook-job.ts";

/** @returns the number of marked deliveries. Reads only these rows. */
export async function markOverdue(
  database: D1Database,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<number> {
  const { meta } = await database
    .prepare(
      `UPDATE webhook_deliveries SET waits = 1, overdue_at = NULL WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE overdue_at <= ?1 ORDER BY overdue_at LIMIT ?2)`,
    )
    .bind(new Date(nowMs).toISOString(), most)
    .run();
  return meta.changes;
}

/** Ids of tenants with waiting deliveries, in ascending order after `after`. Reads one row per tenant. */
export async function findWaitingTenants(
  database: D1Database,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<readonly string[]> {
  const next = (than: string) => `SELECT tenant_id FROM webhook_deliveries
    WHERE waits = 1 AND tenant_id > ${than} ORDER BY tenant_id LIMIT 1`;
  const { results } = await database
    .prepare(
      `WITH RECURSIVE tenant(id) AS (
         SELECT (${next("?1")}) UNION ALL SELECT (${next("tenant.id")}) FROM tenant WHERE id IS NOT NULL)
       SELECT id FROM tenant WHERE id IS NOT NULL LIMIT ?2`,
    )
    .bind(after, most)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Marks a delivery as overdue, because its job has failed for good: the next sweep takes it if it is still pending. */
export async function markForSweep(
  database: D1Database,
  { tenant_id, delivery_id }: WebhookJob,
): Promise<void> {
  await database
    .prepare(
      `UPDATE webhook_deliveries SET overdue_at = ?3
       WHERE id = ?1 AND tenant_id = ?2 AND overdue_at > ?3`,
    )
    .bind(delivery_id, tenant_id, new Date().toISOString())
    .run();
}

/**
 * For the start of a local platform, whose in-memory queue is empty and which has no running attempts: deletes all
 * leases, makes due deliveries overdue at once and the others when they are due, and makes unfinished deletions of
 * sessions due.
 */
export async function recoverAfterRestart(database: D1Database): Promise<void> {
  const now = new Date().toISOString();
  await database.batch([
    database
      .prepare(
        `UPDATE webhook_deliveries SET next_attempt_at = ?1
         WHERE id IN (SELECT delivery_id FROM webhook_leases) AND status = 'pending'`,
      )
      .bind(now),
    database.prepare("DELETE FROM webhook_leases"),
    database.prepare(
      "UPDATE webhook_deliveries SET overdue_at = next_attempt_at WHERE overdue_at IS NOT NULL",
    ),
    database
      .prepare("UPDATE sessions SET removal_due_at = ?1 WHERE removal_due_at IS NOT NULL")
      .bind(now),
  ]);
}
