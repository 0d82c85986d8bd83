export type PublicUrlBindings = Pick<Env, "PUBLIC_URL" | "ENVIRONMENT">;

/**
 * The origin that PUBLIC_URL names; null when it is not set, or is no `https://host` with nothing behind the host. On a
 * developer's machine `http://` does too.
 */
export function readPublicUrl({ PUBLIC_URL, ENVIRONMENT }: PublicUrlBindings): string | null {
  const url = PUBLIC_URL && URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL) : null;
  if (!url) return null;
  const isHttp = url.protocol === "https:" || (ENVIRONMENT === "local" && url.protocol === "http:");
  // A path, a query, a fragment or a user would be lost.
  return isHttp && url.href === `${url.origin}/` ? url.origin : null;
}
