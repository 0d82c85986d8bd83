// Client tokens, callbacks, and webhooks that come in.
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { noContent, type Operation } from "./operation.ts";

/** Why a session may refuse an answer, whoever gives it. */
const ANSWER_REFUSALS = [
  "tool_name_changed",
  "edited_input_invalid",
  "denied_by_rule",
  "rule_not_suggested",
  "call_not_pending",
  "confirmation_used",
  "input_hash_mismatch",
] as const;

export const INBOUND_OPERATIONS = {
  createClientToken: {
    tag: "Client tokens",
    summary: "Mint a client token",
    description: [
      "For an app that must not hold an API key: it opens this one session, for these verbs, for some minutes.",
      "Each verb needs its scope: `read` `sessions:read`, `reply` and `interrupt` `replies:write`, `confirm`",
      "`confirmations:write`, `tool_result` `tool_results:write`.",
      "A token never writes permission rules, and its messages have the role user.",
    ].join(" "),
    body: { schema: "ClientTokenCreate", examples: ["newClientToken"] },
    answers: {
      201: {
        description: "The token, in plain text this once.",
        json: "ClientToken",
        replayed: "MintedToken",
        examples: ["clientToken"],
      },
    },
  },
  listClientTokens: {
    tag: "Client tokens",
    summary: "List the live client tokens of a session",
    description:
      "Those that are not over and were not revoked, newest first, without their plain texts.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of tokens.", json: "LiveTokenPage" } },
  },
  revokeClientToken: {
    tag: "Client tokens",
    summary: "Revoke a client token",
    description:
      "It opens nothing any more, and the streams that were opened with it end within a second. Revoking it again changes nothing.",
    answers: { 204: noContent("The token is revoked.") },
  },
  createStreamTicket: {
    tag: "Client tokens",
    summary: "Mint a stream ticket",
    description: [
      "For `EventSource`, which sends no headers: the answer's `path` opens that one stream, and again when the",
      "connection breaks, until the client token ends that minted it. It opens nothing else.",
      "Revoking the token ends the streams of its tickets. An API key mints one with a client token of its own, whose id",
      "the answer has.",
    ].join(" "),
    body: { schema: "StreamTicketCreate", examples: ["newStreamTicket"] },
    answers: {
      201: {
        description: "The ticket, in plain text this once.",
        json: "StreamTicket",
        examples: ["streamTicket"],
      },
    },
  },

  readCallback: {
    tag: "Callbacks",
    summary: "See what a callback address waits for",
    description: [
      "The address itself is the credential: an outgoing webhook carries it as `callback_url`.",
      "Reading changes nothing. Once each call was answered nothing is pending.",
    ].join(" "),
    answers: {
      200: { description: "What still waits.", json: "Callback", examples: ["callback"] },
    },
    errors: ["unauthenticated"],
  },
  answerCallback: {
    tag: "Callbacks",
    summary: "Answer the calls of a callback address",
    description: [
      "One USER_CONFIRM_RESULT or EXTERNAL_EXECUTION_RESULT for calls that the address is about.",
      "A confirmation has to bring the input's hash back (`metadata.input_hashes`), and may switch on only rules that",
      "were suggested. Each call is answered once. Another input than the one that was asked about needs the verb `edit`",
      "among the `callback_verbs` of the webhook endpoint.",
    ].join(" "),
    headers: ["traceparent", "tracestate"],
    body: { schema: "CallbackAnswer", examples: ["confirmation"] },
    answers: {
      202: {
        description: "The answer is durable; the reply goes on.",
        json: "AnswerReceipt",
        examples: ["answerReceipt"],
      },
    },
    errors: ["unauthenticated", "verb_missing", "input_hash_missing", ...ANSWER_REFUSALS],
  },

  createInboundEndpoint: {
    tag: "Inbound endpoints",
    summary: "Make an inbound endpoint",
    description: "An address for signed webhooks of one of the tenant's own systems. 50 at most.",
    body: { schema: "InboundEndpointCreate", examples: ["newInboundEndpoint"] },
    answers: {
      201: {
        description: "The endpoint, with its secret this once.",
        json: "CreatedInboundEndpoint",
        replayed: "InboundEndpoint",
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
    answers: { 200: { description: "A page of endpoints.", json: "InboundEndpointPage" } },
  },
  readInboundEndpoint: {
    tag: "Inbound endpoints",
    summary: "Read an inbound endpoint",
    description: "Without its secret.",
    answers: { 200: { description: "The endpoint.", json: "InboundEndpoint" } },
  },
  deleteInboundEndpoint: {
    tag: "Inbound endpoints",
    summary: "Remove an inbound endpoint",
    description: "Nothing that is signed for it is believed any more.",
    answers: { 204: noContent("The endpoint is removed.") },
  },
  rotateInboundSecret: {
    tag: "Inbound endpoints",
    summary: "Give an inbound endpoint a new secret",
    description:
      "The old secret is believed for the overlap too. Rotating again ends that of the rotation before.",
    body: { schema: "InboundSecretRotate", examples: ["rotation"] },
    answers: {
      200: {
        description: "The endpoint, with its new secret this once.",
        json: "CreatedInboundEndpoint",
        replayed: "InboundEndpoint",
      },
    },
  },
  receiveWebhook: {
    tag: "Inbound endpoints",
    summary: "Receive a signed webhook",
    description: [
      "Standard Webhooks: the endpoint's secret has signed `id.timestamp.body`, five minutes ago at most.",
      "The event is taken as `POST /v1/sessions/{session_id}/events` takes it. Its id is spent once it was accepted;",
      "what was refused or has failed may be sent again under the same id.",
    ].join(" "),
    headers: ["webhook-id", "webhook-timestamp", "webhook-signature", "traceparent", "tracestate"],
    body: { schema: "InboundMessage", examples: ["inboundMessage"] },
    answers: {
      202: {
        description: "The event is durable; the reply goes on.",
        json: "AnswerReceipt",
        examples: ["answerReceipt"],
      },
    },
    errors: ["signature_invalid", "webhook_replayed", ...ANSWER_REFUSALS],
  },
} as const satisfies Readonly<Record<string, Operation>>;
