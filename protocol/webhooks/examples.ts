// Requests and answers of the refund desk, as examples of the routes.
import {
  EXAMPLE_TIME,
  WEBHOOK_ENDPOINT_ID,
  AGENT_ID,
  REPLY_ID,
  SESSION_ID,
} from "../refund-desk.ts";

const endpoint = {
  id: WEBHOOK_ENDPOINT_ID,
  url: "https://shop.example/webhooks/reprise",
  description: "The shop's back end",
  events: ["confirmation.required", "external_execution.required", "reply.*"],
  callback_verbs: ["confirm", "tool_result"],
  member_links: false,
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

export const WEBHOOK_EXAMPLES = {
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
  webhookDelivery: { summary: "Delivered by the second attempt", value: delivery },
} as const;
