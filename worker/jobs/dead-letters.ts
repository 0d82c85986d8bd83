// The dead letter queue: jobs that failed on every delivery.
import {
  isA2aPushJob,
  isRemovalJob,
  isSweepJob,
  type QueueJob,
} from "../../storage/sessions/queue-job.ts";
import { markForSweep } from "../../storage/webhooks/overdue-deliveries.ts";

/** The queue's name in `wrangler.toml`. */
export const DEAD_LETTER_QUEUE = "reprise-dead-letters";

/**
 * Logs an error for the operator. The job's subject is in D1, where the cron sweep finds the delivery or the unfinished
 * deletion; that of a notification of A2A is in the session's object, which sends it again.
 * @throws when D1 fails; the queue then delivers the message again.
 */
export async function recordDeadLetter(env: Pick<Env, "DB">, job: QueueJob): Promise<null> {
  console.error("queue: job failed permanently and was moved to the dead letter queue", { job });
  const isDelivery = typeof job === "object" && job !== null && "delivery_id" in job;
  const isOther = isRemovalJob(job) || isSweepJob(job) || isA2aPushJob(job);
  if (isDelivery && !isOther) await markForSweep(env.DB, job);
  return null;
}
