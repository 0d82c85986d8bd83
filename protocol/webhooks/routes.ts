// Routes on webhook endpoints and deliveries.
import {
  WebhookEndpointPageSchema,
  CreatedWebhookEndpointSchema,
  WrittenWebhookEndpointSchema,
  WebhookEndpointCreateSchema,
  WebhookEndpointSchema,
  WebhookEndpointUpdateSchema,
  WebhookSecretRotateSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import {
  WebhookDeliveryPageSchema,
  ReadWebhookDeliverySchema,
  WebhookDeliveryListQuerySchema,
  WebhookDeliverySchema,
} from "./webhook-deliveries.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { WEBHOOK_WORDS } from "./words.ts";
import { WEBHOOK_EXAMPLES } from "./examples.ts";

const WEBHOOK_ROUTES = [
  {
    name: "createWebhookEndpoint",
    method: "POST",
    path: "/v1/webhook-endpoints",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
    tag: "Webhooks",
    summary: "Create a webhook endpoint",
    description:
      "Messages are signed as Standard Webhooks 1.0 asks for; this answer alone shows the secret. A tenant may have 50.",
    request: { json: WebhookEndpointCreateSchema, examples: ["newWebhookEndpoint"] },
    answers: {
      201: {
        description: "The endpoint, with its secret this once.",
        json: CreatedWebhookEndpointSchema,
        replayed: WebhookEndpointSchema,
        headers: ["Location"],
        examples: ["createdWebhookEndpoint"],
      },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listWebhookEndpoints",
    method: "GET",
    path: "/v1/webhook-endpoints",
    access: "webhooks:read",
    body: "none",
    tag: "Webhooks",
    summary: "List webhook endpoints",
    description: "Newest first, without their secrets.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of endpoints.", json: WebhookEndpointPageSchema } },
  },

  {
    name: "readWebhookEndpoint",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:read",
    body: "none",
    tag: "Webhooks",
    summary: "Get a webhook endpoint",
    description: "Its address, its events, and whether it is disabled.",
    answers: { 200: { description: "The endpoint.", json: WebhookEndpointSchema } },
  },

  {
    name: "updateWebhookEndpoint",
    method: "PATCH",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:write",
    body: "small",
    tag: "Webhooks",
    summary: "Update a webhook endpoint",
    description:
      "Members that are left out do not change. Disabling cancels pending deliveries; after enabling only new events are sent.",
    request: { json: WebhookEndpointUpdateSchema, examples: ["enabledWebhookEndpoint"] },
    answers: {
      200: { description: "The endpoint as it is now.", json: WrittenWebhookEndpointSchema },
    },
  },

  {
    name: "deleteWebhookEndpoint",
    method: "DELETE",
    path: "/v1/webhook-endpoints/{endpoint_id}",
    access: "webhooks:write",
    body: "none",
    tag: "Webhooks",
    summary: "Delete a webhook endpoint",
    description: "With all its deliveries; pending ones are cancelled.",
    answers: { 204: { description: "The endpoint is removed." } },
  },

  {
    name: "rotateWebhookSecret",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/rotate-secret",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
    tag: "Webhooks",
    summary: "Rotate a webhook endpoint's secret",
    description:
      "For the overlap messages have two signatures, of the new secret and of the old one. Rotating again ends the overlap of the rotation before.",
    request: { json: WebhookSecretRotateSchema, examples: ["webhookRotation"] },
    answers: {
      200: {
        description: "The endpoint, with its new secret this once.",
        json: CreatedWebhookEndpointSchema,
        replayed: WebhookEndpointSchema,
      },
    },
  },

  {
    name: "testWebhookEndpoint",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/test",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "none",
    tag: "Webhooks",
    summary: "Send a test message to an endpoint",
    description:
      "A message of the type `webhook_endpoint.test`, to this endpoint alone, whatever it subscribes to. Sent at once, also while the endpoint's circuit is open; its outcome is in the delivery of the answer, and counts as that of any other. When the endpoint is disabled it is a conflict.",
    answers: {
      202: { description: "The delivery, which is pending.", json: WebhookDeliverySchema },
    },
    errors: ["conflict"],
  },

  {
    name: "listWebhookDeliveries",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries",
    access: "webhooks:read",
    body: "none",
    tag: "Webhooks",
    summary: "List an endpoint's deliveries",
    description: "Newest first. They are kept for 30 days.",
    query: WebhookDeliveryListQuerySchema,
    answers: { 200: { description: "A page of deliveries.", json: WebhookDeliveryPageSchema } },
  },

  {
    name: "readWebhookDelivery",
    method: "GET",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}",
    access: "webhooks:read",
    body: "none",
    tag: "Webhooks",
    summary: "Get a delivery",
    description:
      "With its body and every attempt. The token of a callback address in it is left out, since it is a credential.",
    answers: {
      200: {
        description: "The delivery.",
        json: ReadWebhookDeliverySchema,
        examples: ["webhookDelivery"],
      },
    },
  },

  {
    name: "redeliverWebhook",
    method: "POST",
    path: "/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "none",
    tag: "Webhooks",
    summary: "Send a delivery again",
    description:
      "Sent at once, whatever its status and also while the endpoint's circuit is open, with the same `webhook-id` and body; when it fails, the retries begin again. While an attempt is under way, or the endpoint is disabled, it is a conflict.",
    answers: {
      202: { description: "The delivery, which is pending again.", json: WebhookDeliverySchema },
    },
    errors: ["conflict"],
  },
] as const satisfies readonly DocumentedRoute[];

export const WEBHOOK_CONTRACT = {
  tags: {
    Webhooks:
      "Addresses to which the platform posts signed events, and the deliveries of each message.",
  },
  routes: WEBHOOK_ROUTES,
  pathParameters: {
    endpoint_id: { form: "whk", description: "The webhook endpoint." },
    delivery_id: { form: "whd", description: "The delivery." },
  },
  queryParameters: {
    type: "Only messages of this type.",
  },
  fields: WEBHOOK_WORDS,
  examples: WEBHOOK_EXAMPLES,
} as const satisfies Contract;
