// Handles a job for a client of A2A: asks the session's object what is next, sends it, and says how that has ended. The object
// keeps order, retries and what is left, so that a job may be lost or come twice.
import { A2A_MEDIA_TYPE } from "../../protocol/a2a/headers.ts";
import { A2A_PUSH_BUSY_MS } from "../../protocol/a2a/limits.ts";
import {
  ATTEMPTS_IN_A_ROW_MS,
  MAX_ATTEMPTS_IN_A_ROW,
  WEBHOOK_TIMEOUT_MS,
} from "../../protocol/webhooks/limits.ts";
import type { TakenPush } from "../../durable-objects/acts/a2a-pushes.ts";
import { readRetryAfterMs } from "../../model/stream/read-retry-after.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import type { A2aPushJob } from "../../storage/a2a/push-job.ts";
import { claimPush, releasePush } from "../../storage/webhooks/push-leases.ts";
import { openPushSecrets } from "../../storage/a2a/push-secrets.ts";
import type { WrappedKey } from "../../storage/secrets/credential-cipher.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { WebhookJob } from "../../storage/webhooks/webhook-job.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import { postMessage, type WebhookAnswer } from "../../webhooks/post-message.ts";
import { sessionStub } from "../objects/session-stub.ts";
import type { DeliveryBindings } from "./attempt-webhook.ts";
import type { JobOutcome } from "./deliver-webhook.ts";

type PushBindings = DeliveryBindings & Pick<Env, "SESSION">;

const GONE = 410;

/** @throws when D1 fails; the queue then delivers the job again. */
export async function pushTask(env: PushBindings, job: A2aPushJob): Promise<JobOutcome> {
  const claim = await claimPush(env.DB, job, Date.now());
  switch (claim.kind) {
    case "later":
      return null;
    case "busy":
      return { retryInMs: A2A_PUSH_BUSY_MS };
    case "claimed":
      return { background: () => pushInTurn(env, job, claim.tenantKey) };
    default:
      return claim satisfies never;
  }
}

/** Contract: never rejects; the object sends a job again for what has failed. */
async function pushInTurn(
  env: PushBindings,
  job: A2aPushJob,
  tenantKey: WrappedKey | null,
): Promise<void> {
  const untilMs = Date.now() + ATTEMPTS_IN_A_ROW_MS;
  try {
    for (let left = MAX_ATTEMPTS_IN_A_ROW; left > 0 && Date.now() < untilMs; left -= 1) {
      if (!(await pushNext(env, job, tenantKey))) break;
    }
  } catch (error) {
    console.warn("a notification of A2A has failed on our side; will retry", {
      session_id: job.session_id,
      error: String(error),
    });
  }
  try {
    const promoted = await releasePush(env.DB, job, Date.now());
    await sendJobs<WebhookJob>(env.WEBHOOK_QUEUE, promoted);
  } catch (error) {
    console.warn("the place of a notification of A2A ends by its time", { error: String(error) });
  }
}

/** @returns whether there is more that can be told at once. */
async function pushNext(
  env: PushBindings,
  { tenant_id, session_id, reply_id, config_id }: A2aPushJob,
  tenantKey: WrappedKey | null,
): Promise<boolean> {
  const place = { reply_id, config_id };
  const session = sessionStub(env, tenant_id, session_id);
  const taken = await session.act("takeA2aPush", place);
  if (!taken.ok || taken.value === null) return false;
  const { number, attempts } = taken.value;
  const seal = { masterKey: masterKeyOf(env), tenantKey, tenantId: tenant_id };
  const secrets = { place: { session_id, ...place }, seal };
  const { status, error, headers } = await send(env, taken.value, secrets);
  const retryAfterMs = readRetryAfterMs(headers, Date.now());
  const outcome = error === null ? "delivered" : status === GONE ? "gone" : "failed";
  const end = { outcome, retryAfterMs } as const;
  const ended = await session.act("endA2aPush", { ...place, number, attempts, end });
  return ended.ok && ended.value.has_more;
}

type SecretsOf = Parameters<typeof openPushSecrets>;

interface SealedPush {
  readonly config: SecretsOf[0];
  readonly place: SecretsOf[1];
  readonly seal: SecretsOf[2];
}

const UNSENDABLE: WebhookAnswer = {
  status: null,
  error: "the config's secrets cannot be decrypted",
  headers: new Headers(),
};

/** Null when they cannot be decrypted: sent without them, the receiver would refuse it. */
async function openSecrets({ config, place, seal }: SealedPush) {
  try {
    return await openPushSecrets(config, place, seal);
  } catch (error) {
    console.error("the secrets of a push notification config cannot be decrypted", {
      session_id: place.session_id,
      error: String(error),
    });
    return null;
  }
}

async function send(
  env: PushBindings,
  { number, body, config }: TakenPush,
  { place, seal }: Omit<SealedPush, "config">,
): Promise<WebhookAnswer> {
  const opened = await openSecrets({ config, place, seal });
  if (!opened) return UNSENDABLE;
  const { token, credentials } = opened;
  const { url, scheme } = config;
  const headers = {
    "content-type": A2A_MEDIA_TYPE,
    "user-agent": "Reprise-A2A/1.0",
    // The same for each attempt, as of webhooks.
    "webhook-id": `${place.reply_id}-${number}`,
    ...(scheme !== null && {
      authorization: credentials === null ? scheme : `${scheme} ${credentials}`,
    }),
    ...(token !== null && { "x-a2a-notification-token": token }),
  };
  const outgoing = createOutgoing({ ...egressRules(env), fetch });
  return postMessage({ url, headers, body }, outgoing, WEBHOOK_TIMEOUT_MS);
}
