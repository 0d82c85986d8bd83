import { cors } from "hono/cors";

import { REPLY_ID_HEADER } from "../../protocol/routes.ts";
import { REPLAYED_HEADER, SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import { PREFLIGHT_MAX_AGE_SECONDS } from "../../protocol/requests/limits.ts";

/**
 * Allows any origin: there are no cookies, and the credential is in a header that the page must possess, so the
 * browser's same-origin policy protects nothing here. A client token's allowed origins are checked at authentication.
 */
export const openCors = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Accept",
    "Cache-Control",
    "Last-Event-ID",
    "A2A-Version",
    "A2A-Extensions",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "Range",
    "X-Request-Id",
    "traceparent",
    "tracestate",
  ],
  exposeHeaders: [
    "X-Request-Id",
    REPLY_ID_HEADER,
    SESSION_ID_HEADER,
    REPLAYED_HEADER,
    "A2A-Extensions",
    "Location",
    "ETag",
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Length",
    "Content-Range",
    // Headers of an MCP server's page: the app that shows it in a frame applies them.
    "Content-Security-Policy",
    "Permissions-Policy",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Allow",
    "WWW-Authenticate",
  ],
  maxAge: PREFLIGHT_MAX_AGE_SECONDS,
});
