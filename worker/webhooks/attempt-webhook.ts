// One webhook delivery attempt: sends it, records the outcome, schedules the next one.
import { MAX_WEBHOOK_DELAY_MS } from "../../protocol/webhooks/limits.ts";
import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import { readRetryAfterMs } from "../../model/stream/read-retry-after.ts";
import { openSecret } from "../../storage/secrets/credential-cipher.ts";
import { masterKeyOf, type MasterKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { stableId } from "../../storage/statements/stable-id.ts";
import type { ClaimedDelivery, DisabledEndpoint } from "../../storage/webhooks/claim-delivery.ts";
import type { WebhookJob } from "../../storage/webhooks/webhook-job.ts";
import { finishWebhook, markDisabledPublished } from "../../storage/webhooks/webhook-outcome.ts";
import { publishWebhooks } from "../../storage/webhooks/webhook-publisher.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import type { WebhookAnswer } from "../../webhooks/post-message.ts";
import { sendWebhook } from "../../webhooks/send-webhook.ts";
import { nextWebhookDelayMs } from "../../webhooks/next-webhook-delay.ts";

/** HTTP 410: the receiver asks for no further messages. */
const GONE = 410;

export type DeliveryBindings = MasterKeyBindings &
  EgressBindings &
  Pick<Env, "DB" | "WEBHOOK_QUEUE">;

/**
 * @returns jobs of deliveries that waited for this one's slot; the caller enqueues them.
 * @throws when D1 or the queue fails; the cron sweep then finds the delivery.
 */
export async function attemptWebhook(
  env: DeliveryBindings,
  delivery: ClaimedDelivery,
): Promise<readonly WebhookJob[]> {
  const { job, url, message_id: id, payload: body } = delivery;
  const startMs = Date.now();
  const secrets = await openSecrets(env, delivery, startMs);
  const outgoing = createOutgoing({ ...egressRules(env), fetch });
  const { status, error, headers } = secrets
    ? await sendWebhook({ url, id, body, secrets }, outgoing, { nowMs: startMs })
    : UNSIGNED;
  const endMs = Date.now();
  const delayMs =
    error === null
      ? null
      : nextWebhookDelayMs({
          attempts: delivery.attempts_in_run,
          retryAfterMs: readRetryAfterMs(headers, endMs),
          random: Math.random(),
        });
  const { disabled, promoted } = await finishWebhook(env.DB, delivery, {
    at: new Date(startMs).toISOString(),
    duration_ms: endMs - startMs,
    status,
    error,
    next_attempt_at: delayMs === null ? null : new Date(endMs + delayMs).toISOString(),
    isGone: status === GONE,
    ...(!secrets && { isPlatformFault: true }),
  });
  if (disabled) {
    await publishEndpointDisabled(env, job.tenant_id, {
      endpoint_id: delivery.endpoint_id,
      ...disabled,
    });
  } else if (delayMs !== null) await enqueueJob(env, nextOf(job), delayMs);
  return promoted;
}

const UNSIGNED: WebhookAnswer = {
  status: null,
  error: "the platform could not sign the message: the endpoint's secret cannot be decrypted",
  headers: new Headers(),
};

/** The endpoint's secret, and the previous one during their overlap; null when decryption fails. */
async function openSecrets(
  env: DeliveryBindings,
  { job, endpoint_id, sealed, tenant_key, ...old }: ClaimedDelivery,
  nowMs: number,
): Promise<readonly string[] | null> {
  const seal = { masterKey: masterKeyOf(env), tenantKey: tenant_key, tenantId: job.tenant_id };
  const { old_sealed, old_secret_expires_at: expiresAt } = old;
  const isOldLive = expiresAt !== null && Date.parse(expiresAt) > nowMs;
  const live = old_sealed && isOldLive ? [sealed, old_sealed] : [sealed];
  try {
    return await Promise.all(live.map((secret) => openSecret(secret, endpoint_id, seal)));
  } catch (error) {
    console.error("webhooks: failed to decrypt an endpoint's secret", {
      endpoint_id,
      error: String(error),
    });
    return null;
  }
}

/**
 * Publishes `webhook_endpoint.disabled` to the tenant's other endpoints. Idempotent: after a failure the endpoint's
 * next job or the cron sweep repeats it.
 */
export async function publishEndpointDisabled(
  env: DeliveryBindings,
  tenantId: string,
  disabled: DisabledEndpoint & { readonly endpoint_id: string },
): Promise<void> {
  const { endpoint_id, disabled_at: timestamp } = disabled;
  const event: WebhookEvent = { type: "webhook_endpoint.disabled", timestamp, data: disabled };
  const id = await stableId("whm", Date.parse(timestamp), `${endpoint_id}:${timestamp}`);
  await publishWebhooks(env, tenantId, [{ id, event }]);
  await markDisabledPublished(env.DB, tenantId, endpoint_id);
}

function nextOf({ tenant_id, delivery_id, attempt }: WebhookJob): WebhookJob {
  return { tenant_id, delivery_id, attempt: attempt + 1 };
}

/** Enqueues a job with a delay, a day at most. */
export async function enqueueJob(
  env: DeliveryBindings,
  job: WebhookJob,
  delayMs: number,
): Promise<void> {
  const delaySeconds = Math.ceil(Math.min(Math.max(delayMs, 0), MAX_WEBHOOK_DELAY_MS) / 1_000);
  await env.WEBHOOK_QUEUE.send(job, { delaySeconds });
}
