import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { AppContext } from "../app-env.ts";

/**
 * `https://host` that addresses sent out begin with: the platform's own name. Never the host that a request names, which
 * its sender chooses; on a developer's machine alone that one does when nothing is set.
 * @throws Error for a deployment that has no name, or none that an address can begin with.
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
