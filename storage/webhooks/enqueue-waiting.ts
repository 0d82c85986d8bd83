import { MAX_TENANT_ATTEMPTS } from "../../protocol/webhooks/limits.ts";
import type { WebhookJob } from "./webhook-job.ts";
import { promoteWaiting, type DueDelivery, jobsOf } from "./webhook-leases.ts";
import { sendJobs, type WebhookBindings } from "./webhook-publisher.ts";

/**
 * Enqueues jobs for as many of each tenant's waiting deliveries as may run concurrently; the others follow as attempts
 * end. One call of D1, with a statement for each tenant.
 * @throws when D1 or the queue fails; a promoted delivery without a job becomes overdue, and the cron sweep finds it.
 */
export async function enqueueWaiting(
  env: WebhookBindings,
  tenantIds: readonly string[],
): Promise<void> {
  if (tenantIds.length === 0) return;
  const nowMs = Date.now();
  const promoted = await env.DB.batch<DueDelivery>(
    tenantIds.map((tenantId) =>
      promoteWaiting(env.DB, tenantId, { nowMs, most: MAX_TENANT_ATTEMPTS }),
    ),
  );
  const jobs = tenantIds.flatMap((tenantId, index) =>
    jobsOf(tenantId, promoted[index]?.results ?? []),
  );
  await sendJobs<WebhookJob>(env.WEBHOOK_QUEUE, jobs);
}
