export type PublicUrlBindings = Pick<Env, "PUBLIC_URL" | "ENVIRONMENT">;

/**
 * The origin in PUBLIC_URL; null when it is not set, or not of the form `https://host[:port]`. `http://` is allowed
 * when ENVIRONMENT is `local`.
 */
export function readPublicUrl({ PUBLIC_URL, ENVIRONMENT }: PublicUrlBindings): string | null {
  const url = PUBLIC_URL && URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL) : null;
  if (!url) return null;
  const isHttp = url.protocol === "https:" || (ENVIRONMENT === "local" && url.protocol === "http:");
  // A path, query, fragment or user would be lost.
  return isHttp && url.href === `${url.origin}/` ? url.origin : null;
}
