// Triggers in the console: made with a schedule and with a webhook, run by hand, paused, rotated and deleted, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import type { Scope } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { WHOLE } from "./hostile-corpus.ts";

async function openShop(scopes?: readonly Scope[]) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({ name: "Reporter" });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, agent, opened, page: opened.page };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

function makeDaily({ reprise, agent }: Shop, name = "Daily report") {
  return reprise.triggers.create({
    name,
    agent_id: agent.id,
    schedule: { type: "cron", expression: "0 8 * * *", timezone: "Europe/Berlin" },
    input: "/say Nothing has happened.",
  });
}

const dialogOf = (page: Page) => page.getByRole("dialog");
const runsOf = (page: Page) =>
  page.getByRole("region", { name: "Runs" }).last().locator("tbody tr:not(.table-space)");

test("a trigger is made with a schedule, run by hand, paused and goes on, and is deleted", async () => {
  const shop = await openShop();
  const { page, opened, reprise } = shop;
  await visit(page, "/console/triggers");
  await page.getByRole("heading", { name: "There are no triggers yet" }).waitFor();
  await page.getByRole("button", { name: "New trigger" }).click();
  await dialogOf(page).getByLabel("Name").fill("Daily report");
  await dialogOf(page).getByLabel("Time zone").fill("Europe/Berlin");
  await dialogOf(page).getByLabel("What the agent is asked").fill("/say Nothing has happened.");
  await dialogOf(page).getByRole("button", { name: "Make" }).click();
  await page.getByRole("heading", { name: "Daily report" }).waitFor();
  await page.getByText("0 8 * * 1-5 in Europe/Berlin").waitFor();
  await expect
    .poll(() => page.getByRole("region", { name: "Next times" }).getByRole("listitem").count())
    .toBe(5);
  await page.getByRole("button", { name: "Run now" }).click();
  await expect.poll(() => runsOf(page).first().innerText()).toMatch(/by hand\s+succeeded/);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("It was paused by hand.").waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await runsOf(page).first().getByRole("link").click();
  await page.getByText("Nothing has happened.").last().waitFor();
  const [trigger] = (await reprise.triggers.list().page(null)).data;
  await visit(page, `/console/triggers/${trigger?.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "There are no triggers yet" }).waitFor();

  expect(trigger).toMatchObject({ name: "Daily report", status: "active", failures_in_row: 0 });
  expect((await reprise.triggers.list().page(null)).data).toEqual([]);
  expectNoMisdeeds(opened);
});

test("a trigger with a webhook shows its address, and its secret once", async () => {
  const shop = await openShop();
  const { page, opened } = shop;
  await visit(page, "/console/triggers");
  await page.getByRole("button", { name: "New trigger" }).click();
  await dialogOf(page).getByLabel("Name").fill("Issues");
  await dialogOf(page).getByLabel("Runs").selectOption("webhook");
  await dialogOf(page).getByLabel("Signed as").selectOption("github");
  await dialogOf(page).getByLabel("What the agent is asked").fill("Look at {issue/title}");
  await dialogOf(page).getByRole("button", { name: "Make" }).click();
  const codes = dialogOf(page).locator("code");
  await expect.poll(() => codes.count()).toBe(2);
  const [secret = "", url = ""] = await codes.allInnerTexts();
  await dialogOf(page).getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("webhooks of GitHub").waitFor();
  await page.getByText(url).waitFor();
  const text = await page.locator("body").innerText();
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  await dialogOf(page).getByRole("button", { name: "Rotate" }).click();
  await expect.poll(() => codes.count()).toBe(2);
  const [rotated = ""] = await codes.allInnerTexts();

  expect(secret).toMatch(/^[\da-f]{64}$/);
  expect(url).toContain("/v1/trigger-webhooks/");
  expect(text).not.toContain(secret);
  expect(rotated).not.toBe(secret);
  expectNoMisdeeds(opened);
});

test("what fails is shown with its reason, hostile words as text, and who may only read changes nothing", async () => {
  const shop = await openShop(["triggers:read", "agents:read"]);
  const { page, opened, reprise, agent } = shop;
  const trigger = await makeDaily(shop, WHOLE.slice(0, 80));
  const failing = await reprise.triggers.create({
    name: "Broken",
    agent_id: agent.id,
    input: "/fail invalid_request",
  });
  const run = await reprise.triggers.runs(failing.id).create();
  await expect
    .poll(async () => (await reprise.triggers.runs(failing.id).get(run.id)).status)
    .toBe("failed");
  await visit(page, `/console/triggers/${failing.id}`);
  await expect.poll(() => runsOf(page).first().innerText()).toMatch(/by hand\s+failed\s+\S/);
  const buttons = page.getByRole("button", { name: /^(Run now|Pause|Delete|Rotate .*)$/ });
  const shown = await buttons.count();
  await visit(page, "/console/triggers?status=active");
  await expect.poll(() => page.getByRole("table").getByRole("link").count()).toBe(2);
  await visit(page, `/console/triggers/${trigger.id}`);
  await page.getByText("0 8 * * * in Europe/Berlin").waitFor();

  expect(shown).toBe(0);
  expectNoMisdeeds(opened);
});
