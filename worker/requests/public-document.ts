// Documents that are the same for all callers: built once in each isolate, with an ETag.
import { OPENAPI_MAX_AGE_SECONDS } from "../../protocol/requests/limits.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { withOwnSources } from "./with-own-sources.ts";

export interface PublicDocument {
  readonly text: string;
  /** Headers that the 304 response has too. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds the document at the first request and caches it. */
export function serveOnce(contentType: string, make: () => Promise<PublicDocument>): RouteHandler {
  let made: Promise<PublicDocument> | undefined;
  return async (context) => {
    made ??= make();
    return answer(context, contentType, await made);
  };
}

export async function withEtag(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PublicDocument> {
  const hex = Array.from(await digestOf(text), (byte) => byte.toString(16).padStart(2, "0"));
  return { text, headers: { ...headers, ETag: `"${hex.join("").slice(0, 32)}"` } };
}

/**
 * The headers of a page of HTML, beside its other ones. @param sources What the page may load, as `withOwnSources` reads
 * it.
 */
export function pageHeaders(sources: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
  };
}

/** SHA-256 of the text. */
export async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function answer(context: AppContext, contentType: string, document: PublicDocument): Response {
  const policy = document.headers["Content-Security-Policy"];
  const headers = {
    ...document.headers,
    ...(policy !== undefined && { "Content-Security-Policy": withOwnSources(context, policy) }),
    "Cache-Control": `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
    "X-Content-Type-Options": "nosniff",
    // Tools that display the document run on other origins.
    "Access-Control-Allow-Origin": "*",
  };
  if (isKnownTag(context.req.header("If-None-Match"), document.headers["ETag"])) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(document.text, { headers: { ...headers, "Content-Type": contentType } });
}

/** Weak comparison, because a proxy that compresses the response makes the ETag weak. */
export function isKnownTag(header: string | undefined, etag: string | undefined): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || (etag !== undefined && tags.includes(etag));
}
