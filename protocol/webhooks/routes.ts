// Webhook endpoints and their deliveries.
import type { Route } from "../requests/route.ts";

export const WEBHOOK_ROUTES = [
  {
    name: "createWebhookEndpoint",
    method: "POST",
    path: "/v1/webhook-endpoints",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "listWebhookEndpoints",
    method: "GET",
    path: "/v1/webhook-endpoints",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "readWebhookEndpoint",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "updateWebhookEndpoint",
    method: "PATCH",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:write",
    body: "small",
  },
  {
    name: "deleteWebhookEndpoint",
    method: "DELETE",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:write",
    body: "none",
  },
  {
    name: "rotateWebhookSecret",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/rotate-secret",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "testWebhookEndpoint",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/test",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "none",
  },
  {
    name: "listWebhookDeliveries",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "readWebhookDelivery",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "redeliverWebhook",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "none",
  },
] as const satisfies readonly Route[];
