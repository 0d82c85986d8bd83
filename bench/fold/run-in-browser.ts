// Runs a bundled module in Chromium.
import { chromium } from "playwright-core";

/** No user profile, no network. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * @param program Path of the browser.
 * @param expression Evaluated in an empty page the given number of times.
 */
export async function runInBrowser(
  program: string,
  expression: string,
  times: number,
): Promise<readonly number[]> {
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  try {
    const page = await browser.newPage();
    const results: number[] = [];
    for (let time = 0; time < times; time += 1) {
      results.push(Number(await page.evaluate(expression)));
    }
    return results;
  } finally {
    await browser.close();
  }
}
