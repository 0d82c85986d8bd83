// Types of `pages.js`: written from docs/ by `npm run docs:pages` and whatever bundles the Worker, and not committed.
import type { SitePage } from "./site-page.ts";

export declare const SITE_PAGES: readonly SitePage[];
/** The script of the pages, as text. */
export declare const SITE_SCRIPT: string;
