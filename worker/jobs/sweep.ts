// The cron sweep: finds work that the queues lost or never got: overdue and waiting deliveries, interrupted
// deletions of sessions, tenants and end users, unpublished `webhook_endpoint.disabled` events, expired audit entries and
// sums by hour, rows of tasks of A2A that are past their month, memory stores of deleted agents, rooms, triggers that are deleted or whose objects were not told of a change, addresses of members who have left, tenants' keys that a rotation
// of the master key has not reached, and files that nothing needs any more. Runs in steps, each of which marks the rows that it takes.
import {
  MAX_LOST_DELIVERIES,
  MAX_REWRAPPED_KEYS,
  MAX_UNPUBLISHED_ENDPOINTS,
  MAX_SWEPT_REMOVALS,
  MAX_SWEPT_TENANT_REMOVALS,
  MAX_SWEPT_TENANTS,
  SWEEP_AT_START,
} from "../../protocol/operator/limits.ts";
import { MAX_ASKED_FILES, MAX_ERASED_FILES } from "../../protocol/files/limits.ts";
import { SWEPT_STORES } from "../../protocol/memory/limits.ts";
import { SWEPT_TRIGGERS } from "../../protocol/triggers/limits.ts";
import { ERASED_ROOMS_AT_ONCE } from "../../protocol/rooms/limits.ts";
import { MAX_ERASED_ADDRESSES } from "../../protocol/members/limits.ts";
import { MAX_PURGED_AUDIT_ENTRIES } from "../../protocol/audit/limits.ts";
import {
  eraseDueFiles,
  eraseUnknownObjects,
  settleReferences,
} from "../../storage/files/erase-files.ts";
import { purgeAudit } from "../../storage/audit/audit-storage.ts";
import { MAX_PURGED_HOURS } from "../../protocol/usage/limits.ts";
import { MAX_PURGED_A2A_TASKS } from "../../protocol/a2a/limits.ts";
import { purgeA2aTasks } from "../../storage/a2a/a2a-task-storage.ts";
import { purgeReplyHours } from "../../storage/usage/reply-series.ts";
import { eraseAddresses } from "../../storage/members/erase-addresses.ts";
import { purgeActivity } from "../../storage/operator/read-health.ts";
import { enqueueWaiting } from "../../storage/webhooks/enqueue-waiting.ts";
import {
  recoverAfterRestart,
  findWaitingTenants,
  markOverdue,
} from "../../storage/webhooks/overdue-deliveries.ts";
import { MAX_SWEPT_END_USER_REMOVALS } from "../../protocol/end-users/limits.ts";
import { takeOverdueEndUsers } from "../../storage/end-users/end-user-removal-storage.ts";
import type {
  EndUserRemovalJob,
  RemovalJob,
  TenantRemovalJob,
  SweepJob,
} from "../../storage/sessions/queue-job.ts";
import {
  takeUnfinishedErasures,
  takeUnfinishedRemovals,
} from "../../storage/sessions/unfinished-removals.ts";
import { findUnpublishedDisabled } from "../../storage/webhooks/webhook-outcome.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import { askAboutFiles } from "./ask-about-files.ts";
import { type DeliveryBindings, publishEndpointDisabled } from "../webhooks/attempt-webhook.ts";
import { auditKeptSince } from "../audit/audit-kept-since.ts";
import { eraseLeftIndexes } from "./forget-in-search.ts";
import { eraseLeftRooms } from "../rooms/erase-rooms.ts";
import { eraseLeftStores } from "../memory/erase-stores.ts";
import { armLeftTriggers } from "../triggers/arm-trigger.ts";
import { eraseLeftTriggers } from "../triggers/erase-triggers.ts";
import { rewrapTenantKeys, type RotationBindings, logRotation } from "./rotation.ts";

type SweepBindings = DeliveryBindings &
  RotationBindings &
  Pick<
    Env,
    | "REMOVAL_QUEUE"
    | "FILES"
    | "SESSION"
    | "SEARCH"
    | "MEMORY"
    | "TRIGGER"
    | "ROOM"
    | "AUDIT_KEPT_DAYS"
  >;

/** The handler of the cron trigger in `wrangler.toml`. */
export async function scheduled(
  { cron }: Pick<ScheduledController, "cron">,
  env: SweepBindings,
): Promise<void> {
  if (cron === SWEEP_AT_START) await recoverAfterRestart(env.DB);
  await sweep(env, { kind: "walk", after: "" });
  await logRotation(env);
}

