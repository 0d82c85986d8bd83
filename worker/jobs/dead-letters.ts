// Jobs that have failed each time that a queue gave them.
import { isRemovalJob, isWalkJob, type QueueJob } from "../../storage/sessions/queue-job.ts";
import { expectSoon } from "../../storage/webhooks/overdue-deliveries.ts";

/** The queue of `wrangler.toml` that takes them. */
export const DEAD_LETTER_QUEUE = "reprise-dead-letters";

/**
 * Somebody has to look, so it is an error in the logs. What the job stood for is in D1: the next walk finds a delivery, a
 * later one an unfinished deletion.
 * @throws when D1 fails; giving it again makes up for it.
 */
export async function recordDeadLetter(env: Pick<Env, "DB">, job: QueueJob): Promise<null> {
  console.error("a job has failed each time", { job });
  const isDelivery = typeof job === "object" && job !== null && "delivery_id" in job;
  if (isDelivery && !isRemovalJob(job) && !isWalkJob(job)) await expectSoon(env.DB, job);
  return null;
}
