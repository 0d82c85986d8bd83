// Inbound endpoints, and the signed webhooks that they receive.
import { ANSWER_REFUSALS } from "../../protocol/confirmations/answer-refusals.ts";
import { AnswerReceiptSchema } from "../../protocol/inbound/callbacks.ts";
import {
  InboundEndpointPageSchema,
  CreatedInboundEndpointSchema,
  InboundEndpointCreateSchema,
  InboundEndpointSchema,
  InboundMessageSchema,
  InboundSecretRotateSchema,
} from "../../protocol/inbound/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { ASKED_AT, SESSION_ID } from "../../protocol/refund-desk.ts";
import { INPUT_EVENTS } from "./sessions/input-events.ts";
import type { Resource } from "../resource.ts";

const endpoint = {
  id: "whi_01kaj2vm5p8r2t6v9x3z7b1d4f",
  name: "Label printer",
  created_at: ASKED_AT,
  old_secret_expires_at: null,
};

export const INBOUND_ENDPOINTS = {
  tags: {
    "Inbound endpoints": "Addresses where a tenant's own systems post signed events.",
  },
  operations: {
    createInboundEndpoint: {
      tag: "Inbound endpoints",
      summary: "Create an inbound endpoint",
      description: "An address for signed webhooks of one of the tenant's own systems. 50 at most.",
      request: { json: InboundEndpointCreateSchema, examples: ["newInboundEndpoint"] },
      answers: {
        201: {
          description: "The endpoint, with its secret this once.",
          json: CreatedInboundEndpointSchema,
          replayed: InboundEndpointSchema,
          headers: ["Location"],
          examples: ["createdInboundEndpoint"],
        },
      },
      errors: ["quota_exceeded"],
    },
    listInboundEndpoints: {
      tag: "Inbound endpoints",
      summary: "List inbound endpoints",
      description: "Newest first, without their secrets.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of endpoints.", json: InboundEndpointPageSchema } },
    },
    readInboundEndpoint: {
      tag: "Inbound endpoints",
      summary: "Get an inbound endpoint",
      description: "Without its secret.",
      answers: { 200: { description: "The endpoint.", json: InboundEndpointSchema } },
    },
    deleteInboundEndpoint: {
      tag: "Inbound endpoints",
      summary: "Delete an inbound endpoint",
      description: "Webhooks that are signed for it are refused from now on.",
      answers: { 204: { description: "The endpoint is removed." } },
    },
    rotateInboundSecret: {
      tag: "Inbound endpoints",
      summary: "Rotate an inbound endpoint's secret",
      description:
        "The old secret stays valid for the overlap. Rotating again ends the overlap of the rotation before.",
      request: { json: InboundSecretRotateSchema, examples: ["rotation"] },
      answers: {
        200: {
          description: "The endpoint, with its new secret this once.",
          json: CreatedInboundEndpointSchema,
          replayed: InboundEndpointSchema,
        },
      },
    },
    receiveWebhook: {
      tag: "Inbound endpoints",
      summary: "Receive a signed webhook",
      description: [
        "Standard Webhooks: the endpoint's secret has signed `id.timestamp.body`, five minutes ago at most.",
        "The event is handled like one of `POST /v1/sessions/{session_id}/events`. Its id is used up once it was accepted;",
        "an event that was refused or failed may be sent again under the same id.",
      ].join(" "),
      headers: [
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "traceparent",
        "tracestate",
      ],
      request: { json: InboundMessageSchema, examples: ["inboundMessage"] },
      answers: {
        202: {
          description: "The event is durable; the reply continues.",
          json: AnswerReceiptSchema,
          examples: ["answerReceipt"],
        },
      },
      errors: ["signature_invalid", "webhook_replayed", ...ANSWER_REFUSALS],
    },
  },
  pathParameters: {
    inbound_endpoint_id: "The inbound endpoint.",
  },

  fieldDescriptions: {
    "InboundEndpoint.old_secret_expires_at":
      "Until when the secret before the last rotation is valid; null when there is none.",
    "InboundEndpoint.secret": "Signs the webhooks, `whsec_…`. It is shown this once.",
    "InboundMessage.event": "The event, as it would be posted to the session.",
    "InboundSecret.overlap_ms":
      "Milliseconds for which the old secret stays valid; 0 ends it at once.",
  },
  examples: {
    newInboundEndpoint: { summary: "The label printer's", value: { name: "Label printer" } },
    createdInboundEndpoint: {
      summary: "The label printer's, with its secret",
      value: { ...endpoint, secret: "whsec_bGFiZWwtcHJpbnRlci1zZWNyZXQtb2YtMzItYnl0ZXM=" },
    },
    inboundMessage: {
      summary: "The label is printed",
      value: { session_id: SESSION_ID, event: INPUT_EVENTS.examples.externalResult.value },
    },
  },
} as const satisfies Resource;
