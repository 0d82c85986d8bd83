import {
  WebhookDeliveryListQuerySchema,
  type WebhookDelivery,
} from "../../protocol/webhooks/webhook-deliveries.ts";
import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { HttpError, notFound } from "../http-error.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";

const listWebhookDeliveries: RouteHandler = async (context) => {
  const { page, limit, ...filter } = readQuery(context, WebhookDeliveryListQuerySchema);
  const request = { ...toListRequest("whd", { page, limit }), ...filter };
  const deliveries = await deliveriesOf(context).list(pathId(context, "endpoint_id"), request);
  if (!deliveries) throw notFound("webhook endpoint");
  return context.json(deliveries);
};

const readWebhookDelivery: RouteHandler = async (context) => {
  const delivery = await deliveriesOf(context).read(
    pathId(context, "endpoint_id"),
    pathId(context, "delivery_id"),
  );
  if (!delivery) throw notFound("delivery");
  return context.json(delivery);
};

const redeliverWebhook: RouteHandler = async (context) => {
  const deliveries = deliveriesOf(context);
  const place = [pathId(context, "endpoint_id"), pathId(context, "delivery_id")] as const;
  const before = await deliveries.read(...place);
  if (!before) throw notFound("delivery");
  const { payload: _payload, attempts: _attempts, ...delivery } = before;
  const now = nowTimestamp();
  const redelivered = await deliveries.redeliver(
    ...place,
    now,
    answerStatement(context, {
      status: 202,
      body: { ...delivery, status: "pending", next_attempt_at: now, finished_at: null },
    }),
  );
  if (!redelivered) {
    throw new HttpError(
      "conflict",
      "the endpoint is disabled, or an attempt is under way: enable it, or ask again when that has ended",
    );
  }
  await context.env.WEBHOOK_QUEUE.send(redelivered.job);
  return context.json(redelivered.delivery, 202);
};

const testWebhookEndpoint: RouteHandler = async (context) => {
  const endpoint_id = pathId(context, "endpoint_id");
  const endpoints = tenantStorage(context.env.DB, tenantOf(context)).webhookEndpoints;
  if (!(await endpoints.read(endpoint_id))) throw notFound("webhook endpoint");
  const timestamp = nowTimestamp();
  const event = {
    type: "webhook_endpoint.test",
    timestamp,
    data: { endpoint_id },
  } as const satisfies WebhookEvent;
  const shown: WebhookDelivery = {
    id: newId("whd"),
    endpoint_id,
    message_id: newId("whm"),
    type: event.type,
    status: "pending",
    attempt_count: 0,
    next_attempt_at: timestamp,
    created_at: timestamp,
    finished_at: null,
  };
  const sent = await deliveriesOf(context).insert(
    endpoint_id,
    { id: shown.id, message_id: shown.message_id, event },
    answerStatement(context, { status: 202, body: shown }),
    auditFor(context, {
      action: "webhook_endpoint.tested",
      target: endpoint_id,
      after: { delivery_id: shown.id },
    }),
  );
  if (!sent) throw new HttpError("conflict", "the endpoint is disabled: enable it first");
  await context.env.WEBHOOK_QUEUE.send(sent.job);
  return context.json(sent.delivery, 202);
};

function deliveriesOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).webhookDeliveries;
}

export const webhookDeliveryRoutes = {
  listWebhookDeliveries,
  readWebhookDelivery,
  redeliverWebhook,
  testWebhookEndpoint,
};
