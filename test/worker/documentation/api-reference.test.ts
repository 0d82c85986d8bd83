import { describe, expect, test } from "vitest";

import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";
import { escapeHtml } from "../../../openapi/html/html-text.ts";
import { ROUTES } from "../../../protocol/routes.ts";
import { ERRORS } from "../../../protocol/errors.ts";
import { ask } from "../support/api.ts";

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

describe("/docs/reference", () => {
  test("is a page that may use its own style and nothing else", async () => {
    const { status, headers, text } = await ask("GET", "/docs/reference");

    const [style = ""] = all(text, /<style>([^]*?)<\/style>/g);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect({
      status,
      type: headers.get("Content-Type"),
      sniff: headers.get("X-Content-Type-Options"),
      policy: headers.get("Content-Security-Policy"),
    }).toEqual({
      status: 200,
      type: "text/html; charset=utf-8",
      sniff: "nosniff",
      policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    });
    expect(all(text, /<(script|link|img|iframe|form)\b/g)).toEqual([]);
    expect(all(text, /\s(style|on\w+|src)="/g)).toEqual([]);
  });

  test("shows every route under its summary, every error and every schema", async () => {
    const { text } = await ask("GET", "/docs/reference");

    const { paths, components } = buildOpenApiDocument();
    const shown = all(text, /<article id="(\w+)"/g);
    expect(shown.sort()).toEqual(ROUTES.map(({ name }) => name).sort());
    for (const { name, method, path } of ROUTES) {
      const [article = ""] = all(text, new RegExp(`<article id="${name}"([^]*?)</article>`, "g"));
      expect(article).toContain(`<code class="method">${method}</code> <code>${path}</code>`);
      const { summary } = paths[path]![method.toLowerCase()]!;
      expect(article).toContain(`>${escapeHtml(summary)}</h3>`);
    }
    expect(all(text, /<code id="error-(\w+)"/g)).toEqual(Object.keys(ERRORS));
    expect(all(text, /<section id="schema-(\w+)"/g)).toEqual(Object.keys(components.schemas));
  });

  test("links to places that are there, each of them once", async () => {
    const { text } = await ask("GET", "/docs/reference");

    const ids = all(text, /\sid="([^"]+)"/g);
    const targets = [...all(text, /href="#([^"]+)"/g), ...all(text, /aria-labelledby="([^"]+)"/g)];
    expect(ids.length).toBe(new Set(ids).size);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(all(text, /href="([^#"][^"]*)"/g)).toEqual(["/docs", "/openapi.json", "/llms.txt"]);
  });

  test("closes every element that it opens, in order", async () => {
    const { text } = await ask("GET", "/docs/reference");

    const open: string[] = [];
    const misfits: string[] = [];
    for (const [, slash, name = ""] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b/g)) {
      if (name === "meta") continue;
      if (slash === "") open.push(name);
      else if (open.pop() !== name) misfits.push(name);
    }
    expect([misfits, open]).toEqual([[], []]);
  });
});
