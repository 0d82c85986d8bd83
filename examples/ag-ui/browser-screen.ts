// Drives the page in Chromium, and reads what a person sees.
import { chromium } from "playwright-core";
import type { Page } from "playwright-core";

import type { Screen, Shown } from "./screen.ts";

/** No user profile, and no network traffic except the page's. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface BrowserScreenOptions {
  /** Chromium's program. */
  readonly program: string;
  readonly pageUrl: string;
  /** File for a screenshot of the page at the end. */
  readonly picture?: string;
}

export async function openBrowserScreen({
  program,
  pageUrl,
  picture,
}: BrowserScreenOptions): Promise<Screen> {
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1_080, height: 860 } });
  const warnings: string[] = [];
  page.on("console", (line) => {
    if (line.type() === "warning") warnings.push(line.text());
  });
  page.on("pageerror", (error) => warnings.push(String(error)));
  const open = async () => {
    await page.goto(pageUrl);
    await page.waitForSelector("body[data-state]:not([data-state=busy])");
  };
  await open();
  return {
    read: () => readPage(page),
    connections: () => page.locator("#connections li").allTextContents(),
    messages: () =>
      page.evaluate(() => {
        const { desk } = globalThis as unknown as {
          readonly desk: { readonly agent: { readonly messages: { readonly id: string }[] } };
        };
        return desk.agent.messages;
      }),
    async ask(question) {
      await page.fill("#question", question);
      await page.click("#say button");
    },
    async approve(amount) {
      await page.fill(".approval input", amount);
      await page.click(".approval .approve");
    },
    reopen: open,
    warnings: () => warnings,
    async close() {
      if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
      await browser.close();
    },
  };
}

async function readPage(page: Page): Promise<Shown> {
  const lastOf = async (selector: string) =>
    (await page.locator(selector).allTextContents()).at(-1) ?? null;
  // Read first, so that everything else is at least as new.
  const state = (await page.locator("body").getAttribute("data-state")) as Shown["state"];
  return {
    state,
    answer: (await lastOf("#messages .assistant")) ?? "",
    approvals: await page.locator(".approval").allTextContents(),
    label: await lastOf("#messages .label strong"),
    caseFile: (await page.locator("#case").textContent()) ?? "",
    failure: (await lastOf("#failure")) || null,
  };
}
