// The documents about the API itself. They are the same for every caller, so an isolate makes them once.
import { buildOpenApiDocument } from "../../openapi/build-open-api-document.ts";
import { buildHtmlPage } from "../../openapi/html/build-html-page.ts";
import { PAGE_STYLE } from "../../openapi/html/page-style.ts";
import { buildLlmsText } from "../../openapi/build-llms-text.ts";
import { OPENAPI_MAX_AGE_SECONDS } from "../../protocol/limits/requests.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";

interface PublicDocument {
  readonly text: string;
  /** Those that the 304 has too. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers every request with what the first one made. */
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
    // Its own style, and nothing else at all.
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
    // Tools that show the document run in pages of other origins.
    "Access-Control-Allow-Origin": "*",
  };
  if (isKnown(context.req.header("If-None-Match"), document.headers["ETag"])) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(document.text, { headers: { ...headers, "Content-Type": contentType } });
}

/** Compares weakly: a proxy that compresses the answer makes its tag a weak one. */
function isKnown(header: string | undefined, etag: string | undefined): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || (etag !== undefined && tags.includes(etag));
}

export const openApiRoutes = { readOpenApi, readLlmsText, readDocs };
