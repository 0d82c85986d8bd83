// Completes interrupted session deletions. Each deletion enqueues a job before its first step, which completes it; the
// cron sweep finds those whose job failed.
import { REMOVAL_CHECK_MS } from "../../protocol/operator/limits.ts";
import type { RemovalJob } from "../../storage/sessions/queue-job.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
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
export async function finishRemoval(
  env: Env,
  { tenant_id, session_id }: RemovalJob,
): Promise<void> {
  const { sessions } = tenantStorage(env.DB, tenant_id);
  const hidden = await sessions.findRemoval(session_id);
  if (!hidden) return;
  const removed = await sessionStub(env, tenant_id, session_id).remove(hidden.created_at);
  if (!removed.ok && removed.refusal.code !== "not_found") throw new Error(removed.refusal.detail);
  await forgetInSearch(env, { tenant_id, session_id });
  await publishSessionDeleted(env, { tenant_id, session_id, ...hidden });
  await sessions.remove(session_id, hidden.created_at);
}
