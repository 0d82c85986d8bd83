// Routes on client tokens and stream tickets.
import {
  LiveTokenPageSchema,
  ClientTokenCreateSchema,
  ClientTokenSchema,
  MintedTokenSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { StreamTicketCreateSchema, StreamTicketSchema } from "../events/stream-tickets.ts";
import { ASKED_AT, KEY_ID, SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { CLIENT_TOKEN_WORDS } from "./words.ts";

const CLIENT_TOKEN_ROUTES = [
  {
    name: "createClientToken",
    method: "POST",
    path: "/v1/sessions/{session_id}/tokens",
    access: "sessions:write",
    keeps_keys: "session",
    body: "small",
    tag: "Client tokens",
    summary: "Create a client token",
    description: [
      "For an app that must not hold an API key: it gives access to this session, with these verbs, for some minutes.",
      "Each verb needs its scope: `read` `sessions:read`, `reply` and `interrupt` `replies:write`, `confirm`",
      "`confirmations:write`, `tool_result` `tool_results:write`, `upload` `files:write`, `memory` `memories:read` and",
      "`memories:write`.",
      "A token never writes permission rules, and its messages have the role user.",
    ].join(" "),
    request: { json: ClientTokenCreateSchema, examples: ["newClientToken"] },
    answers: {
      201: {
        description: "The token, in plain text this once.",
        json: ClientTokenSchema,
        replayed: MintedTokenSchema,
        examples: ["clientToken"],
      },
    },
  },

  {
    name: "listClientTokens",
    method: "GET",
    path: "/v1/sessions/{session_id}/tokens",
    access: "sessions:read",
    body: "none",
    tag: "Client tokens",
    summary: "List the valid client tokens of a session",
    description:
      "Those that have not expired and were not revoked, newest first, without their plain texts.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of tokens.", json: LiveTokenPageSchema } },
  },

  {
    name: "revokeClientToken",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/tokens/{token_id}",
    access: "sessions:write",
    body: "none",
    tag: "Client tokens",
    summary: "Revoke a client token",
    description:
      "The token is refused from now on, and the streams that were opened with it end within a second. Revoking it again changes nothing.",
    answers: { 204: { description: "The token is revoked." } },
  },

  {
    name: "createStreamTicket",
    method: "POST",
    path: "/v1/sessions/{session_id}/stream-tickets",
    access: "sessions:read",
    verb: "read",
    body: "small",
    tag: "Client tokens",
    summary: "Create a stream ticket",
    description: [
      "For `EventSource`, which sends no headers: the answer's `path` opens that one stream, and again when the",
      "connection breaks, until the client token that minted it expires. It gives access to nothing else.",
      "Revoking the token ends the streams of its tickets. An API key mints one with a client token of its own, whose id",
      "the answer has.",
    ].join(" "),
    request: { json: StreamTicketCreateSchema, examples: ["newStreamTicket"] },
    answers: {
      201: {
        description: "The ticket, in plain text this once.",
        json: StreamTicketSchema,
        examples: ["streamTicket"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const CLIENT_TOKEN_CONTRACT = {
  tags: {
    "Client tokens":
      "Short-lived credentials for apps in place of an API key: for one session, with some verbs.",
  },
  routes: CLIENT_TOKEN_ROUTES,
  pathParameters: {
    token_id: { form: "tok", description: "The client token; its id, not the token itself." },
  },
  fields: CLIENT_TOKEN_WORDS,
  examples: {
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
        created_at: ASKED_AT,
        expires_at: "2026-11-21T09:46:00.000Z",
        key_id: KEY_ID,
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
  },
} as const satisfies Contract;
