// Completes interrupted session deletions. Each deletion enqueues a job before its first step, which completes it; the
// cron sweep finds those whose job failed.
import { REMOVAL_CHECK_MS } from "../../protocol/operator/limits.ts";
import { MAX_CALLED_HIDDEN_AT_ONCE } from "../../protocol/sessions/limits.ts";
import type { RemovalJob } from "../../storage/sessions/queue-job.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { forgetInSearch } from "./forget-in-search.ts";
import { publishSessionDeleted } from "./publish-session-deleted.ts";

type Place = Omit<RemovalJob, "kind">;

/**
 * Enqueues the job that checks a deletion, before its first step. When the queue fails the deletion still proceeds; if
 * it is interrupted, the cron sweep finds it later.
 */
export async function enqueueRemovalCheck(env: Env, place: Place): Promise<void> {
  const job: RemovalJob = { kind: "session_removal", ...place };
  try {
    await env.REMOVAL_QUEUE.send(job, { delaySeconds: REMOVAL_CHECK_MS / 1_000 });
  } catch (error) {
    console.warn("session deletion: failed to enqueue the cleanup job", {
      ...place,
      error: String(error),
    });
  }
}

/**
 * Completes a deletion; does nothing when it is complete or had not hidden the session. Every step is idempotent, so
 * the deletion itself may be running, and its thread name be in use again.
 * @throws when D1 or the object fails: the job must then be retried.
 */
export async function finishRemoval(env: Env, job: RemovalJob): Promise<void> {
  const { tenant_id, session_id } = job;
  const { sessions } = tenantStorage(env.DB, tenant_id);
  const hidden = await sessions.findRemoval(session_id);
  if (!hidden) return;
  // Before its row goes, by which those that it has called are found.
  const called = await sessions.hideCalled(session_id, hidden.deleted_at);
  await sendJobs(env.REMOVAL_QUEUE, removalsOf(tenant_id, called));
  if (called.length === MAX_CALLED_HIDDEN_AT_ONCE) return sendJobs(env.REMOVAL_QUEUE, [job]);
  const removed = await sessionStub(env, tenant_id, session_id).remove(hidden.created_at);
  if (!removed.ok && removed.refusal.code !== "not_found") throw new Error(removed.refusal.detail);
  await forgetInSearch(env, { tenant_id, session_id });
  await publishSessionDeleted(env, { tenant_id, session_id, ...hidden });
  await sessions.remove(session_id, hidden.created_at);
}

/** A job for each of these sessions. */
export function removalsOf(
  tenant_id: string,
  sessionIds: readonly string[],
): readonly RemovalJob[] {
  return sessionIds.map((session_id) => ({ kind: "session_removal", tenant_id, session_id }));
}
