// Deletions that were cut off. Each has given its queue a job before its first step, so somebody comes after it; and what
// that job could not do, the walk finds.
import { REMOVAL_CHECK_MS } from "../../protocol/limits/queues.ts";
import type { RemovalJob } from "../../storage/sessions/queue-job.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { sessionStub } from "../sessions/session-stub.ts";
import { tellOfDeletion } from "./tell-of-deletion.ts";

type Place = Omit<RemovalJob, "kind">;

/** Before the first step. Without the queue a deletion still works; one that is cut off is then found by the walk, later. */
export async function expectRemoval(env: Env, place: Place): Promise<void> {
  const job: RemovalJob = { kind: "session_removal", ...place };
  try {
    await env.REMOVAL_QUEUE.send(job, { delaySeconds: REMOVAL_CHECK_MS / 1_000 });
  } catch (error) {
    console.warn("a deletion has no job", { ...place, error: String(error) });
  }
}

/**
 * Does what is left of a deletion; nothing when it came to its end, or never hid the session. Each step again changes
 * nothing, so the deletion itself may go on at the same time, and the thread be opened anew behind it.
 * @throws when D1 or the object fails: the job then has to be given again.
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
  await tellOfDeletion(env, { tenant_id, session_id, ...hidden });
  await sessions.remove(session_id, hidden.created_at);
}
