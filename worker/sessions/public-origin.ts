import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { AppContext } from "../app-env.ts";

/**
 * The platform's own origin (PUBLIC_URL), for URLs in webhooks. Never the request's Host header, which the client
 * controls; only with ENVIRONMENT `local` it is the fallback.
 * @throws Error when PUBLIC_URL is missing or invalid.
 */
export function publicOrigin({ env, req }: AppContext): string {
  const origin = readPublicUrl(env);
  if (origin !== null) return origin;
  if (env.PUBLIC_URL) {
    throw new Error("the variable PUBLIC_URL is no `https://host`, with nothing behind the host");
  }
  if (env.ENVIRONMENT === "local") return new URL(req.url).origin;
  throw new Error("the variable PUBLIC_URL is not set: `https://` and the platform's own host");
}
