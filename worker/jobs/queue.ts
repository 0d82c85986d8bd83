// The consumer of the platform's queues. A job's own type, not its queue, determines how it is handled.
import { REMOVAL_RETRY_MS } from "../../protocol/operator/limits.ts";
import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_FAULT_DELAY_MS } from "../../protocol/webhooks/limits.ts";
import {
  isA2aPushJob,
  isEndUserRemovalJob,
  isRemovalJob,
  isTenantRemovalJob,
  isSweepJob,
  type QueueJob,
} from "../../storage/sessions/queue-job.ts";
import { DEAD_LETTER_QUEUE, recordDeadLetter } from "./dead-letters.ts";
import { deliverWebhook, type JobOutcome } from "../webhooks/deliver-webhook.ts";
import { pushTask } from "../webhooks/push-task.ts";
import { continueErasure } from "./erase-tenant.ts";
import { continueEndUserRemoval } from "./erase-end-user.ts";
import { finishRemoval } from "./finish-removal.ts";
import { sweep } from "./sweep.ts";

/**
 * Acknowledges or retries each message separately, so that none repeats or delays another; delivery attempts continue
 * afterwards. Contract: never rejects.
 */
export async function queue(
  batch: MessageBatch<QueueJob>,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const isDead = batch.queue === DEAD_LETTER_QUEUE;
  await Promise.all(batch.messages.map((message) => handle(message, { env, context, isDead })));
}

interface Circumstances {
  readonly env: Env;
  readonly context: Pick<ExecutionContext, "waitUntil">;
  readonly isDead: boolean;
}

async function handle(
  message: Message<QueueJob>,
  { env, context, isDead }: Circumstances,
): Promise<void> {
  try {
    const outcome = isDead
      ? await recordDeadLetter(env, message.body)
      : await runJob(message.body, env);
    if (outcome && "retryInMs" in outcome)
      message.retry({ delaySeconds: toSeconds(outcome.retryInMs) });
    else message.ack();
    if (outcome && "background" in outcome) context.waitUntil(outcome.background());
  } catch (error) {
    // Logged as it is: a message may have any content.
    console.warn("queue: job failed; will retry", { job: message.body, error: String(error) });
    message.retry({ delaySeconds: toSeconds(faultDelayMs(message)) });
  }
}

async function runJob(job: QueueJob, env: Env): Promise<JobOutcome> {
  if (isSweepJob(job)) await sweep(env, job);
  else if (isRemovalJob(job)) await finishRemoval(env, job);
  else if (isTenantRemovalJob(job)) await continueErasure(env, job);
  else if (isEndUserRemovalJob(job)) await continueEndUserRemoval(env, job);
  else if (isA2aPushJob(job)) return pushTask(env, job);
  else return deliverWebhook(env, job);
  return null;
}

function faultDelayMs({ body, attempts }: Message<QueueJob>): number {
  const isRemoval = [isRemovalJob, isTenantRemovalJob, isEndUserRemovalJob].some((is) => is(body));
  return isRemoval ? REMOVAL_RETRY_MS * 2 ** (attempts - 1) : WEBHOOK_FAULT_DELAY_MS;
}

/** At least one second, so that a job does not loop. */
function toSeconds(delayMs: number): number {
  return Math.max(1, Math.ceil(Math.min(delayMs, MAX_WEBHOOK_DELAY_MS) / 1_000));
}
