// The index of the documentation's search: each section of each page, and each route of the API.
import type { OpenApiDocument } from "../document-types.ts";
import type { SitePage } from "./site-page.ts";

interface IndexedSection {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  readonly words: string;
}

const EXCERPT_CHARACTERS = 140;

/** `scripts/docs-page/find-sections.ts` reads it. */
export function buildSearchIndex(
  pages: readonly SitePage[],
  { paths }: OpenApiDocument,
): readonly IndexedSection[] {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, description }]) =>
      toSection(
        `/docs/reference#${operationId}`,
        "API reference",
        summary,
        `${method.toUpperCase()} ${path} ${description}`,
      ),
    ),
  );
  return [...pages.flatMap(sectionsOf), ...routes];
}

/** A page's introduction, and what is below each of its headings. */
function sectionsOf({ path, title, html }: SitePage): readonly IndexedSection[] {
  return html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const [heading, id = "", inner = ""] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/.exec(part) ?? [];
    if (heading === undefined) return [];
    const isFirst = heading.startsWith("<h1");
    const url = `/docs/${path}${isFirst ? "" : `#${id}`}`;
    return [toSection(url, title, toText(inner), toText(part.slice(heading.length)))];
  });
}

function toSection(url: string, page: string, title: string, text: string): IndexedSection {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const end = text.lastIndexOf(" ", EXCERPT_CHARACTERS);
  const excerpt = text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, end)} …`;
  return { url, page, title, text: excerpt, words: ` ${[...words].join(" ")} ` };
}

function toText(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}
