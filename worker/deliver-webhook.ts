// One job of the queue: claim the attempt, make it, write down how it went, see to the next one.
import { MAX_WEBHOOK_DELAY_MS } from "../protocol/limits-webhooks.ts";
import type { WebhookEvent } from "../protocol/webhook-events.ts";
import { readRetryAfterMs } from "../model/retry-after.ts";
import { openSecret } from "../storage/credential-cipher.ts";
import { stableId } from "../storage/stable-id.ts";
import type { ClaimedDelivery, DisabledEndpoint } from "../storage/webhook-attempts.ts";
import { claimWebhook, finishWebhook } from "../storage/webhook-attempts.ts";
import type { WebhookJob } from "../storage/webhook-job.ts";
import { publishWebhooks } from "../storage/webhook-publisher.ts";
import { createOutgoing } from "../tools/outgoing.ts";
import { sendWebhook } from "../tools/send-webhook.ts";
import { nextWebhookDelayMs } from "../tools/webhook-schedule.ts";

/** The receiver wants nothing from here any more. */
const GONE = 410;

type DeliveryBindings = Pick<Env, "DB" | "WEBHOOK_QUEUE" | "MASTER_KEY" | "ENVIRONMENT">;

/**
 * Whatever the queue gives twice is sent once, and the next attempt is in the queue before this resolves.
 * @returns null when the job is done, or the milliseconds after which it has to be given again.
 * @throws when D1 or the queue fails, or a secret does not open; giving the job again makes up for it.
 */
export async function deliverWebhook(
  env: DeliveryBindings,
  job: WebhookJob,
): Promise<{ readonly againInMs: number } | null> {
  const claim = await claimWebhook(env.DB, job, Date.now());
  switch (claim.kind) {
    case "over":
      if (claim.disabled) await tellOthers(env, job.tenant_id, claim.disabled);
      return null;
    case "later":
      return { againInMs: Math.max(0, Date.parse(claim.due_at) - Date.now()) };
    case "made":
      await enqueueNext(env, claim.next, Date.parse(claim.due_at) - Date.now());
      return null;
    case "claimed":
      await attempt(env, claim.delivery);
      return null;
    default:
      return claim satisfies never;
  }
}

async function attempt(env: DeliveryBindings, delivery: ClaimedDelivery): Promise<void> {
  const { job, url, message_id: id, payload: body } = delivery;
  const startMs = Date.now();
  const secrets = await openSecrets(env, delivery, startMs);
  const outgoing = createOutgoing({ environment: env.ENVIRONMENT, fetch });
  const post = { url, id, body, secrets };
  const { status, error, headers } = await sendWebhook(post, outgoing, { nowMs: startMs });
  const endMs = Date.now();
  const delayMs =
    error === null
      ? null
      : nextWebhookDelayMs({
          attempts: delivery.attempts_in_run,
          retryAfterMs: readRetryAfterMs(headers, endMs),
          random: Math.random(),
        });
  const disabled = await finishWebhook(env.DB, delivery, {
    at: new Date(startMs).toISOString(),
    duration_ms: endMs - startMs,
    status,
    error,
    next_attempt_at: delayMs === null ? null : new Date(endMs + delayMs).toISOString(),
    isGone: status === GONE,
  });
  if (disabled) {
    await tellOthers(env, job.tenant_id, { endpoint_id: delivery.endpoint_id, ...disabled });
  } else if (delayMs !== null)
    await enqueueNext(env, { ...job, attempt: job.attempt + 1 }, delayMs);
}

/** The endpoint's secret, and the one before it while their overlap lasts. */
async function openSecrets(
  { MASTER_KEY: masterKey }: DeliveryBindings,
  { job, endpoint_id, sealed, tenant_key, ...old }: ClaimedDelivery,
  nowMs: number,
): Promise<readonly string[]> {
  const seal = { masterKey, tenantKey: tenant_key, tenantId: job.tenant_id };
  const { old_sealed, old_secret_expires_at: expiresAt } = old;
  const isOldLive = expiresAt !== null && Date.parse(expiresAt) > nowMs;
  const live = old_sealed && isOldLive ? [sealed, old_sealed] : [sealed];
  return Promise.all(live.map((secret) => openSecret(secret, endpoint_id, seal)));
}

/**
 * On the tenant's other endpoints that want to hear of it; this one takes nothing any more. Once, however often: a job
 * that failed in here comes again and finds its delivery over.
 */
async function tellOthers(
  env: DeliveryBindings,
  tenantId: string,
  disabled: DisabledEndpoint & { readonly endpoint_id: string },
): Promise<void> {
  const { endpoint_id, disabled_at: timestamp } = disabled;
  const event: WebhookEvent = { type: "webhook_endpoint.disabled", timestamp, data: disabled };
  const id = await stableId("whm", Date.parse(timestamp), `${endpoint_id}:${timestamp}`);
  await publishWebhooks(env, tenantId, [{ id, event }]);
}

async function enqueueNext(env: DeliveryBindings, job: WebhookJob, delayMs: number): Promise<void> {
  const delaySeconds = Math.ceil(Math.min(Math.max(delayMs, 0), MAX_WEBHOOK_DELAY_MS) / 1_000);
  await env.WEBHOOK_QUEUE.send(job, { delaySeconds });
}
