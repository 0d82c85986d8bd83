import { isLoopbackHost } from "../../outgoing/public-host.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import type { Principal } from "../principal.ts";

/**
 * MCP has servers check `Origin`, against pages that reach a server under a name of their own (DNS rebinding). Requests
 * without one come from programs. Pages of this machine and of the platform may ask; others where the token's issuer
 * was registered with their origin. The platform's origin is its PUBLIC_URL, never the request's Host, which such a page
 * has chosen. An API key has no place in any other page.
 * @throws HttpError 403 `origin_forbidden`.
 */
export function checkOrigin(context: AppContext, principal: Principal): void {
  const origin = context.req.header("Origin");
  if (origin === undefined || isAllowed(context, principal, origin)) return;
  throw new HttpError("origin_forbidden", "this page may not send this token");
}

function isAllowed(context: AppContext, principal: Principal, origin: string): boolean {
  if (principal.kind === "end_user" && principal.allowedOrigins?.includes(origin)) return true;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url || url.origin !== origin) return false;
  return isLoopbackHost(url.hostname) || origin === readPublicUrl(context.env);
}
