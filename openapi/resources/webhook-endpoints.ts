// Webhook endpoints: a tenant's addresses for events, and their signing secrets.
import {
  WebhookEndpointPageSchema,
  CreatedWebhookEndpointSchema,
  WebhookEndpointCreateSchema,
  WebhookEndpointSchema,
  WebhookEndpointUpdateSchema,
  WebhookSecretRotateSchema,
} from "../../protocol/webhooks/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { EXAMPLE_TIME, WEBHOOK_ENDPOINT_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const endpoint = {
  id: WEBHOOK_ENDPOINT_ID,
  url: "https://shop.example/webhooks/reprise",
  description: "The shop's back end",
  events: ["confirmation.required", "external_execution.required", "reply.*"],
  callback_verbs: ["confirm", "tool_result"],
  disabled: false,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  circuit: "closed",
  circuit_retry_at: null,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  old_secret_expires_at: null,
};

export const WEBHOOK_ENDPOINTS = {
  tags: {
    Webhooks:
      "Addresses to which the platform posts signed events, and the deliveries of each message.",
  },
  operations: {
    createWebhookEndpoint: {
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
    listWebhookEndpoints: {
      tag: "Webhooks",
      summary: "List webhook endpoints",
      description: "Newest first, without their secrets.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of endpoints.", json: WebhookEndpointPageSchema } },
    },
    readWebhookEndpoint: {
      tag: "Webhooks",
      summary: "Get a webhook endpoint",
      description: "Its address, its events, and whether it is disabled.",
      answers: { 200: { description: "The endpoint.", json: WebhookEndpointSchema } },
    },
    updateWebhookEndpoint: {
      tag: "Webhooks",
      summary: "Update a webhook endpoint",
      description:
        "Members that are left out do not change. Disabling cancels pending deliveries; after enabling only new events are sent.",
      request: { json: WebhookEndpointUpdateSchema, examples: ["enabledWebhookEndpoint"] },
      answers: { 200: { description: "The endpoint as it is now.", json: WebhookEndpointSchema } },
    },
    deleteWebhookEndpoint: {
      tag: "Webhooks",
      summary: "Delete a webhook endpoint",
      description: "With all its deliveries; pending ones are cancelled.",
      answers: { 204: { description: "The endpoint is removed." } },
    },
    rotateWebhookSecret: {
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
  },
  pathParameters: {
    endpoint_id: "The webhook endpoint.",
  },

  fieldDescriptions: {
    callback_verbs:
      "What the callback addresses in its messages allow. `confirm` and `tool_result` when left out; a message about calls that no verb covers has no address.",
    "WebhookEndpoint.description": "What it is for, in the tenant's own words.",
    "WebhookEndpoint.disabled":
      "A disabled endpoint gets no messages, and events of that time are not sent later.",
    "WebhookEndpoint.disabled_at": "When it was disabled, or null.",
    "WebhookEndpoint.disabled_reason":
      "`tenant` by a request, `gone` by an answer of 410, `failing` when no message was delivered for five days.",
    "WebhookEndpoint.events": "The events that are sent to it.",
    "WebhookEndpoint.circuit":
      "`open` while five attempts in a row got no answer, 429 or 5xx: messages wait. `half_open` when one message may be tried.",
    "WebhookEndpoint.circuit_retry_at":
      "When the next message is tried while the circuit is open; null when it is closed.",
    "WebhookEndpoint.failing_since":
      "The first failed attempt since the last successful one, or null.",
    "WebhookEndpoint.old_secret_expires_at":
      "Until when messages are also signed with the secret before the last rotation; null when there is none.",
    "WebhookEndpoint.secret": "The secret, `whsec_…`. It is shown this once.",
    "WebhookEndpoint.updated_at": "When it was last changed by a request.",
    "WebhookEndpoint.url":
      "Where messages are posted: https to a public host, and no redirect is followed.",
    "WebhookSecret.overlap_ms":
      "Milliseconds for which messages are also signed with the old secret; 0 ends it at once.",
  },
  examples: {
    newWebhookEndpoint: {
      summary: "Waiting calls, and ends of replies",
      value: { url: endpoint.url, description: endpoint.description, events: endpoint.events },
    },
    createdWebhookEndpoint: {
      summary: "The endpoint with its secret, shown this once",
      value: { ...endpoint, secret: "whsec_…" },
    },
    enabledWebhookEndpoint: { summary: "Enable the endpoint again", value: { disabled: false } },
    webhookRotation: {
      summary: "An hour to deploy the new secret",
      value: { overlap_ms: 3_600_000 },
    },
  },
} as const satisfies Resource;
