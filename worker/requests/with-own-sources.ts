import type { AppContext } from "../app-env.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";

/** A file or folder of the platform in a policy that was not sent yet: `self:/docs/search.js`. */
const OWN = /self:(\/[\w./-]+)/g;
/** The hosts that a source can name; an address of IPv6 and most of IPv4 match no source. */
const NAMED_HOST = /^(?:127\.0\.0\.1|(?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z-][a-z0-9-]*)$/;

/**
 * A policy whose `self:/path` are these files and folders of the platform alone. Not all of its origin (`'self'`), because
 * what tenants upload is there too. Where the origin cannot be named it is `'self'` all the same.
 */
export function withOwnSources(context: AppContext, policy: string): string {
  // Behind a proxy the browser knows the platform by its public URL.
  const origins = [new URL(context.req.url).origin, readPublicUrl(context.env)].filter(
    (origin) => origin !== null && NAMED_HOST.test(new URL(origin).hostname),
  );
  const sourcesOf = (path: string) => [...new Set(origins)].map((origin) => `${origin}${path}`);
  return policy.replace(OWN, (_, path: string) => sourcesOf(path).join(" ") || "'self'");
}
