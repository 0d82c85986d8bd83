// Webhook endpoints: a tenant's addresses for events, and their signing secrets.
import { WebhookEndpointPageSchema } from "../../protocol/api/answers/webhook-responses.ts";
import { PageQuerySchema } from "../../protocol/api/schemas/common.ts";
import {
  CallbackVerbSchema,
  CreatedWebhookEndpointSchema,
  WebhookEndpointCreateSchema,
  WebhookEndpointSchema,
  WebhookEndpointUpdateSchema,
  WebhookFilterSchema,
  WebhookSecretRotateSchema,
} from "../../protocol/api/webhooks/webhook-endpoints.ts";
import { noContent } from "../operation.ts";
import { EXAMPLE_TIME, WEBHOOK_ENDPOINT_ID } from "../refund-desk.ts";
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
    Webhooks: "Where a tenant hears of events, signed, and what became of each message.",
  },
  operations: {
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
  },
  pathParameters: {
    endpoint_id: "The webhook endpoint.",
  },
  requestSchemas: {
    WebhookEndpointCreate: WebhookEndpointCreateSchema,
    WebhookEndpointUpdate: WebhookEndpointUpdateSchema,
    WebhookSecretRotate: WebhookSecretRotateSchema,
    WebhookFilter: WebhookFilterSchema,
    CallbackVerb: CallbackVerbSchema,
  },
  answerSchemas: {
    WebhookEndpoint: WebhookEndpointSchema,
    CreatedWebhookEndpoint: CreatedWebhookEndpointSchema,
    WebhookEndpointPage: WebhookEndpointPageSchema,
    WebhookFilter: WebhookFilterSchema,
    CallbackVerb: CallbackVerbSchema,
  },
  schemaDescriptions: {
    CallbackVerb:
      "What the holder of a callback address may do: answer whether calls may run, change the input of those that may, bring results. `edit` goes with `confirm`.",
    CreatedWebhookEndpoint: "The one answer that shows the endpoint's secret.",
    WebhookEndpoint: "Where a tenant wants to hear of events, without its secret.",
    WebhookEndpointCreate: "A new endpoint.",
    WebhookEndpointUpdate: "What is left out stays as it is.",
    WebhookFilter: "A type of event, all of a group, or all.",
  },
  fieldDescriptions: {
    callback_verbs:
      "What the addresses in its messages may do. `confirm` and `tool_result` when left out; a message about calls that no verb is for has no address.",
    "WebhookEndpoint.description": "What it is for, in the tenant's own words.",
    "WebhookEndpoint.disabled":
      "A disabled endpoint gets nothing, and what happens meanwhile is not sent later.",
    "WebhookEndpoint.disabled_at": "Since when it is disabled, or null.",
    "WebhookEndpoint.disabled_reason":
      "`tenant` by a request, `gone` by an answer of 410, `failing` when nothing had arrived for five days.",
    "WebhookEndpoint.events": "What it wants to hear of.",
    "WebhookEndpoint.circuit":
      "`open` while five attempts in a row got no answer, 429 or 5xx: messages wait. `half_open` when one of them may try again.",
    "WebhookEndpoint.circuit_retry_at":
      "From when on one message is let through to an endpoint whose circuit is open; null when it is closed.",
    "WebhookEndpoint.failing_since":
      "The first failed attempt since the last that arrived, or null.",
    "WebhookEndpoint.old_secret_expires_at":
      "Until when the secret before the last rotation signs too; null when there is none.",
    "WebhookEndpoint.secret": "The secret, `whsec_…`. It is shown this once.",
    "WebhookEndpoint.updated_at": "When it was last changed by a request.",
    "WebhookEndpoint.url":
      "Where messages are posted: https to a public host, and no redirect is followed.",
    "WebhookSecret.overlap_ms":
      "Milliseconds for which the old secret goes on signing too; 0 ends it at once.",
  },
  examples: {
    newWebhookEndpoint: {
      summary: "Whatever waits, and how replies end",
      value: { url: endpoint.url, description: endpoint.description, events: endpoint.events },
    },
    createdWebhookEndpoint: {
      summary: "The endpoint with its secret, shown this once",
      value: { ...endpoint, secret: "whsec_…" },
    },
    enabledWebhookEndpoint: { summary: "The receiver is back", value: { disabled: false } },
    webhookRotation: {
      summary: "An hour to deploy the new secret",
      value: { overlap_ms: 3_600_000 },
    },
  },
} as const satisfies Resource;
