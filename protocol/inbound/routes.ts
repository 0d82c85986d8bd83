// Access without an API key: client tokens for apps, signed callback URLs and signed webhooks for other systems.
import type { Route } from "../requests/route.ts";

export const INBOUND_ROUTES = [
  {
    name: "createClientToken",
    method: "POST",
    path: "/v1/sessions/{session_id}/tokens",
    access: "sessions:write",
    keeps_keys: "session",
    body: "small",
  },
  {
    name: "listClientTokens",
    method: "GET",
    path: "/v1/sessions/{session_id}/tokens",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "revokeClientToken",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/tokens/{token_id}",
    access: "sessions:write",
    body: "none",
  },
  {
    name: "createStreamTicket",
    method: "POST",
    path: "/v1/sessions/{session_id}/stream-tickets",
    access: "sessions:read",
    verb: "read",
    body: "small",
  },

  {
    name: "readCallback",
    method: "GET",
    path: "/v1/callbacks/{callback_token}",
    access: "public",
    is_signed: true,
    body: "none",
  },
  {
    name: "answerCallback",
    method: "POST",
    path: "/v1/callbacks/{callback_token}",
    access: "public",
    is_signed: true,
    keeps_keys: "session",
    body: "media",
  },

  {
    name: "createInboundEndpoint",
    method: "POST",
    path: "/v1/inbound-endpoints",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "listInboundEndpoints",
    method: "GET",
    path: "/v1/inbound-endpoints",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "readInboundEndpoint",
    method: "GET",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}",
    access: "webhooks:read",
    body: "none",
  },
  {
    name: "deleteInboundEndpoint",
    method: "DELETE",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}",
    access: "webhooks:write",
    body: "none",
  },
  {
    name: "rotateInboundSecret",
    method: "POST",
    path: "/v1/inbound-endpoints/{inbound_endpoint_id}/rotate-secret",
    access: "webhooks:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "receiveWebhook",
    method: "POST",
    path: "/v1/inbound/{inbound_endpoint_id}",
    access: "public",
    is_signed: true,
    body: "unproven",
  },
] as const satisfies readonly Route[];
