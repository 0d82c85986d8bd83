// The refund desk's app, its back end and its label printer, as requests and answers.
import type { Example } from "./document-types.ts";
import { INPUT_EVENTS } from "./resources/input-events.ts";
import { PEOPLE_EXAMPLES } from "./examples-people.ts";

const AT = "2026-11-21T09:31:00.000Z";
const SESSION_ID = "ses_01kaj2vcr4k7n1q5s9v3x6z0b2";
const REPLY_ID = "rep_01kaj2vf3h8m2p6r0t4w7y1a5c";

const [waiting] = PEOPLE_EXAMPLES.waitingCalls.value.data;
const endpoint = {
  id: "whi_01kaj2vm5p8r2t6v9x3z7b1d4f",
  name: "Label printer",
  created_at: AT,
  old_secret_expires_at: null,
};

export const INBOUND_EXAMPLES = {
  newClientToken: {
    summary: "For the customer's browser",
    value: {
      verbs: ["read", "reply", "interrupt"],
      ttl_seconds: 900,
      allowed_origins: ["https://shop.example"],
    },
  },
  clientToken: {
    summary: "For the customer's browser",
    value: {
      id: "tok_01kaj2vk9m3p7r1t5v8x2z6b0d",
      session_id: SESSION_ID,
      verbs: ["read", "reply", "interrupt"],
      allowed_origins: ["https://shop.example"],
      created_at: AT,
      expires_at: "2026-11-21T09:46:00.000Z",
      key_id: "key_01kaj2v6f0c4e7g1j5m9p3r6t0",
      token: "rt_1f6b03c2.eyJ0b2tlbl9pZCI6Li4ufQ.c2lnbmF0dXJl",
    },
  },
  newStreamTicket: {
    summary: "For an EventSource that stays with the session",
    value: { path: `/v1/sessions/${SESSION_ID}/events?follow=session` },
  },
  streamTicket: {
    summary: "For an EventSource that stays with the session",
    value: {
      ticket: "tk_1f6b03c2.eyJ0b2tlbl9pZCI6Li4ufQ.c2lnbmF0dXJl",
      path: `/v1/sessions/${SESSION_ID}/events?follow=session&token=tk_1f6b03c2.eyJ0b2tlbl9pZCI6Li4ufQ.c2lnbmF0dXJl`,
      token_id: "tok_01kaj2vk9m3p7r1t5v8x2z6b0d",
      expires_at: "2026-11-21T09:46:00.000Z",
    },
  },
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
    summary: "The answer is taken, and the reply goes on",
    value: { session_id: SESSION_ID, reply_id: REPLY_ID, status: "running", applied: true },
  },
  newInboundEndpoint: { summary: "The label printer's", value: { name: "Label printer" } },
  createdInboundEndpoint: {
    summary: "The label printer's, with its secret",
    value: { ...endpoint, secret: "whsec_bGFiZWwtcHJpbnRlci1zZWNyZXQtb2YtMzItYnl0ZXM=" },
  },
  inboundMessage: {
    summary: "The label is printed",
    value: { session_id: SESSION_ID, event: INPUT_EVENTS.examples.externalResult.value },
  },
} as const satisfies Readonly<Record<string, Example>>;
