import { MAX_TENANT_ATTEMPTS } from "../../protocol/limits/webhooks.ts";
import type { WebhookJob } from "./webhook-job.ts";
import { promoteWaiting, type DueDelivery, jobsOf } from "./webhook-leases.ts";
import { sendJobs, type WebhookBindings } from "./webhook-publisher.ts";

/**
 * Gives jobs to as many of each tenant's waiting deliveries as may be under way; those that end let in the others. One
 * call of D1, whose statements are one for each tenant.
 * @throws when D1 or the queue fails; what was called and has no job then is overdue later.
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
