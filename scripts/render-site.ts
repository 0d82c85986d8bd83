// Renders the guides and the reference pages of docs/ into the module that the Worker serves. Markdown is rendered here
// and not in the Worker, which would otherwise carry a parser and spend its processor time on it.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

import { buildSync } from "esbuild";
import { Marked } from "marked";

import { fileOfPage, REFERENCE } from "../openapi/site/contents.ts";
import { MOVED_HEADINGS } from "../openapi/site/moved-headings.ts";
import type { SitePage } from "../openapi/site/site-page.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The text of the module that the Worker imports; `openapi/site/pages.d.ts` has its types. */
export function renderSite(): string {
  const paths = sitePaths();
  const rendered = paths.map((path) => renderPage(path, paths));
  const pages = rendered.map((page) => ({ ...page, moved: listMoved(page.path, rendered) }));
  return `export const SITE_PAGES = [
${pages.map((page) => `${JSON.stringify(page)},`).join("\n")}
];

export const SITE_SCRIPT = ${JSON.stringify(bundleScript())};
`;
}

function sitePaths(): readonly string[] {
  const guides = readdirSync(`${ROOT}docs/guides`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `guides/${name.slice(0, -".md".length)}`);
  return [...guides.sort(), "deploy", ...REFERENCE.flatMap((group) => group.paths)];
}

type RenderedPage = Omit<SitePage, "moved">;

function renderPage(path: string, paths: readonly string[]): RenderedPage {
  const markdown = readFileSync(ROOT + fileOfPage(path), "utf8").replace(/<!--[^]*?-->\n?/g, "");
  const ids = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = uniqueId(toSlug(html), ids);
        return depth === 1
          ? `<h1 id="${id}">${html}</h1>\n`
          : `${oldAnchors(path, id)}<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      paragraph({ tokens }) {
        // The pages load nothing but their own files: a picture that stands alone is left out.
        const isPicture = tokens.every(({ type }) => type === "image");
        return isPicture ? "" : `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      image: ({ text }) => escapeText(text),
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = toTarget(href, path, paths);
        return target === null ? html : `<a href="${escapeText(target)}">${html}</a>`;
      },
      code({ text, lang }) {
        const label = lang ? ` data-language="${escapeText(lang)}"` : "";
        return `<pre tabindex="0"${label}><code>${escapeText(text)}</code></pre>\n`;
      },
      table(token) {
        const head = token.header.map(
          (cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
        );
        const rows = token.rows.map(
          (row) =>
            `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join("")}</tr>\n`,
        );
        // A wide table scrolls by itself, also by keyboard, instead of the page.
        return `<div class="wide" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead>\n<tbody>${rows.join("")}</tbody></table></div>\n`;
      },
      html: ({ text }) => escapeText(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  const [, title = path] = /<h1[^>]*>(.*?)<\/h1>/.exec(html) ?? [];
  const [, first = ""] = /<p>([^]*?)<\/p>/.exec(html) ?? [];
  const [summary = ""] = /^.*?\.(?=\s|$)/.exec(toText(first)) ?? [toText(first)];
  return { path, title: toText(title), summary, html };
}

/** Anchors that a heading had under other names on the same page. */
function oldAnchors(path: string, id: string): string {
  return Object.entries(MOVED_HEADINGS[path] ?? {})
    .filter(([, target]) => target === `${path}#${id}`)
    .map(([old]) => `<a id="${old}"></a>`)
    .join("");
}

/** A list with the old anchors of headings that are on other pages now; empty when there are none. */
function listMoved(path: string, pages: readonly RenderedPage[]): string {
  const anchors = new Map<string, string[]>();
  for (const [old, target] of Object.entries(MOVED_HEADINGS[path] ?? {})) {
    if (!target.startsWith(`${path}#`)) anchors.set(target, [...(anchors.get(target) ?? []), old]);
  }
  if (anchors.size === 0) return "";
  const lines = [...anchors].map(([target, ids]) => {
    const marks = ids.map((id) => `<a id="${id}"></a>`).join("");
    return `<li>${marks}<a href="/docs/${target}">${nameOf(target, pages)}</a></li>`;
  });
  return `<aside class="moved"><p>On other pages now:</p>\n<ul>\n${lines.join("\n")}\n</ul></aside>\n`;
}

/** The title of a page, with the heading that the address leads to. */
function nameOf(target: string, pages: readonly RenderedPage[]): string {
  const [path = "", id] = target.split("#");
  const page = pages.find((one) => one.path === path);
  if (!page) throw new Error(`openapi/site/moved-headings.ts leads to ${target}, which is no page`);
  if (id === undefined) return escapeText(page.title);
  const [, heading] = new RegExp(`<h\\d id="${id}"><a[^>]*>(.*?)</a></h`).exec(page.html) ?? [];
  if (heading === undefined) throw new Error(`${target} is no heading: see moved-headings.ts`);
  return `${escapeText(page.title)}: ${heading}`;
}

/** The address on the site; null for files that it does not have. Links to other sites stay. */
function toTarget(href: string, path: string, paths: readonly string[]): string | null {
  if (/^https?:/.test(href) || href.startsWith("#")) return href;
  const [file = "", fragment] = href.split("#");
  const wanted = posix.join(posix.dirname(fileOfPage(path)), file);
  const name = paths.find((one) => fileOfPage(one) === wanted);
  if (name === undefined) return null;
  return `/docs/${name}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** The anchor that GitHub gives a heading, so that links work in both places. */
function toSlug(html: string): string {
  return toText(html)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function uniqueId(slug: string, ids: Map<string, number>): string {
  const count = ids.get(slug) ?? 0;
  ids.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function toText(html: string): string {
  return html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function bundleScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [`${ROOT}scripts/docs-page/main.ts`],
    bundle: true,
    write: false,
    format: "iife",
    minify: true,
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}
