// The OpenAPI document, the guide for language models, and the first page of the documentation.
import { buildOpenApiDocument } from "../../openapi/build-open-api-document.ts";
import { buildLlmsText } from "../../openapi/build-llms-text.ts";
import { buildSiteIndex } from "../../openapi/site/build-site-page.ts";
import { SITE_PAGES } from "../../openapi/site/pages.js";
import { pageHeaders, serveOnce, withEtag } from "../requests/public-document.ts";

/** Sources that a page of the documentation may load: its style sheet, its script and the index of its search. */
export const SITE_SOURCES =
  "style-src self:/docs/style.css; script-src self:/docs/search.js; connect-src self:/docs/search.json";

const readOpenApi = serveOnce("application/json", () =>
  withEtag(JSON.stringify(buildOpenApiDocument())),
);
const readLlmsText = serveOnce("text/plain; charset=utf-8", () => withEtag(buildLlmsText()));
const readDocs = serveOnce("text/html; charset=utf-8", () =>
  withEtag(buildSiteIndex(SITE_PAGES), pageHeaders(SITE_SOURCES)),
);

export const openApiRoutes = { readOpenApi, readLlmsText, readDocs };
