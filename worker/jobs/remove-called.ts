import { MAX_CALLED_REMOVED_AT_ONCE } from "../../protocol/sessions/limits.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import { finishRemoval, removalsOf } from "./finish-removal.ts";

/**
 * Erases sessions that were hidden with the one that has called them: some at once, the others by jobs. Contract: never
 * rejects; the sweep finds what is left, by its row.
 */
export async function removeCalled(
  env: Env,
  tenant_id: string,
  sessionIds: readonly string[],
): Promise<void> {
  const jobs = removalsOf(tenant_id, sessionIds);
  const [first, rest] = [
    jobs.slice(0, MAX_CALLED_REMOVED_AT_ONCE),
    jobs.slice(MAX_CALLED_REMOVED_AT_ONCE),
  ];
  const removed = await Promise.allSettled(first.map((job) => finishRemoval(env, job)));
  const left = [...first.filter((_, index) => removed[index]?.status === "rejected"), ...rest];
  try {
    await sendJobs(env.REMOVAL_QUEUE, left);
  } catch (error) {
    console.warn("session deletion: called sessions were not enqueued; the sweep finds them", {
      tenant_id,
      error: String(error),
    });
  }
}
