import type { MiddlewareHandler } from "hono";

import type { AppEnv } from "../app-env.ts";
import { withOwnSources } from "../requests/with-own-sources.ts";

/**
 * Sources that a page of the console may load and use: the files of its build, and requests to its own origin, where
 * scripts and styles may also be uploads of tenants. No inline script or style, no plug-in, no frame, no other site's
 * picture; strings never become scripts or HTML (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src self:/console/assets/",
  "style-src self:/console/assets/",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  // Bytes that the page has read itself.
  "media-src blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(self), payment=()",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};

/** The security headers of every answer below the console's paths, problems and missing files included. */
export const consoleHeaders: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  context.res.headers.set("Content-Security-Policy", withOwnSources(context, POLICY));
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  if (!context.res.headers.has("Cache-Control")) {
    context.res.headers.set("Cache-Control", "no-store");
  }
};
