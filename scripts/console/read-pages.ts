// The list of the console's pages as Node can read it: `console/pages/pages.ts` imports components, which only a
// bundler loads.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface ListedPage {
  /** Path of the page; parameters begin with `$`: `/console/sessions/$sessionId`. */
  readonly path: string;
  /** Words of its entry in the navigation; null for a page that others lead to. */
  readonly label: string | null;
  /** Scope without which it is not shown; null for none. */
  readonly scope: string | null;
  /** File of its code, below `console/`. */
  readonly code: string;
}

const LIST = fileURLToPath(new URL("../../console/pages/pages.ts", import.meta.url));
const PAGE = /path: "([^"]+)"(?:(?!path: ")[^])*?import\("\.\/([^"]+)"\)/g;

/** All pages, in the order of the list: the tenant's before the operator's. */
export function readPages(): readonly ListedPage[] {
  const source = readFileSync(LIST, "utf8");
  const operator = source.indexOf("\n  operator: [");
  const pages = [...source.matchAll(PAGE)].map(
    ({ 0: entry, 1: path = "", 2: file = "", index }) => ({
      path: `${index < operator ? "/console" : "/operator"}${path}`,
      scope: /scope: "([^"]+)"/.exec(entry)?.[1] ?? null,
      label: /label: "([^"]+)"/.exec(entry)?.[1] ?? null,
      code: `pages/${file}`,
    }),
  );
  if (operator === -1 || pages.length !== source.split('import("').length - 1) {
    throw new Error("console/pages/pages.ts has another form than this can read");
  }
  return pages;
}
