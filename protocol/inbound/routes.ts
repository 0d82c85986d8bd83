// Routes for other systems: signed callback URLs and signed webhooks.
import { ANSWER_REFUSALS } from "../confirmations/answer-refusals.ts";
import { AnswerReceiptSchema, CallbackSchema, CallbackAnswerSchema } from "./callbacks.ts";
import { REPLY_ID, SESSION_ID, ASKED_AT } from "../refund-desk.ts";
import {
  InboundEndpointPageSchema,
  CreatedInboundEndpointSchema,
  InboundEndpointCreateSchema,
  InboundEndpointSchema,
  InboundMessageSchema,
  InboundSecretRotateSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { CONFIRMATION_EXAMPLES } from "../confirmations/examples.ts";
import { EVENT_EXAMPLES } from "../events/examples.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { INBOUND_WORDS } from "./words.ts";

const [waiting] = CONFIRMATION_EXAMPLES.waitingCalls.value.data;

const endpoint = {
  id: "whi_01kaj2vm5p8r2t6v9x3z7b1d4f",
  name: "Label printer",
  created_at: ASKED_AT,
  old_secret_expires_at: null,
};

const INBOUND_ROUTES = [
  {
    name: "readCallback",
    method: "GET",
    path: "/v1/callbacks/{callback_token}",
    access: "public",
    is_signed: true,
    body: "none",
    tag: "Callbacks",
    summary: "Get the waiting calls of a callback address",
    description: [
      "The address itself is the credential: an outgoing webhook has it as `callback_url`.",
      "Reading changes nothing. Once each call was answered `pending` is empty.",
    ].join(" "),
    answers: {
      200: {
        description: "The calls that still wait.",
        json: CallbackSchema,
        examples: ["callback"],
      },
    },
    errors: ["unauthenticated"],
  },

  {
    name: "answerCallback",
    method: "POST",
    path: "/v1/callbacks/{callback_token}",
    access: "public",
    is_signed: true,
    keeps_keys: "session",
    body: "media",
    tag: "Callbacks",
    summary: "Answer the calls of a callback address",
    description: [
      "One USER_CONFIRM_RESULT or EXTERNAL_EXECUTION_RESULT for calls that the address is about.",
      "A confirmation must include the input's hash (`metadata.input_hashes`), and may add only rules that",
      "were suggested. Each call is answered once; the same answer under the same `Idempotency-Key` gets its receipt",
      "again. Another input than the one that was asked about needs the verb `edit` among the `callback_verbs` of the webhook endpoint.",
    ].join(" "),
    headers: ["traceparent", "tracestate"],
    request: { json: CallbackAnswerSchema, examples: ["confirmation"] },
    answers: {
      202: {
        description: "The answer is durable; the reply continues.",
        json: AnswerReceiptSchema,
        examples: ["answerReceipt"],
      },
    },
    errors: ["unauthenticated", "verb_missing", "input_hash_missing", ...ANSWER_REFUSALS],
  },

  {
    name: "createInboundEndpoint",
    method: "POST",
    path: "/v1/inbound-endpoints",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "listInboundEndpoints",
    method: "GET",
    path: "/v1/inbound-endpoints",
    access: "webhooks:read",
    body: "none",
    tag: "Inbound endpoints",
    summary: "List inbound endpoints",
    description: "Newest first, without their secrets.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of endpoints.", json: InboundEndpointPageSchema } },
  },

  {
    name: "readInboundEndpoint",
    method: "GET",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}",
    access: "webhooks:read",
    body: "none",
    tag: "Inbound endpoints",
    summary: "Get an inbound endpoint",
    description: "Without its secret.",
    answers: { 200: { description: "The endpoint.", json: InboundEndpointSchema } },
  },

  {
    name: "deleteInboundEndpoint",
    method: "DELETE",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}",
    access: "webhooks:write",
    body: "none",
    tag: "Inbound endpoints",
    summary: "Delete an inbound endpoint",
    description: "Webhooks that are signed for it are refused from now on.",
    answers: { 204: { description: "The endpoint is removed." } },
  },

  {
    name: "rotateInboundSecret",
    method: "POST",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}/rotate-secret",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
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

  {
    name: "receiveWebhook",
    method: "POST",
    path: "/v1/inbound/{inbound_endpoint_id}",
    access: "public",
    is_signed: true,
    body: "unproven",
    tag: "Inbound endpoints",
    summary: "Receive a signed webhook",
    description: [
      "Standard Webhooks: the endpoint's secret has signed `id.timestamp.body`, five minutes ago at most.",
      "The event is handled like one of `POST /v1/sessions/{session_id}/events`. Its id is used up once it was accepted;",
      "an event that was refused or failed may be sent again under the same id.",
    ].join(" "),
    headers: ["webhook-id", "webhook-timestamp", "webhook-signature", "traceparent", "tracestate"],
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
] as const satisfies readonly DocumentedRoute[];

export const INBOUND_CONTRACT = {
  tags: {
    Callbacks:
      "Signed addresses in webhooks, which answer the tool calls that the webhook announces.",
    "Inbound endpoints": "Addresses where a tenant's own systems post signed events.",
  },
  routes: INBOUND_ROUTES,
  pathParameters: {
    callback_token: { form: "token", description: "The signed part of the address." },
    inbound_endpoint_id: { form: "whi", description: "The inbound endpoint." },
  },
  fields: INBOUND_WORDS,
  examples: {
    callback: {
      summary: "A refund that waits for a person",
      value: {
        session_id: SESSION_ID,
        reply_id: REPLY_ID,
        pending: [
          {
            kind: "permission",
            tool_call: waiting.tool_call,
            input_hash: waiting.input_hash,
            expires_at: waiting.expires_at,
            suggested_rules: waiting.suggested_rules,
          },
        ],
        expires_at: waiting.expires_at,
      },
    },
    answerReceipt: {
      summary: "The answer is accepted, and the reply continues",
      value: { session_id: SESSION_ID, reply_id: REPLY_ID, status: "running", applied: true },
    },
    newInboundEndpoint: { summary: "The label printer's", value: { name: "Label printer" } },
    createdInboundEndpoint: {
      summary: "The label printer's, with its secret",
      value: { ...endpoint, secret: "whsec_bGFiZWwtcHJpbnRlci1zZWNyZXQtb2YtMzItYnl0ZXM=" },
    },
    inboundMessage: {
      summary: "The label is printed",
      value: { session_id: SESSION_ID, event: EVENT_EXAMPLES.externalResult.value },
    },
  },
} as const satisfies Contract;
