import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { AppContext } from "../app-env.ts";
import { variableGaps } from "../configuration/configuration-gaps.ts";
import { notConfigured } from "../configuration/not-configured.ts";

/**
 * The platform's own origin (PUBLIC_URL), for URLs in webhooks. Never the request's Host header, which the client
 * controls; only with ENVIRONMENT `local` it is the fallback.
 * @throws HttpError `unavailable` when PUBLIC_URL is missing or invalid.
 */
export function publicOrigin({ env, req }: AppContext): string {
  const origin = readPublicUrl(env);
  if (origin !== null) return origin;
  if (env.ENVIRONMENT === "local" && !env.PUBLIC_URL) return new URL(req.url).origin;
  throw notConfigured(variableGaps(env));
}
