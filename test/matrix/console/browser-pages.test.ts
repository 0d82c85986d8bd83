// Pages that tests leave to one another: each profile is empty again.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { launch, spoil } from "./browser-pages.ts";
import { makeTenant, openPage, signIn, visit } from "./console-browser.ts";

const LEAVE = `localStorage.setItem("kept", "1"); sessionStorage.setItem("kept", "1");
  new Promise((done, failed) => {
    const opening = indexedDB.open("kept");
    opening.onsuccess = () => { opening.result.close(); done(); };
    opening.onerror = failed;
  })`;

const LEFT = `indexedDB.databases().then((databases) => ({
  local: localStorage.length,
  session: sessionStorage.length,
  databases: databases.length,
  isDark: matchMedia("(prefers-color-scheme: dark)").matches,
}))`;

let before: Page | undefined;

async function openSignedIn() {
  const opened = await openPage(await launch());
  const { reprise } = await makeTenant();
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  return opened;
}

test("a page keeps what its test has put into its profile", async () => {
  const { page } = await openSignedIn();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(LEAVE);
  await page.route("**/v1/sessions**", (route) => route.abort());
  before = page;

  expect(await page.context().cookies()).toHaveLength(1);
  expect(await page.evaluate(LEFT)).toEqual({ local: 1, session: 1, databases: 1, isDark: true });
});

test("the next test is given it with nothing of that, and at the width that it asks for", async () => {
  const { page, misdeeds } = await openPage(await launch(), { width: 390 });
  const isTheSame = page === before;
  const cookies = await page.context().cookies();
  await visit(page, "/console/sign-in");
  await page.getByRole("heading", { level: 1 }).waitFor();

  expect([isTheSame, cookies]).toEqual([true, []]);
  expect(page.viewportSize()).toEqual({ width: 390, height: 800 });
  const left = await page.evaluate(LEFT);
  expect(left).toEqual({ local: 0, session: 0, databases: 0, isDark: false });
  expect(misdeeds).toEqual([]);
});

test("requests that a test has aborted are answered in the next one, and a spoiled page is given to nobody", async () => {
  const { page } = await openSignedIn();
  await page.getByText("No sessions yet").waitFor();
  expect(page).toBe(before);
  spoil(page);
});

test("a page behind a spoiled one is another one", async () => {
  const { page } = await openPage(await launch());

  expect(page).not.toBe(before);
  expect(before?.isClosed()).toBe(true);
});
