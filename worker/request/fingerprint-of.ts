import type { AppContext } from "../app-env.ts";
import type { Principal } from "../principal.ts";
import { readText } from "./read-body.ts";

/**
 * Tells requests apart that come with the same key: by their body, byte for byte, their query, and by what the
 * credential may do, so that an answer is shown again only to those who could have got it. A renewed client token is
 * the same one here. How the answer is to come (`Accept`, `?stream=`,
 * `?format=`) is no part of it.
 */
export async function fingerprintOf(context: AppContext): Promise<string> {
  const text = context.get("route").body === "none" ? "" : await readText(context);
  const query = new URL(context.req.url).searchParams;
  query.delete("stream");
  query.delete("format");
  query.sort();
  const asked = `${rightsOf(context.get("principal"))}\n${query.toString()}\n${text}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(asked));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function rightsOf(principal: Principal): string {
  switch (principal.kind) {
    case "tenant":
      return `tenant ${[...principal.scopes].sort().join(" ")}`;
    case "client_token":
      return `client_token ${[...principal.verbs].sort().join(" ")}`;
    case "operator":
    case "public":
      return principal.kind;
    default:
      return principal satisfies never;
  }
}
