import type { CreatedWebhookEndpoint, WebhookEndpoint } from "../../protocol/webhooks/contract.ts";
import {
  WebhookEndpointCreateSchema,
  WebhookEndpointUpdateSchema,
  WebhookSecretRotateSchema,
} from "../../protocol/webhooks/contract.ts";
import { enqueueWaiting } from "../../storage/webhooks/enqueue-waiting.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import { makeWebhookSecret } from "../../webhooks/webhook-signature.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { fieldError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import { sealForTenant } from "../auth/seal-for-tenant.ts";

const createWebhookEndpoint: RouteHandler = async (context) => {
  const body = await readBody(context, WebhookEndpointCreateSchema);
  checkUrl(context, body.url);
  const endpoints = endpointsOf(context);
  const now = nowTimestamp();
  const endpoint: WebhookEndpoint = {
    id: newId("whk"),
    url: body.url,
    description: body.description ?? null,
    events: [...new Set(body.events)],
    callback_verbs: [...new Set(body.callback_verbs)],
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
  const secret = makeWebhookSecret();
  const location = `/v1/webhook-endpoints/${endpoint.id}`;
  await endpoints.insert(
    endpoint,
    await sealForTenant(context, secret, endpoint.id),
    answerStatement(context, { status: 201, location, body: endpoint }),
    auditFor(context, {
      action: "webhook_endpoint.created",
      target: endpoint.id,
      after: endpoint,
    }),
  );
  const created: CreatedWebhookEndpoint = { ...endpoint, secret };
  return context.json(created, 201, { Location: location });
};

const listWebhookEndpoints: RouteHandler = async (context) =>
  context.json(await endpointsOf(context).list(readListQuery(context, "whk")));

const readWebhookEndpoint: RouteHandler = async (context) => {
  const endpoint = await endpointsOf(context).read(pathId(context, "endpoint_id"));
  if (!endpoint) throw notFound("webhook endpoint");
  return context.json(endpoint);
};

const updateWebhookEndpoint: RouteHandler = async (context) => {
  const { events, callback_verbs, ...change } = await readBody(
    context,
    WebhookEndpointUpdateSchema,
  );
  if (change.url !== undefined) checkUrl(context, change.url);
  const endpoints = endpointsOf(context);
  const target = pathId(context, "endpoint_id");
  const before = await endpoints.read(target);
  if (!before) throw notFound("webhook endpoint");
  const whole = {
    ...change,
    ...(events && { events: [...new Set(events)] }),
    ...(callback_verbs && { callback_verbs: [...new Set(callback_verbs)] }),
  };
  const after = { ...before, ...whole };
  const audit = auditFor(context, { action: "webhook_endpoint.updated", target, before, after });
  const endpoint = await endpoints.update(target, whole, nowTimestamp(), audit);
  if (!endpoint) throw notFound("webhook endpoint");
  if (change.url !== undefined || change.disabled === false) {
    // Enabling closes the circuit: waiting deliveries are enqueued now rather than by the next sweep.
    inBackground(
      "webhooks: enqueue waiting deliveries",
      enqueueWaiting(context.env, [tenantOf(context)]),
    );
  }
  return context.json(endpoint);
};

const deleteWebhookEndpoint: RouteHandler = async (context) => {
  const endpoints = endpointsOf(context);
  const target = pathId(context, "endpoint_id");
  const before = await endpoints.read(target);
  if (!before) throw notFound("webhook endpoint");
  const audit = auditFor(context, { action: "webhook_endpoint.deleted", target, before });
  if (!(await endpoints.remove(target, audit))) throw notFound("webhook endpoint");
  return context.body(null, 204);
};

const rotateWebhookSecret: RouteHandler = async (context) => {
  const { overlap_ms } = await readBody(context, WebhookSecretRotateSchema);
  const endpointId = pathId(context, "endpoint_id");
  const before = await endpointsOf(context).read(endpointId);
  if (!before) throw notFound("webhook endpoint");
  const secret = makeWebhookSecret();
  const sealed = await sealForTenant(context, secret, endpointId);
  const updated_at = nowTimestamp();
  const old_secret_expires_at = new Date(Date.parse(updated_at) + overlap_ms).toISOString();
  const after = { ...before, updated_at, old_secret_expires_at };
  const endpoint = await endpointsOf(context).rotate(
    endpointId,
    { sealed, oldSecretExpiresAt: old_secret_expires_at, updatedAt: updated_at },
    answerStatement(context, { status: 200, body: after }),
    auditFor(context, {
      action: "webhook_endpoint.secret_rotated",
      target: endpointId,
      before,
      after,
    }),
  );
  if (!endpoint) throw notFound("webhook endpoint");
  const created: CreatedWebhookEndpoint = { ...endpoint, secret };
  return context.json(created);
};

/** Refuses a URL to which no delivery would be allowed, so that the caller gets the reason. */
function checkUrl(context: AppContext, url: string): void {
  const reason = findRefusal(url, egressRules(context.env));
  if (reason) throw fieldError("validation_failed", "#/url", reason);
}

function endpointsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).webhookEndpoints;
}

export const webhookEndpointRoutes = {
  createWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
};
