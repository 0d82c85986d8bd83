// A shop that hears when a person has to decide.
import type { Example } from "./document-types.ts";

const AT = "2026-11-21T09:30:00.000Z";
const ENDPOINT_ID = "whk_01kaj2w1d4f8h2k6n0q4t8w2y6";

const endpoint = {
  id: ENDPOINT_ID,
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
  created_at: AT,
  updated_at: AT,
  old_secret_expires_at: null,
};

const delivery = {
  id: "whd_01kaj2w4m2p6s0v4y8b2e6h0k4",
  endpoint_id: ENDPOINT_ID,
  message_id: "whm_01kaj2w4k8n2q6t0w4z8c2f6j0",
  type: "confirmation.required",
  status: "delivered",
  attempt_count: 2,
  next_attempt_at: null,
  created_at: AT,
  finished_at: "2026-11-21T09:30:05.140Z",
  payload: {
    type: "confirmation.required",
    timestamp: AT,
    data: {
      session_id: "ses_01kaj2vcr4k7n1q5s9v3x6z0b2",
      agent_id: "agt_01kaj2v9c8m3p6t0x4z7b2d5f8",
      end_user_id: "customer-17",
      agent_version: 1,
      reply_id: "rep_01kaj2vf3h8m2p6r0t4w7y1a5c",
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
    { attempt: 1, at: AT, status: 503, error: "answered 503", duration_ms: 84 },
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
  webhookDelivery: { summary: "Arrived with the second attempt", value: delivery },
} as const satisfies Readonly<Record<string, Example>>;
