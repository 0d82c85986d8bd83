// Usage, quotas, files and the audit of a tenant, in Chromium against the running platform.
import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { showMonthOfUsage } from "../../../scripts/console/month-of-usage.ts";
import type { Reprise } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

/** A red square of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

async function openTenant() {
  const tenant = await makeTenant("Shop");
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, opened, page: opened.page };
}

/** Saves what a button downloads. */
async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") };
}

/** Replies of two end users with two agents, counted. */
async function fillUsage(reprise: Reprise) {
  const names = ["Refund desk", "Shoe finder"] as const;
  for (const [index, name] of names.entries()) {
    const agent = await reprise.agents.create({ name });
    for (const end_user_id of ["ann", "ben"].slice(index)) {
      const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id });
      await session.reply("/words 20").done();
    }
  }
  const read = async () => (await reprise.usage({ group_by: "end_user" }).page()).data;
  await expect
    .poll(async () => (await read()).map(({ replies }) => replies).toSorted())
    .toEqual([1, 2]);
  return read();
}

test("usage is summed by agent and by end user, the choice is in the address, and the CSV has the same sums", async () => {
  const { page, opened, reprise } = await openTenant();
  const sums = await fillUsage(reprise);
  await visit(page, "/console/usage");
  const byAgent = page.getByRole("region", { name: "Usage by agent" });
  await byAgent.getByRole("link", { name: "Shoe finder" }).waitFor();
  await page.getByRole("group", { name: "Tokens by day and agent" }).waitFor();

  await page.getByLabel("By", { exact: true }).selectOption("end_user");
  const byUser = page.getByRole("region", { name: "Usage by end user" });
  const cells = byUser.getByRole("row").filter({ has: page.getByRole("link") });
  await expect.poll(() => cells.count()).toBe(2);
  await page.getByLabel("End user", { exact: true }).fill("ben");
  await page.keyboard.press("Enter");
  await expect.poll(() => cells.count()).toBe(1);
  const { searchParams } = new URL(page.url());
  await page.reload();
  const ben = sums.find(({ end_user_id }) => end_user_id === "ben");
  await cells
    .getByText((ben?.input_tokens ?? 0).toLocaleString("en-US"))
    .first()
    .waitFor();
  const { name, text } = await download(page, "CSV");
  const [header = "", line = ""] = text
    .trim()
    .split("\n")
    .map((one) => one.trim());
  const row = Object.fromEntries(
    header.split(",").map((column, index) => [column, line.split(",")[index]]),
  );

  expect(Object.fromEntries(searchParams)).toEqual({ by: "end_user", end_user_id: "ben" });
  expect(name).toMatch(/^usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  expect(text.trim().split("\n")).toHaveLength(2);
  expect([row["end_user_id"], row["replies"], row["output_tokens"]]).toEqual([
    "ben",
    "2",
    String(ben?.output_tokens),
  ]);
  await cells.getByRole("link").click();
  await expect.poll(() => page.getByRole("table").getByRole("link").count()).toBe(2);
  expect(new URL(page.url()).search).toBe("?end_user_id=ben");
  expectNoMisdeeds(opened);
});

test("money that is not known is shown as that, and never as nothing", async () => {
  const { page, opened } = await openTenant();
  await showMonthOfUsage(page);
  await visit(page, "/console/usage?by=model&measure=money");
  const chart = page.getByRole("group", { name: "US dollars by day and model" });
  await chart.focus();
  await page.keyboard.press("End");
  const tooltip = chart.getByRole("status");
  const newest = await tooltip.innerText();
  await page.keyboard.press("Home");
  const oldest = await tooltip.innerText();
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "hidden" });
  await chart.hover();
  await tooltip.waitFor();
  await page.getByText("As a table").click();
  const numbers = page.getByRole("region", { name: "US dollars by day and model, as a table" });
  const lines = await numbers.getByRole("row").allInnerTexts();
  const card = page.getByText("Cost by list prices").locator("..");

  expect(newest).toMatch(/house-model\s+not known\s+Known of it\s+\$/);
  expect(oldest).toMatch(/Together\s+\$\d/);
  expect(oldest).not.toContain("not known");
  expect(lines).toHaveLength(31);
  expect(lines.filter((line) => line.includes("not known"))).toHaveLength(7);
  expect(await card.innerText()).toMatch(/not known\s+\$[\d.]+ of it is known/);
  await expect.poll(() => page.locator(".chart-unknown").count()).toBe(7);
  await page
    .getByRole("row", { name: /house-model/ })
    .last()
    .getByText("not known")
    .waitFor();
  expectNoMisdeeds(opened);
});