/**
 * One step; the remainder is enqueued as the next step. Costs sixteen queries and a list of R2 when nothing is found.
 * @throws when D1 or a queue fails; marked rows without a job are found again later.
 */
export async function sweep(env: SweepBindings, { after }: SweepJob): Promise<void> {
  const nowMs = Date.now();
  const lost = await markOverdue(env.DB, { nowMs, most: MAX_LOST_DELIVERIES });
  const tenants = await findWaitingTenants(env.DB, { after, most: MAX_SWEPT_TENANTS });
  await enqueueWaiting(env, tenants);
  const removals = await takeUnfinishedRemovals(env.DB, { nowMs, most: MAX_SWEPT_REMOVALS });
  const erasures = await takeUnfinishedErasures(env.DB, { nowMs, most: MAX_SWEPT_TENANT_REMOVALS });
  const endUsers = await takeOverdueEndUsers(env.DB, { nowMs, most: MAX_SWEPT_END_USER_REMOVALS });
  await sendJobs<RemovalJob | TenantRemovalJob | EndUserRemovalJob>(env.REMOVAL_QUEUE, [
    ...removals,
    ...erasures,
    ...endUsers,
  ]);
  const unpublished = await findUnpublishedDisabled(env.DB, MAX_UNPUBLISHED_ENDPOINTS);
  await Promise.all(
    unpublished.map(({ tenant_id, ...disabled }) =>
      publishEndpointDisabled(env, tenant_id, disabled),
    ),
  );
  const rewrapped = await rewrapTenantKeys(env, MAX_REWRAPPED_KEYS);
  const purged = await purgeAudit(env.DB, {
    before: auditKeptSince(env, nowMs),
    most: MAX_PURGED_AUDIT_ENTRIES,
  });
  await purgeActivity(env.DB, nowMs);
  const hours = await purgeReplyHours(env.DB, nowMs, MAX_PURGED_HOURS);
  const tasks = await purgeA2aTasks(env.DB, { nowMs, most: MAX_PURGED_A2A_TASKS });
  const forgotten = await eraseAddresses(env.DB, nowMs);
  await eraseLeftIndexes(env);
  const stores = await eraseLeftStores(env);
  const triggers = await eraseLeftTriggers(env);
  const armed = await armLeftTriggers(env, nowMs);
  const rooms = await eraseLeftRooms(env);
  const files = await sweepFiles(env, nowMs);

  const hasMoreTenants = tenants.length === MAX_SWEPT_TENANTS;
  const hasMore =
    hasMoreTenants ||
    lost === MAX_LOST_DELIVERIES ||
    removals.length === MAX_SWEPT_REMOVALS ||
    erasures.length === MAX_SWEPT_TENANT_REMOVALS ||
    endUsers.length === MAX_SWEPT_END_USER_REMOVALS ||
    unpublished.length === MAX_UNPUBLISHED_ENDPOINTS ||
    rewrapped === MAX_REWRAPPED_KEYS ||
    purged === MAX_PURGED_AUDIT_ENTRIES ||
    hours === MAX_PURGED_HOURS ||
    tasks === MAX_PURGED_A2A_TASKS ||
    forgotten === MAX_ERASED_ADDRESSES ||
    stores === SWEPT_STORES ||
    triggers === SWEPT_TRIGGERS ||
    armed === SWEPT_TRIGGERS ||
    rooms === ERASED_ROOMS_AT_ONCE ||
    files.hasMore;
  if (!hasMore) return;
  const next: SweepJob = { kind: "walk", after: (hasMoreTenants && tenants.at(-1)) || "" };
  await env.WEBHOOK_QUEUE.send(next);
}

/** Contract: never rejects. While R2 is down the rest of the sweep continues. */
async function sweepFiles(
  env: SweepBindings,
  nowMs: number,
): Promise<{ readonly hasMore: boolean }> {
  try {
    await settleReferences(env, nowMs);
    await eraseUnknownObjects(env, nowMs);
    const asked = await askAboutFiles(env, nowMs);
    const erased = await eraseDueFiles(env, nowMs);
    return { hasMore: asked === MAX_ASKED_FILES || erased === MAX_ERASED_FILES };
  } catch (error) {
    console.warn("sweep: files were not cleaned up; the next sweep will", { error: String(error) });
    return { hasMore: false };
  }
}
