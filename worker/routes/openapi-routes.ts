// The OpenAPI document and its page. They are the same for all callers, so each isolate builds them once.
import { buildOpenApiDocument } from "../../openapi/build-open-api-document.ts";
import { buildHtmlPage } from "../../openapi/html/build-html-page.ts";
import { PAGE_STYLE } from "../../openapi/html/page-style.ts";
import { buildLlmsText } from "../../openapi/build-llms-text.ts";
import { OPENAPI_MAX_AGE_SECONDS } from "../../protocol/limits/requests.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";

interface PublicDocument {
  readonly text: string;
  /** Headers that the 304 response has too. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds the document at the first request and caches it. */
function serveOnce(contentType: string, make: () => Promise<PublicDocument>): RouteHandler {
  let made: Promise<PublicDocument> | undefined;
  return async (context) => {
    made ??= make();
    return answer(context, contentType, await made);
  };
}

const readOpenApi = serveOnce("application/json", () =>
  withEtag(JSON.stringify(buildOpenApiDocument())),
);
const readLlmsText = serveOnce("text/plain; charset=utf-8", () =>
  withEtag(buildLlmsText(buildOpenApiDocument())),
);
const readDocs = serveOnce("text/html; charset=utf-8", async () => {
  const style = btoa(String.fromCharCode(...(await digestOf(PAGE_STYLE))));
  return withEtag(buildHtmlPage(buildOpenApiDocument()), {
    // Allows the page's inline style and nothing else.
    "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
  });
});

async function withEtag(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PublicDocument> {
  const hex = Array.from(await digestOf(text), (byte) => byte.toString(16).padStart(2, "0"));
  return { text, headers: { ...headers, ETag: `"${hex.join("").slice(0, 32)}"` } };
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function answer(context: AppContext, contentType: string, document: PublicDocument): Response {
  const headers = {
    ...document.headers,
    "Cache-Control": `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
    "X-Content-Type-Options": "nosniff",
    // Tools that display the document run on other origins.
    "Access-Control-Allow-Origin": "*",
  };
  if (isKnown(context.req.header("If-None-Match"), document.headers["ETag"])) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(document.text, { headers: { ...headers, "Content-Type": contentType } });
}

/** Weak comparison, because a proxy that compresses the response makes the ETag weak. */
function isKnown(header: string | undefined, etag: string | undefined): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || (etag !== undefined && tags.includes(etag));
}

export const openApiRoutes = { readOpenApi, readLlmsText, readDocs };
