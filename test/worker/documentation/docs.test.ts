// The documentation's pages, as a browser and a program get them.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { SITE_PAGES } from "../../../openapi/site/pages.js";
import { findSections, type IndexedSection } from "../../../scripts/docs-page/find-sections.ts";
import { ask } from "../support/api.ts";

const POLICY =
  "default-src 'none'; style-src https://api.test/docs/style.css; script-src https://api.test/docs/search.js; connect-src https://api.test/docs/search.json; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PATHS = ["/docs", ...SITE_PAGES.map(({ path }) => `/docs/${path}`)];

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

describe("a page of the documentation", () => {
  test.each(PATHS)(
    "%s may use its own files and nothing else, and needs no script",
    async (path) => {
      const { status, headers, text } = await ask("GET", path);

      expect({
        status,
        type: headers.get("Content-Type"),
        sniff: headers.get("X-Content-Type-Options"),
        policy: headers.get("Content-Security-Policy"),
      }).toEqual({
        status: 200,
        type: "text/html; charset=utf-8",
        sniff: "nosniff",
        policy: POLICY,
      });
      expect(all(text, /<(script|link|img|iframe)\b[^>]*>/g)).toEqual(["link", "script"]);
      expect(
        all(text, /\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g).filter((url) =>
          text.includes(`src="${url}"`),
        ),
      ).toEqual([]);
      expect(all(text, /\s(style|on\w+)="/g)).toEqual([]);
      expect(all(text, /<h1[ >]/g)).toHaveLength(1);
    },
  );

  test.each(["/docs/style.css", "/docs/search.js", "/docs/search.json"])(
    "%s is there",
    async (path) => {
      const { status, text } = await ask("GET", path);

      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(1_000);
    },
  );

  test("links only to pages and headings that are there", async () => {
    const texts = new Map<string, string>();
    for (const path of [...PATHS, "/docs/reference", "/openapi.json", "/llms.txt", "/"]) {
      texts.set(path, (await ask("GET", path, { headers: { Accept: "text/html" } })).text);
    }
    const dead: string[] = [];
    for (const [path, text] of texts) {
      if (path === "/openapi.json" || path === "/llms.txt") continue;
      for (const href of all(text, /<a [^>]*href="([^"]+)"/g)) {
        if (/^https?:/.test(href) || ["/healthz", "/readyz"].includes(href)) continue;
        const [target = "", fragment] = href.split("#");
        const page = texts.get(target === "" ? path : target);
        const isThere =
          fragment === undefined || page?.includes(`id="${decodeURIComponent(fragment)}"`);
        if (page === undefined || !isThere) dead.push(`${path} → ${href}`);
      }
    }

    expect(dead).toEqual([]);
  });

  test("what is missing names /docs; a path of the repository leads to its page", async () => {
    const missing = await ask("GET", "/docs/nothing");
    // Through the app: the front door of the tests follows redirects.
    const file = await ask("GET", "/docs/sdk.md", { bindings: env });

    const broken = await ask("GET", "/docs/sdk%0d%0aSet-Cookie:%20a=b.md", { bindings: env });

    expect([missing.status, missing.json.code]).toEqual([404, "not_found"]);
    expect([broken.status, broken.headers.get("Location")]).toEqual([404, null]);
    expect([file.status, file.headers.get("Location")]).toEqual([308, "/docs/sdk"]);
  });
});

describe("the search", () => {
  test.each([
    ["last-event-id", "/docs/"],
    ["deploy queues", "/docs/deploy#queues"],
    ["create a session", "/docs/reference#createSession"],
    ["rotat secret", "/docs/"],
  ])("finds %j", async (query, url) => {
    const { json } = await ask<IndexedSection[]>("GET", "/docs/search.json");
    const found = findSections(json, query, 12);

    expect(found.map((section) => section.url).some((one) => one.startsWith(url))).toBe(true);
  });

  test("finds nothing for what is nowhere, and for no word", async () => {
    const { json } = await ask<IndexedSection[]>("GET", "/docs/search.json");

    expect([findSections(json, "xylophone agent", 12), findSections(json, " ?", 12)]).toEqual([
      [],
      [],
    ]);
  });

  test("leads to addresses that are there", async () => {
    const { json } = await ask<IndexedSection[]>("GET", "/docs/search.json");
    const pages = new Map<string, string>();
    for (const path of new Set(json.map(({ url }) => url.split("#")[0] ?? ""))) {
      pages.set(path, (await ask("GET", path)).text);
    }
    const dead = json.filter(({ url }) => {
      const [path = "", fragment] = url.split("#");
      return fragment !== undefined && !pages.get(path)?.includes(`id="${fragment}"`);
    });

    expect(json.length).toBeGreaterThan(150);
    expect(dead).toEqual([]);
  });
});

describe("/", () => {
  test("greets browsers with a page and programs with links, all of which answer", async () => {
    const page = await ask("GET", "/", { headers: { Accept: "text/html,*/*" } });
    const { status, json, headers } = await ask<{ links: Record<string, string> }>("GET", "/");
    const statuses = await Promise.all(
      Object.values(json.links).map(async (path) => (await ask("GET", path)).status),
    );

    expect([page.status, page.headers.get("Content-Type"), page.headers.get("Vary")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "Accept",
    ]);
    expect(page.text).toContain("Reprise runs here");
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
