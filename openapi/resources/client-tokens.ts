// Client tokens and stream tickets.
import {
  LiveTokenPageSchema,
  ClientTokenCreateSchema,
  ClientTokenSchema,
  MintedTokenSchema,
} from "../../protocol/client-tokens/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import {
  StreamTicketCreateSchema,
  StreamTicketSchema,
} from "../../protocol/events/stream-tickets.ts";
import { ASKED_AT, KEY_ID, SESSION_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

export const CLIENT_TOKENS = {
  tags: {
    "Client tokens":
      "Short-lived credentials for apps in place of an API key: for one session, with some verbs.",
  },
  operations: {
    createClientToken: {
      tag: "Client tokens",
      summary: "Create a client token",
      description: [
        "For an app that must not hold an API key: it gives access to this session, with these verbs, for some minutes.",
        "Each verb needs its scope: `read` `sessions:read`, `reply` and `interrupt` `replies:write`, `confirm`",
        "`confirmations:write`, `tool_result` `tool_results:write`.",
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
    listClientTokens: {
      tag: "Client tokens",
      summary: "List the valid client tokens of a session",
      description:
        "Those that have not expired and were not revoked, newest first, without their plain texts.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of tokens.", json: LiveTokenPageSchema } },
    },
    revokeClientToken: {
      tag: "Client tokens",
      summary: "Revoke a client token",
      description:
        "The token is refused from now on, and the streams that were opened with it end within a second. Revoking it again changes nothing.",
      answers: { 204: { description: "The token is revoked." } },
    },
    createStreamTicket: {
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
  },
  pathParameters: {
    token_id: "The client token; its id, not the token itself.",
  },

  fieldDescriptions: {
    "ClientToken.allowed_origins":
      "Origins of the pages that may use it, such as `https://app.example`; any origin, and apps that are no pages, when left out.",
    "ClientToken.expires_at": "When it expires; its streams end then.",
    "ClientToken.key_id": "The API key that minted it; null for one from before this was kept.",
    "ClientToken.token": "The token itself. It is shown this once.",
    "ClientToken.ttl_seconds": "Its lifetime in seconds.",
    "ClientToken.verbs": "What it may do.",
    "StreamTicket.expires_at": "When it expires; the stream ends then.",
    "StreamTicket.path":
      "Path and query of the stream. In the answer it includes the ticket, ready for `EventSource`.",
    "StreamTicket.ticket": "The ticket itself, `tk_…`. It is shown this once.",
    "StreamTicket.token_id":
      "The client token that the ticket depends on. For a ticket that an API key minted it is a token of its own, which can be revoked.",
    "LiveToken.allowed_origins":
      "Origins of the pages that may use it; null for any, and for one from before this was kept.",
    "LiveToken.created_at": "When it was minted; null for one from before this was kept.",
    "LiveToken.expires_at": "When it expires; its streams end then.",
    "LiveToken.key_id": "The API key that minted it; null for one from before this was kept.",
    "LiveToken.verbs": "What it may do; null for one from before this was kept.",
    "MintedToken.key_id": "The API key that minted it; null for one from before this was kept.",
    "MintedToken.allowed_origins":
      "Origins of the pages that may use it; null for any, and for apps that are no pages.",
    "MintedToken.verbs": "What it may do.",
  },
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
} as const satisfies Resource;
