import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";

/**
 * Refuses requests of other sites' pages (CSRF), and of clients that are no browser page: browsers add `Origin` to
 * every POST, and no page can change it.
 * @throws HttpError `origin_forbidden`.
 */
export function requireSameOrigin({ env, req }: AppContext): void {
  const origin = req.header("Origin");
  // Behind a proxy the request's own origin may differ from the public one.
  const isOwn = origin === new URL(req.url).origin || origin === readPublicUrl(env);
  const site = req.header("Sec-Fetch-Site");
  if (origin !== undefined && isOwn && (site === undefined || site === "same-origin")) return;
  throw new HttpError(
    "origin_forbidden",
    "the console's own pages alone may send this request, from the platform's own origin",
  );
}
