// The documentation in Chromium: its search, with the keyboard alone, and its old addresses.
import { chromium, type Page } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";

async function openPage(): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--no-sandbox"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
  return page;
}

test("the search is reached, used and left with the keyboard, also within a page", async () => {
  const page = await openPage();
  await page.goto(`${inject("baseUrl")}/docs/deploy`);

  await page.keyboard.press("/");
  await page.keyboard.type("deploy queues");
  await page.locator(".results a").first().waitFor();
  await page.keyboard.press("Enter");

  await page.waitForURL("**/docs/deploy#queues");
  await page.locator(".results").waitFor({ state: "hidden" });

  await page.keyboard.press("/");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("create a session");
  await page.locator('.results a[href="/docs/reference#createSession"]').waitFor();
  await page.keyboard.press("Escape");

  expect(await page.locator(".results").isHidden()).toBe(true);
});

test("an old anchor leads to the page that has its heading now", async () => {
  const page = await openPage();
  await page.goto(`${inject("baseUrl")}/docs/models#anthropic-the-messages-api`);

  await page.waitForURL("**/docs/models/anthropic#anthropic-the-messages-api");
  await page.locator("h2#anthropic-the-messages-api").waitFor();

  await page.goto(`${inject("baseUrl")}/docs/protocol#5-resuming`);
  await page.waitForURL("**/docs/protocol/streams#resuming");
});
