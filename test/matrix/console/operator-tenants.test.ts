// Tenants from their creation to their end, by the operator in Chromium.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { Reprise } from "../../../sdk/index.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

async function openOperator() {
  const operator = new Reprise({ baseUrl: inject("baseUrl"), apiKey: inject("operatorKey") });
  // For axe, which is evaluated in the page.
  const opened = await openPage(await launch(), { bypassCSP: true });
  await signIn(opened.page, (await operator.consoleLinks.create()).url);
  return { operator, opened, page: opened.page };
}

async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel("Name or id").fill(text);
  await page.getByLabel("Name or id").press("Enter");
}

/** A stat of the page by its label. */
async function statOf(page: Page, label: string): Promise<string> {
  const card = page.locator(".stat-card").filter({ hasText: label });
  return (await card.locator(".stat-value").innerText()).trim();
}

test("a tenant is created, found by its name, watched, and closed behind its name", async () => {
  const { operator, opened, page } = await openOperator();
  const name = `Shoe 100%_ shop ${crypto.randomUUID().slice(0, 8)}`;
  const violations: string[] = [];
  const look = async () => violations.push(...(await findViolations(page)));

  // The tenants of all other tests are not looked at with it.
  await find(page, name);
  await page.getByText("No tenant is called so").waitFor();
  await page.getByRole("button", { name: "New tenant" }).click();
  const dialog = page.getByRole("dialog", { name: "New tenant" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByText("Quotas", { exact: true }).click();
  await dialog.getByLabel("Agents", { exact: true }).fill("1.5");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("A quota is no whole number.").waitFor();
  await look();
  await dialog.getByLabel("Agents", { exact: true }).fill("7");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("It is not shown again").waitFor();
  const key = await dialog.locator(".secret code").innerText();
  await dialog.getByLabel("Name of the first owner").fill("Ada Winter");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const link = dialog.getByRole("region", { name: "Link of the first owner" });
  const url = await link.locator("code").innerText();
  await look();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "hidden" });

  const tenant = new Reprise({ baseUrl: inject("baseUrl"), apiKey: key });
  const { tenant_id: id, quotas } = await tenant.limits();
  const [owner] = (await tenant.members.list().page()).data;
  expect([quotas.agents, quotas.sessions]).toEqual([7, 100_000]);
  expect([owner?.name, owner?.role, url.includes(`/console/t/${id}#ml_`)]).toEqual([
    "Ada Winter",
    "owner",
    true,
  ]);

  // Typed text is no pattern.
  await find(page, "100_%");
  await page.getByText("No tenant is called so").waitFor();
  await look();
  await find(page, name.toUpperCase().slice(0, 24));
  const row = page.getByRole("row").filter({ hasText: name });
  await row.waitFor();
  await find(page, id.slice(0, -2));
  await row.waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);

  const gate = await startGateTool();
  const agent = await tenant.agents.create({
    name: "Desk",
    permission: { mode: "bypass" },
    tools: [gate.tool as never],
  });
  const failed = await tenant.sessions.create({ agent_id: agent.id });
  await failed.reply("/fail invalid_request").done();
  const running = await tenant.sessions.create({ agent_id: agent.id });
  await running.replies.create(HOLD, { background: true });
  await expect.poll(async () => (await operator.tenants.activity([id])).data[0]?.error).toBe(1);
  await page.reload();
  await expect
    .poll(async () => (await row.getByRole("cell").allInnerTexts()).slice(2, 5))
    .toEqual(["1", "1", "1"]);
  await look();

  await row.getByRole("link").click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await expect.poll(() => statOf(page, "Replies that run now")).toBe("1");
  expect(await statOf(page, "Failed today")).toBe("1");
  gate.open();
  await expect.poll(async () => (await operator.tenants.activity([id])).data[0]?.replies).toBe(2);
  await page.getByRole("link", { name: "Usage and errors" }).click();
  await page.getByRole("heading", { name: `Usage of ${name}` }).waitFor();
  await expect.poll(() => statOf(page, "Failed")).toBe("1");
  expect(await statOf(page, "Replies")).toBe("2");
  const types = page.getByRole("region", { name: "Failures by type" }).getByRole("row");
  await expect.poll(() => types.count()).toBe(2);
  await page.getByRole("group", { name: "Cost by list prices" }).waitFor();
  await page.getByLabel("By", { exact: true }).selectOption("agent");
  await page
    .getByRole("region", { name: "Replies by agent" })
    .getByText(agent.id)
    .first()
    .waitFor();
  await look();

  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: "Close…" }).click();
  const question = page.getByRole("alertdialog", { name: `Close ${name} for good?` });
  const close = question.getByRole("button", { name: "Close the tenant" });
  const typed = question.getByLabel(/^Type the name/);
  await typed.fill(name.slice(0, -1));
  expect(await close.isDisabled()).toBe(true);
  await look();
  await typed.fill(name);
  await close.click();
  await page.getByText(/^Closed, and/).waitFor();
  await look();
  const gone = await operator.tenants.get(id).catch((error: unknown) => error);
  const refused = await tenant.limits().catch((error: unknown) => error);
  expect([gone, refused]).toMatchObject([{ code: "not_found" }, { status: 401 }]);
  await page.getByRole("link", { name: "All tenants" }).click();
  await find(page, id);
  await page.getByText("No tenant is called so").waitFor();
  await visit(page, `/operator/tenants/${id}/usage`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(violations).toEqual([]);
  expectNoMisdeeds(opened);
});

test("what cannot be read is said where it is missing, and the rest stays", async () => {
  const { operator, page } = await openOperator();
  const { id } = await operator.tenants.create({ name: "Half known shop" });
  await page.route("**/v1/operator/activity**", (route) => route.abort());
  await page.route("**/v1/usage/series**", (route) =>
    route.fulfill({ status: 500, json: { code: "internal_error", detail: "no" } }),
  );
  await visit(page, `/operator/tenants?search=${id}`);
  const cells = page.getByRole("row").filter({ hasText: "Half known shop" }).getByRole("cell");
  await expect.poll(async () => (await cells.allInnerTexts())[2]).toBe("–");
  await visit(page, `/operator/tenants/${id}/usage`);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute("**/v1/usage/series**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No reply has ended in this time").waitFor();
});
