// axe on a page, in both of its colours.
import axe, { type AxeResults } from "axe-core";
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
  await page.evaluate(axe.source);
  // A colour on its way to another is neither.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const inLight = await page.evaluate<AxeResults>("axe.run()");
  await page.emulateMedia({ colorScheme: "dark" });
  const options = JSON.stringify({ runOnly: RULES_OF_COLOURS });
  const inDark = await page.evaluate<AxeResults>(`axe.run(${options})`);
  await page.emulateMedia({ colorScheme: "light" });
  return [...seriousOf("light", inLight), ...seriousOf("dark", inDark)];
}

function seriousOf(colour: string, { violations }: AxeResults): readonly string[] {
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} in ${colour}: ${html}`));
}
