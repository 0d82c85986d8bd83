// Webhook deliveries: the messages, and the attempts to deliver them.
import {
  WebhookDeliveryPageSchema,
  ReadWebhookDeliverySchema,
  WebhookDeliveryListQuerySchema,
  WebhookDeliverySchema,
} from "../../protocol/webhooks/webhook-deliveries.ts";
import {
  AGENT_ID,
  EXAMPLE_TIME,
  REPLY_ID,
  SESSION_ID,
  WEBHOOK_ENDPOINT_ID,
} from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const delivery = {
  id: "whd_01kaj2w4m2p6s0v4y8b2e6h0k4",
  endpoint_id: WEBHOOK_ENDPOINT_ID,
  message_id: "whm_01kaj2w4k8n2q6t0w4z8c2f6j0",
  type: "confirmation.required",
  status: "delivered",
  attempt_count: 2,
  next_attempt_at: null,
  created_at: EXAMPLE_TIME,
  finished_at: "2026-11-21T09:30:05.140Z",
  payload: {
    type: "confirmation.required",
    timestamp: EXAMPLE_TIME,
    data: {
      session_id: SESSION_ID,
      agent_id: AGENT_ID,
      end_user_id: "customer-17",
      agent_version: 1,
      reply_id: REPLY_ID,
      cursor: 31,
      calls: [
        {
          tool_call_id: "call_1",
          tool_name: "refund_order",
          kind: "permission",
          input_hash: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
          expires_at: "2026-11-22T09:30:00.000Z",
        },
      ],
      callback_url: "https://reprise.example/v1/callbacks/…",
      callback_expires_at: "2026-11-22T09:30:00.000Z",
    },
  },
  attempts: [
    { attempt: 1, at: EXAMPLE_TIME, status: 503, error: "answered 503", duration_ms: 84 },
    {
      attempt: 2,
      at: "2026-11-21T09:30:05.050Z",
      status: 204,
      error: null,
      duration_ms: 90,
    },
  ],
};

export const WEBHOOK_DELIVERIES = {
  operations: {
    listWebhookDeliveries: {
      tag: "Webhooks",
      summary: "List an endpoint's deliveries",
      description: "Newest first. They are kept for 30 days.",
      query: WebhookDeliveryListQuerySchema,
      answers: { 200: { description: "A page of deliveries.", json: WebhookDeliveryPageSchema } },
    },
    readWebhookDelivery: {
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
    testWebhookEndpoint: {
      tag: "Webhooks",
      summary: "Send a test message to an endpoint",
      description:
        "A message of the type `webhook_endpoint.test`, to this endpoint alone, whatever it subscribes to. Sent at once, also while the endpoint's circuit is open; its outcome is in the delivery of the answer, and counts as that of any other. When the endpoint is disabled it is a conflict.",
      answers: {
        202: { description: "The delivery, which is pending.", json: WebhookDeliverySchema },
      },
      errors: ["conflict"],
    },
    redeliverWebhook: {
      tag: "Webhooks",
      summary: "Send a delivery again",
      description:
        "Sent at once, whatever its status and also while the endpoint's circuit is open, with the same `webhook-id` and body; when it fails, the retries begin again. While an attempt is under way, or the endpoint is disabled, it is a conflict.",
      answers: {
        202: { description: "The delivery, which is pending again.", json: WebhookDeliverySchema },
      },
      errors: ["conflict"],
    },
  },
  pathParameters: {
    delivery_id: "The delivery.",
  },
  queryParameters: {
    type: "Only messages of this type.",
  },

  fieldDescriptions: {
    attempt_count: "Attempts that were made, those before a redelivery included.",
    endpoint_id: "The webhook endpoint.",
    message_id: "The header `webhook-id`: the same for every endpoint and attempt.",
    "ReadWebhookDelivery.attempts": "Every attempt, oldest first.",
    "ReadWebhookDelivery.payload":
      "The body. The token of its callback address is left out, since it is a credential.",
    "ReadWebhookDelivery.next_attempt_at":
      "When the next attempt is due, or until when the current one may last; null when there is none. A past time means that it is due and waits for a free sender.",
    "ReadWebhookDelivery.status": "`pending` between attempts too.",
    "WebhookAttempt.at": "When it began.",
    "WebhookAttempt.attempt": "Counts from 1, over redeliveries too.",
    "WebhookAttempt.duration_ms": "Milliseconds until it was answered or given up.",
    "WebhookAttempt.error": "Why the attempt failed; null for one that succeeded.",
    "WebhookAttempt.status": "The HTTP status of the answer; null when there was none.",
    "WebhookCall.answered":
      "True for a call that was answered, or has expired, before it could be announced; nothing is to be done about it.",
    "WebhookCall.expires_at": "When the call expires, or null for never.",
    "WebhookCall.input_hash":
      "Sent back with a confirmation, it binds the answer to the call's input.",
    "WebhookCall.kind": "Who has to answer: a person, or an external system.",
    "WebhookCall.tool_call_id": "The call.",
    "WebhookCall.tool_name": "The tool that is called.",
    "WebhookDelivery.next_attempt_at":
      "When the next attempt is due, or until when the current one may last; null when there is none. A past time means that it is due and waits for a free sender.",
    "WebhookDelivery.status": "`pending` between attempts too.",
  },
  examples: {
    webhookDelivery: { summary: "Delivered by the second attempt", value: delivery },
  },
} as const satisfies Resource;
