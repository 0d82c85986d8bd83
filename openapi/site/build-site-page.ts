// The frame of the documentation's pages: header with search, list of pages, content.
import { escapeHtml } from "../html/html-text.ts";
import { GUIDES, REFERENCE, type PageGroup } from "./contents.ts";
import type { SitePage } from "./site-page.ts";

/** The page of `/docs/<path>`; nothing in it is loaded from elsewhere. */
export function buildSitePage(page: SitePage, pages: readonly SitePage[]): string {
  return frame(page.title, page.path, pages, page.html + page.moved);
}

const GROUPS: readonly PageGroup[] = [GUIDES, ...REFERENCE];

/** The page of `/docs`: all guides and reference pages with their first sentences. */
export function buildSiteIndex(pages: readonly SitePage[]): string {
  const html = `<h1>Reprise documentation</h1>
<p class="lead">Run AI agents for the users of your product: replies that survive every lost connection, tools that need permission, people who answer days later.</p>
<p class="actions"><a class="button" href="/docs/guides/first-agent">Your first agent</a> <a class="button quiet" href="/docs/reference">API reference</a></p>
${GROUPS.map((group) => cards(group, pages)).join("\n")}
<h2>For programs</h2>
<ul>
<li><a href="/openapi.json">OpenAPI 3.1</a>: every route, schema, error and header.</li>
<li><a href="/llms.txt">llms.txt</a>: the API in short, for language models.</li>
</ul>`;
  return frame("Documentation", "", pages, html);
}

/** The pages of a group that exist, in its order; the reference includes the page of the API. */
function pagesOf(group: PageGroup, pages: readonly SitePage[]): readonly SitePage[] {
  const named = group.paths.flatMap((path) => pages.filter((page) => page.path === path));
  if (group !== GUIDES) return named;
  const others = pages.filter(
    ({ path }) => path.startsWith("guides/") && !group.paths.includes(path),
  );
  return [...named, ...others];
}

function cards(group: PageGroup, pages: readonly SitePage[]): string {
  const items = pagesOf(group, pages).map(
    ({ path, title, summary }) =>
      `<li><a href="/docs/${path}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
  );
  return `<h2>${group.title}</h2>\n<ul class="cards">\n${items.join("\n")}\n</ul>`;
}

function frame(title: string, path: string, pages: readonly SitePage[], html: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Reprise</title>
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs">Reprise <span>docs</span></a>
<form class="search" role="search" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<div class="results" aria-live="polite" hidden></div>
</form>
</header>
<details class="menu"><summary>All pages</summary>
${contents(path, pages)}
</details>
<nav class="side" aria-label="Pages">
${contents(path, pages)}
</nav>
<main id="content" tabindex="-1">
${html}
</main>
</body>
</html>
`;
}

function contents(current: string, pages: readonly SitePage[]): string {
  return GROUPS.map((group) => {
    const links = pagesOf(group, pages).map(({ path, title }) =>
      link(`/docs/${path}`, title, path === current),
    );
    if (group === REFERENCE[0])
      links.unshift(link("/docs/reference", "All routes and schemas", false));
    return `<p>${group.title}</p>\n<ul>\n${links.join("\n")}\n</ul>`;
  }).join("\n");
}

function link(href: string, title: string, isCurrent: boolean): string {
  const mark = isCurrent ? ' aria-current="page"' : "";
  return `<li><a href="${href}"${mark}>${escapeHtml(title)}</a></li>`;
}
