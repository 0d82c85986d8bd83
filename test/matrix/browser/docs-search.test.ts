// The search of the documentation in Chromium, with the keyboard alone.
import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";

test("the search is reached, used and left with the keyboard, also within a page", async () => {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--no-sandbox"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
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
