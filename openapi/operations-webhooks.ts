// Where a tenant hears of events, and what became of each message.
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { WebhookDeliveryListQuerySchema } from "../protocol/api/webhooks/webhook-deliveries.ts";
import { noContent, type Operation } from "./operation.ts";

export const WEBHOOK_OPERATIONS = {
  createWebhookEndpoint: {
    tag: "Webhooks",
    summary: "Make a webhook endpoint",
    description:
      "Messages are signed as Standard Webhooks 1.0 asks for; this answer alone shows the secret. A tenant may have 50.",
    body: { schema: "WebhookEndpointCreate", examples: ["newWebhookEndpoint"] },
    answers: {
      201: {
        description: "The endpoint, with its secret this once.",
        json: "CreatedWebhookEndpoint",
        replayed: "WebhookEndpoint",
        headers: ["Location"],
        examples: ["createdWebhookEndpoint"],
      },
    },
    errors: ["quota_exceeded"],
  },
  listWebhookEndpoints: {
    tag: "Webhooks",
    summary: "List webhook endpoints",
    description: "Newest first, without their secrets.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of endpoints.", json: "WebhookEndpointPage" } },
  },
  readWebhookEndpoint: {
    tag: "Webhooks",
    summary: "Read a webhook endpoint",
    description: "Where it is, what it wants, and whether it is disabled.",
    answers: { 200: { description: "The endpoint.", json: "WebhookEndpoint" } },
  },
  updateWebhookEndpoint: {
    tag: "Webhooks",
    summary: "Change a webhook endpoint",
    description:
      "What is left out stays. Disabling ends the deliveries that wait; enabling sends only what happens from then on.",
    body: { schema: "WebhookEndpointUpdate", examples: ["enabledWebhookEndpoint"] },
    answers: { 200: { description: "The endpoint as it is now.", json: "WebhookEndpoint" } },
  },
  deleteWebhookEndpoint: {
    tag: "Webhooks",
    summary: "Remove a webhook endpoint",
    description: "With all its deliveries; those that wait are not made.",
    answers: { 204: noContent("The endpoint is removed.") },
  },
  rotateWebhookSecret: {
    tag: "Webhooks",
    summary: "Give a webhook endpoint a new secret",
    description:
      "For the overlap messages have two signatures, of the new secret and of the old one. Rotating again ends that of the rotation before.",
    body: { schema: "WebhookSecretRotate", examples: ["webhookRotation"] },
    answers: {
      200: {
        description: "The endpoint, with its new secret this once.",
        json: "CreatedWebhookEndpoint",
        replayed: "WebhookEndpoint",
      },
    },
  },
  listWebhookDeliveries: {
    tag: "Webhooks",
    summary: "List an endpoint's deliveries",
    description: "Newest first. They are kept for 30 days.",
    query: WebhookDeliveryListQuerySchema,
    answers: { 200: { description: "A page of deliveries.", json: "WebhookDeliveryPage" } },
  },
  readWebhookDelivery: {
    tag: "Webhooks",
    summary: "Read a delivery",
    description:
      "With its body and every attempt. A callback address in it is cut off: whoever has it may answer.",
    answers: {
      200: {
        description: "The delivery.",
        json: "ReadWebhookDelivery",
        examples: ["webhookDelivery"],
      },
    },
  },
  redeliverWebhook: {
    tag: "Webhooks",
    summary: "Send a delivery again",
    description:
      "At once, whatever became of it and though the endpoint's circuit is open, with the same `webhook-id` and body; when it fails, the retries begin anew. While an attempt is under way, or the endpoint is disabled, it is a conflict.",
    answers: { 202: { description: "The delivery, which waits again.", json: "WebhookDelivery" } },
    errors: ["conflict"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
