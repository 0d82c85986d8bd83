import type { AppContext } from "./app-env.ts";

/**
 * `https://host` that addresses sent out begin with: the platform's own name. Never the host that a request names, which
 * its sender chooses; on a developer's machine alone that one does when nothing is set.
 * @throws Error for a deployment that has no name, or none that an address can begin with.
 */
export function publicOrigin({ env, req }: AppContext): string {
  const isLocal = env.ENVIRONMENT === "local";
  if (!env.PUBLIC_URL && isLocal) return new URL(req.url).origin;
  if (!env.PUBLIC_URL) {
    throw new Error("the variable PUBLIC_URL is not set: `https://` and the platform's own host");
  }
  const url = URL.canParse(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL) : null;
  const isHttp = url?.protocol === "https:" || (isLocal && url?.protocol === "http:");
  // Without a path, a query, a fragment or a user: nothing would be left of them.
  if (!url || !isHttp || url.href !== `${url.origin}/`) {
    throw new Error("the variable PUBLIC_URL is no `https://host`, with nothing behind the host");
  }
  return url.origin;
}
