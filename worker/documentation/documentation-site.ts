// The pages below `/docs/`, and what `/` answers. They are no part of the API, so the route table does not have them.
import { Hono } from "hono";

import { buildOpenApiDocument } from "../../openapi/build-open-api-document.ts";
import { buildHtmlPage } from "../../openapi/html/build-html-page.ts";
import { PAGE_STYLE } from "../../openapi/html/page-style.ts";
import { buildGreeting, greetingLinks } from "../../openapi/site/build-greeting.ts";
import { buildSitePage } from "../../openapi/site/build-site-page.ts";
import { SITE_PAGES, SITE_SCRIPT } from "../../openapi/site/pages.js";
import { buildSearchIndex } from "../../openapi/site/search-index.ts";
import { SITE_STYLE } from "../../openapi/site/site-style.ts";
import type { AppEnv, RouteHandler } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { SITE_SOURCES } from "./openapi-routes.ts";
import { digestOf, pageHeaders, serveOnce, withEtag } from "../requests/public-document.ts";

const HTML = "text/html; charset=utf-8";

/** By path below `/docs/`. */
const DOCUMENTS = new Map<string, RouteHandler>([
  ...SITE_PAGES.map((page): [string, RouteHandler] => [
    page.path,
    serveOnce(HTML, () => withEtag(buildSitePage(page, SITE_PAGES), pageHeaders(SITE_SOURCES))),
  ]),
  [
    "reference",
    serveOnce(HTML, async () => {
      const style = btoa(String.fromCharCode(...(await digestOf(PAGE_STYLE))));
      // Allows the page's inline style and nothing else.
      const headers = pageHeaders(`style-src 'sha256-${style}'`);
      return withEtag(buildHtmlPage(buildOpenApiDocument()), headers);
    }),
  ],
  ["style.css", serveOnce("text/css; charset=utf-8", () => withEtag(SITE_STYLE))],
  ["search.js", serveOnce("text/javascript; charset=utf-8", () => withEtag(SITE_SCRIPT))],
  [
    "search.json",
    serveOnce("application/json", () =>
      withEtag(JSON.stringify(buildSearchIndex(SITE_PAGES, buildOpenApiDocument()))),
    ),
  ],
]);

const readGreetingPage = serveOnce(HTML, () =>
  withEtag(buildGreeting(), { ...pageHeaders("style-src self:/docs/style.css"), Vary: "Accept" }),
);
const readGreetingLinks = serveOnce("application/json", () =>
  withEtag(JSON.stringify(greetingLinks()), { Vary: "Accept" }),
);

export const documentationSite = new Hono<AppEnv>();

documentationSite.get("/", (context) => {
  const isBrowser = (context.req.header("Accept") ?? "").includes("text/html");
  return isBrowser ? readGreetingPage(context) : readGreetingLinks(context);
});
documentationSite.get("/docs/*", (context) => {
  const path = context.req.path.slice("/docs/".length).replace(/\/$/, "");
  // Links of older versions, and those of the repository's pages.
  if (path === "") return context.redirect("/docs", 308);
  const name = path.replace(/\.md$/, "");
  if (name !== path && DOCUMENTS.has(name)) return context.redirect(`/docs/${name}`, 308);
  const handler = DOCUMENTS.get(path);
  if (!handler) throw new HttpError("not_found", "the documentation has no such page: see /docs");
  return handler(context);
});
