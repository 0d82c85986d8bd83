// The search over sessions, in Chromium against the running platform.
import { expect, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

test("sessions are found while a search is typed, by keys alone, and a search that finds nothing says what it has searched", async () => {
  const { reprise } = await makeTenant("Shop");
  const agent = await reprise.agents.create({ name: "Refund desk" });
  const open = (settings = {}) => reprise.sessions.create({ agent_id: agent.id, ...settings });
  const order = await open({ end_user_id: "ann" });
  await order.reply("Where is my order A-1007?").done();
  await open({ title: "退款申请" });
  const opened = await openPage(await launch(), { bypassCSP: true });
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const links = page.getByRole("table").getByRole("link");
  await expect.poll(() => links.count()).toBe(2);
  const field = page.getByRole("searchbox", { name: "Search titles and first messages" });

  await page.locator("body").press("/");
  await page.keyboard.type("order a-10");
  await expect.poll(() => links.allTextContents()).toEqual(["Where is my order A-1007?"]);
  const address = new URL(page.url()).searchParams.get("search");
  const isFocused = (await field.and(page.locator(":focus")).count()) === 1;
  const violations = [await findViolations(page)];
  await field.fill("退款");
  await expect.poll(() => links.allTextContents()).toEqual(["退款申请"]);
  await page.reload();
  await expect.poll(() => links.allTextContents()).toEqual(["退款申请"]);
  const kept = await field.inputValue();
  await field.fill("zebra");
  await page.getByRole("heading", { name: "No session has “zebra”" }).waitFor();
  await page.getByText("Titles and first messages were searched, for all words of it").waitFor();
  violations.push(await findViolations(page));
  // The list is live: what is said now is found by itself.
  await (await open()).reply("A zebra came").done();
  await page.getByRole("link", { name: "A zebra came" }).waitFor();
  await field.fill("?");
  await page.getByText("Type a letter, a digit or a picture to search for.").waitFor();
  await expect.poll(() => links.count()).toBe(3);

  await visit(page, "/console/quotas");
  await page.getByRole("button", { name: "Turn the search off" }).click();
  const asked = page.getByRole("alertdialog", { name: "Turn the search off?" });
  await asked.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Turn the search on" }).waitFor();
  violations.push(await findViolations(page));
  await visit(page, "/console/sessions?search=order");
  await page.getByRole("heading", { name: "The search is off" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "quotas" }).click();
  await page.getByRole("button", { name: "Turn the search on" }).click();
  await page.getByRole("button", { name: "Turn the search off" }).waitFor();
  await visit(page, "/console/sessions?search=order");
  await page.getByRole("link", { name: "Where is my order A-1007?" }).waitFor();

  expect([address, isFocused, kept]).toEqual(["order a-10", true, "退款"]);
  expect(violations.flat()).toEqual([]);
  expectNoMisdeeds(opened);
});
