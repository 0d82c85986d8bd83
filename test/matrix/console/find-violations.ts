// axe on a page, in both of its colours.
import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** Rules that look at colours; what all others look at is the same in the dark. */
const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];

const looked = new Set<string>();

/** Paths of the pages that this file has looked at. */
export function pathsLookedAt(): readonly string[] {
  return [...looked];
}

/** Serious and critical violations of the page as it is, with the elements: by all rules in light, of colours in dark. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  looked.add(new URL(page.url()).pathname);
  const isLoaded = await page.evaluate<boolean>('typeof axe === "object"');
  if (!isLoaded) await page.evaluate(axe.source);
  // A colour on its way to another is neither.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const inLight = await runAxe(page, {});
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await runAxe(page, { runOnly: RULES_OF_COLOURS });
  await page.emulateMedia({ colorScheme: "light" });
  return [
    ...inLight.map((violation) => `in light: ${violation}`),
    ...inDark.map((violation) => `in dark: ${violation}`),
  ];
}

/** Violations alone: to describe what passed takes longer than to look at it. */
function runAxe(page: Page, options: RunOptions): Promise<readonly string[]> {
  const all: RunOptions = { ...options, resultTypes: ["violations"], preload: false };
  return page.evaluate(`axe.run(${JSON.stringify(all)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`);
}
