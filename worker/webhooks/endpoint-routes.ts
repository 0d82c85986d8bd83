import type { WebhookEndpoint, WrittenWebhookEndpoint } from "../../protocol/webhooks/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import {
  WebhookEndpointCreateSchema,
  WebhookEndpointUpdateSchema,
  WebhookSecretRotateSchema,
} from "../../protocol/webhooks/contract.ts";
import { enqueueWaiting } from "../../storage/webhooks/enqueue-waiting.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { fieldError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { requireScope } from "../auth/require-scope.ts";
import { signedEndpoints } from "./signed-endpoints.ts";

const endpoints = signedEndpoints<WebhookEndpoint>({
  name: "webhook_endpoint",
  idPrefix: "whk",
  path: "/v1/webhook-endpoints",
  idOf: (context) => pathId(context, "endpoint_id"),
  storageOf,
});

const createWebhookEndpoint: RouteHandler = async (context) => {
  const body = await readBody(context, WebhookEndpointCreateSchema);
  checkUrl(context, body.url);
  if (body.member_links) requireScope(context, "members:write", "`member_links`");
  const now = nowTimestamp();
  const endpoint: WebhookEndpoint = {
    id: newId("whk"),
    url: body.url,
    description: body.description ?? null,
    events: [...new Set(body.events)],
    callback_verbs: [...new Set(body.callback_verbs)],
    member_links: body.member_links,
    disabled: body.disabled,
    disabled_at: body.disabled ? now : null,
    disabled_reason: body.disabled ? "tenant" : null,
    failing_since: null,
    circuit: "closed",
    circuit_retry_at: null,
    created_at: now,
    updated_at: now,
    old_secret_expires_at: null,
  };
  return endpoints.answerCreated(context, endpoint, await warningsAbout(context, endpoint));
};

const updateWebhookEndpoint: RouteHandler = async (context) => {
  const { events, callback_verbs, ...change } = await readBody(
    context,
    WebhookEndpointUpdateSchema,
  );
  if (change.url !== undefined) checkUrl(context, change.url);
  const before = await endpoints.read(context);
  if (change.member_links === true) requireScope(context, "members:write", "`member_links`");
  if (change.url !== undefined && before.member_links) {
    requireScope(context, "members:write", "another address for an endpoint with `member_links`");
  }
  const whole = {
    ...change,
    ...(events && { events: [...new Set(events)] }),
    ...(callback_verbs && { callback_verbs: [...new Set(callback_verbs)] }),
  };
  const after = { ...before, ...whole };
  const audit = auditFor(context, {
    action: "webhook_endpoint.updated",
    target: before.id,
    before,
    after,
  });
  const endpoint = await storageOf(context).update(before.id, whole, nowTimestamp(), audit);
  if (!endpoint) throw notFound(endpoints.noun);
  if (change.url !== undefined || change.disabled === false) {
    // Enabling closes the circuit: waiting deliveries are enqueued now rather than by the next sweep.
    inBackground(
      "webhooks: enqueue waiting deliveries",
      enqueueWaiting(context.env, [tenantOf(context)]),
    );
  }
  const written: WrittenWebhookEndpoint = {
    ...endpoint,
    ...(await warningsAbout(context, endpoint)),
  };
  return context.json(written);
};

const rotateWebhookSecret: RouteHandler = async (context) => {
  const { overlap_ms } = await readBody(context, WebhookSecretRotateSchema);
  return endpoints.answerRotated(context, overlap_ms);
};

/** Refuses a URL to which no delivery would be allowed, so that the caller gets the reason. */
function checkUrl(context: AppContext, url: string): void {
  const reason = findRefusal(url, egressRules(context.env));
  if (reason) throw fieldError("validation_failed", "#/url", reason);
}

/** A second endpoint with the same URL is allowed, to rotate or to split events, and is mostly a mistake. */
async function warningsAbout(
  context: AppContext,
  { id, url, disabled }: WebhookEndpoint,
): Promise<{ readonly warnings?: Warning[] }> {
  const twin = disabled ? null : await storageOf(context).findTwin(url, id);
  if (twin === null) return {};
  const detail = `${twin} has this URL too: it gets every event twice that both ask for`;
  return { warnings: [{ pointer: "#/url", detail }] };
}

function storageOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).webhookEndpoints;
}

export const webhookEndpointRoutes = {
  createWebhookEndpoint,
  listWebhookEndpoints: endpoints.answerList,
  readWebhookEndpoint: endpoints.answerRead,
  updateWebhookEndpoint,
  deleteWebhookEndpoint: endpoints.answerDeleted,
  rotateWebhookSecret,
};
