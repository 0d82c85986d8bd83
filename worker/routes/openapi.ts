// The documents about the API itself. They are the same for everybody, so an isolate makes them once.
import { buildOpenApiDocument } from "../../protocol/api/openapi/document.ts";
import { buildLlmsText } from "../../protocol/api/openapi/llms-text.ts";
import { OPENAPI_MAX_AGE_SECONDS } from "../../protocol/limits.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";

interface PublicDocument {
  readonly text: string;
  readonly etag: string;
}

/** Answers every request with what the first one made. */
function serveOnce(contentType: string, makeText: () => string): RouteHandler {
  let made: Promise<PublicDocument> | undefined;
  return async (context) => {
    made ??= withEtag(makeText());
    return answer(context, contentType, await made);
  };
}

const readOpenApi = serveOnce("application/json", () => JSON.stringify(buildOpenApiDocument()));
const readLlmsText = serveOnce("text/plain; charset=utf-8", () =>
  buildLlmsText(buildOpenApiDocument()),
);

async function withEtag(text: string): Promise<PublicDocument> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
  return { text, etag: `"${hex.join("").slice(0, 32)}"` };
}

function answer(context: AppContext, contentType: string, document: PublicDocument): Response {
  const headers = {
    ETag: document.etag,
    "Cache-Control": `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
    "X-Content-Type-Options": "nosniff",
    // Tools that show the document run in pages of other origins.
    "Access-Control-Allow-Origin": "*",
  };
  if (isKnown(context.req.header("If-None-Match"), document.etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(document.text, { headers: { ...headers, "Content-Type": contentType } });
}

/** Compares weakly: a proxy that compresses the answer makes its tag a weak one. */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}

export const openApiRoutes = { readOpenApi, readLlmsText };