test("another tenant's agent has no usage here, and days that are no report are refused in words", async () => {
  const { page, opened, reprise } = await openTenant();
  await fillUsage(reprise);
  const other = await makeTenant("Other");
  const theirs = await other.reprise.agents.create({ name: "Theirs" });
  await visit(page, `/console/usage?agent_id=${theirs.id}`);
  await page.getByText("No usage in these days").waitFor();
  await visit(page, "/console/usage?from=2026-02-02&to=2026-02-01");
  await page
    .getByRole("alert")
    .getByText(/is after/)
    .waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("link", { name: "Refund desk" }).waitFor();

  expect(opened.misdeeds.filter((one) => !one.includes("status of 400"))).toEqual([]);
});

test("files are listed; a picture is shown from the platform's bytes alone; a deleted one is gone", async () => {
  const { page, opened, reprise } = await openTenant();
  await visit(page, "/console/files");
  await page.getByText("No files yet").waitFor();
  const agent = await reprise.agents.create({ name: "Desk" });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await reprise.files.upload(PNG, { filename: "cup.png", sessionId: session.id });
  await reprise.files.upload(new TextEncoder().encode("<script>alert(1)</script>"), {
    filename: "notes.html",
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("button", { name: "notes.html" }).click();
  await page.getByText("There is no preview of this type.").waitFor();
  const saved = await download(page, "Save");
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "cup.png" }).click();
  const picture = page.getByRole("img", { name: "cup.png" });
  await picture.waitFor();
  const source = await picture.getAttribute("src");
  await page.getByRole("dialog").getByRole("link", { name: session.id }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete this file?" });
  await question.getByRole("button", { name: "Delete" }).click();
  // The page behind a dialog has no roles meanwhile.
  await question.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "notes.html" }).waitFor();
  await page.getByRole("button", { name: "cup.png" }).waitFor({ state: "detached" });

  expect(source).toMatch(/^blob:/);
  expect(saved).toEqual({ name: "notes.html", text: "<script>alert(1)</script>" });
  const left = await reprise.files.list().page();
  expect(left.data.map(({ name }) => name)).toEqual(["notes.html"]);
  await visit(page, `/console/files?session_id=${session.id}`);
  await page.getByText("This session names no files").waitFor();
  expectNoMisdeeds(opened);
});

test("a quota that is used up says so, with what happens now", async () => {
  const { page, opened, id, operator, reprise } = await openTenant();
  await operator.tenants.update(id, { quotas: { agents: 1 } });
  await reprise.agents.create({ name: "The only one" });
  await visit(page, "/console/quotas");
  const agents = page.getByRole("meter", { name: "Agents" });
  await agents.waitFor();

  expect(await agents.getAttribute("aria-valuetext")).toBe("1 of 1");
  await page.getByText("Reached. No agent is created until one is deleted.").waitFor();
  await expect.poll(() => page.getByText("Reached.").count()).toBe(1);
  expectNoMisdeeds(opened);
});

test("the audit is filtered, shows what an act has changed, and is exported", async () => {
  const { page, opened, reprise } = await openTenant();
  const agent = await reprise.agents.create({ name: "Before" });
  await reprise.agents.update(agent.id, { name: "Behind" });
  await visit(page, "/console/audit");
  await page.getByLabel("What").selectOption("agent.updated");
  const entries = page.getByRole("region", { name: "Audit" }).getByRole("button");
  await expect.poll(() => entries.count()).toBe(1);
  const url = page.url();
  await entries.first().click();
  await page.getByRole("region", { name: "Before" }).getByText('"Before"').waitFor();
  await page.getByRole("region", { name: "After" }).getByText('"Behind"').waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  const { text } = await download(page, "JSON lines");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => entries.count()).toBeGreaterThan(3);

  expect(new URL(url).search).toBe("?action=agent.updated");
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ action: "agent.updated", target_id: agent.id }]);
  expectNoMisdeeds(opened);
});

test("a console without the scopes has no entries for these pages, and they say that it may not", async () => {
  const { reprise } = await makeTenant();
  const { page } = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create({ scopes: ["sessions:read"] });
  await signIn(page, url);
  const names = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await expect
    .poll(() => names.allInnerTexts())
    .toEqual(["Home", "Sessions", "Failures", "Playground"]);
  for (const path of ["usage", "quotas", "files", "audit"]) {
    await visit(page, `/console/${path}`);
    await page.getByRole("heading", { name: "This page is not open to you" }).waitFor();
  }
});
