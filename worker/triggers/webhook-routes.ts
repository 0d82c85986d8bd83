// Webhooks of other systems, each of which begins a run of its trigger.
import { readSubject } from "../../agent/triggers/run-subject.ts";
import { WEBHOOK_TOLERANCE_MS } from "../../protocol/inbound/limits.ts";
import type { WebhookForm } from "../../protocol/triggers/contract.ts";
import type { TriggerReceipt } from "../../protocol/triggers/receipts.ts";
import { openSecret } from "../../storage/secrets/credential-cipher.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import {
  findTriggerWebhook,
  type TriggerWebhook,
} from "../../storage/triggers/find-trigger-webhook.ts";
import { toHex } from "../../webhooks/senders/hex-signature.ts";
import type { DeliveryContent } from "../../webhooks/senders/sender-form.ts";
import { takeDelivery } from "../../webhooks/senders/sender-forms.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { fieldError, HttpError, notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { triggerStub } from "../objects/trigger-stub.ts";
import { limitCredential, limitTenant, limitUnauthenticated } from "../requests/rate-limit.ts";
import { readText } from "../requests/read-body.ts";
import { openAddress } from "./webhook-address.ts";

const MILLISECONDS_PER_MINUTE = 60_000;

/** Header that asks for a signature in the form. */
const SCHEMES: Readonly<Record<WebhookForm, string>> = {
  standard: "StandardWebhooks",
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
};

/** The run is on disk before the sender is answered; it goes on by itself. */
const receiveTriggerWebhook: RouteHandler = async (context) => {
  const found = await findAddressed(context);
  const text = await readText(context);
  const content = await verified(context, found, text);
  refuseStopped(found.tenant_status);
  const { trigger } = found;
  await limitTenant(context, trigger.tenant_id, found.requests);
  switch (content.type) {
    case "ping":
      return context.body(null, 204);
    case "challenge":
      return context.json({ challenge: content.challenge });
    case "malformed":
      throw fieldError(content.code, "#", content.detail);
    case "event": {
      const { definition, tenant_id, id: trigger_id, ...armed } = trigger;
      const { payload, sender_id } = content;
      const reading = readSubject(definition, { hasWebhook: true, payload });
      if (!reading.ok) throw fieldError("validation_failed", "#", reading.problem);
      const taken = await triggerStub(context.env, tenant_id, trigger_id).takeWebhook({
        ...reading.subject,
        trigger: { ...armed, tenant_id, trigger_id, definition },
        sender_id,
        payload_sha256: await hashOf(text),
      });
      const run = unwrap(taken);
      const answer: TriggerReceipt = {
        trigger_run_id: run.id,
        applied: taken.is_replayed !== true,
      };
      return context.json(answer, 202);
    }
  }
};

/** @throws HttpError 401 for a made-up address, which is known without a look at anything; 404 when its trigger is gone. */
async function findAddressed(context: AppContext): Promise<TriggerWebhook> {
  const address = await openAddress(context.env, pathId(context, "trigger_token"));
  if (!address) {
    await limitUnauthenticated(context);
    throw unauthenticated(
      "the webhook's address is mistyped, cut off or was changed: its signature does not fit",
    );
  }
  const { tenant_id, trigger_id: id } = address;
  await limitCredential(context, { kind: "trigger address", id });
  const now = new Date().toISOString();
  const found = await findTriggerWebhook(context.env.DB, { tenant_id, id }, now);
  if (!found) throw notFound("trigger");
  return found;
}

/** @throws HttpError `signature_invalid`. */
async function verified(
  context: AppContext,
  { form, sealed, tenant_key, trigger }: TriggerWebhook,
  text: string,
): Promise<DeliveryContent> {
  const { id, tenant_id } = trigger;
  const seal = {
    masterKey: masterKeyOf(context.env),
    tenantKey: tenant_key,
    tenantId: tenant_id,
  };
  const secrets = await Promise.all(sealed.map((one) => openSecret(one, id, seal)));
  const { headers } = context.req.raw;
  const taken = await takeDelivery(form, { headers, text }, { secrets, nowMs: Date.now() });
  switch (taken.type) {
    case "invalid":
      throw unsigned(form, `no signature in the form ${form} fits a secret of this trigger`);
    case "untimely": {
      const minutes = WEBHOOK_TOLERANCE_MS / MILLISECONDS_PER_MINUTE;
      throw unsigned(form, `the time that is signed is more than ${minutes} minutes from now`);
    }
    default:
      return taken;
  }
}

function unsigned(form: WebhookForm, detail: string): HttpError {
  return new HttpError("signature_invalid", detail, {
    headers: { "WWW-Authenticate": SCHEMES[form] },
  });
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256:${toHex(new Uint8Array(hash))}`;
}

export const triggerWebhookRoutes = { receiveTriggerWebhook };
