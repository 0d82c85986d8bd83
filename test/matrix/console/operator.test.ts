// The operator's pages, in Chromium against the running platform.
import { expect, inject, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openOperator(name: string) {
  const tenant = await makeTenant(name);
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.operator.consoleLinks.create()).url);
  return { ...tenant, opened, page: opened.page };
}

test("a tenant's quotas are changed, and a value that is none is not sent", async () => {
  const { page, opened, id, operator } = await openOperator("Quota shop");
  await page.getByRole("link", { name: "Quota shop" }).first().click();
  await page.getByRole("heading", { name: "Quota shop" }).waitFor();
  await visit(page, `/operator/tenants/${id}`);
  await page.getByRole("button", { name: "Change" }).click();
  const save = page.getByRole("button", { name: "Save" });
  const agents = page.getByLabel("Agents", { exact: true });
  const isUnchanged = await save.isDisabled();
  await agents.fill("1.5");
  await page.getByText("A whole number, 0 or more.").waitFor();
  const isWrong = await save.isDisabled();
  await agents.fill("7");
  await page.getByLabel("API keys").fill("0");
  await save.click();
  await page.getByRole("alert").waitFor();
  const before = (await operator.tenants.get(id)).quotas;
  await page.getByLabel("API keys").fill("5");
  await page.getByLabel("Requests in ten seconds").selectOption("100");
  await save.click();
  await page.getByRole("meter", { name: "Agents" }).waitFor();
  const { quotas } = await operator.tenants.get(id);

  expect([isUnchanged, isWrong]).toEqual([true, true]);
  expect([before.agents, before.api_keys]).not.toEqual([7, 5]);
  expect(quotas).toEqual({ ...before, agents: 7, api_keys: 5, requests: 100 });
  expect(opened.misdeeds.filter((one) => !one.includes("status of 400"))).toEqual([]);
});

test("the stop button asks by the tenant's name, stops, and resumes; health names who is stopped", async () => {
  const { page, opened, id, operator, reprise } = await openOperator("Stopped shop");
  await visit(page, `/operator/tenants/${id}`);
  await page.getByRole("button", { name: "Stop" }).click();
  const question = page.getByRole("alertdialog", { name: "Stop all activity of Stopped shop?" });
  await question.getByText(id).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  const cancelled = (await operator.tenants.get(id)).status;
  await page.getByRole("button", { name: "Stop" }).click();
  await question.getByRole("button", { name: "Stop everything" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const stopped = (await operator.tenants.get(id)).status;
  const refusal = await reprise.agents
    .list()
    .page()
    .catch((error: unknown) => error);

  await visit(page, "/operator/health");
  // The report is some seconds old at most.
  await page.getByRole("link", { name: id }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  const back = page.getByRole("alertdialog", { name: "Resume Stopped shop?" });
  await back.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();

  expect([cancelled, stopped]).toEqual(["active", "suspended"]);
  expect(refusal).toMatchObject({ code: "tenant_suspended" });
  expect((await operator.tenants.get(id)).status).toBe("active");
  await page.getByRole("link", { name: "What was changed" }).click();
  const acts = page.getByRole("region", { name: "Audit" }).getByRole("button");
  await expect
    .poll(() => acts.allInnerTexts())
    .toEqual(["Tenant changed", "Tenant changed", "Tenant created"]);
  expect(new URL(page.url()).search).toBe(`?tenant_id=${id}`);
  expectNoMisdeeds(opened);
});

test("health shows stores, queues and the last hour, is read anew by itself, and keeps what it has when a read fails", async () => {
  const { page, opened } = await openOperator("Health shop");
  await visit(page, "/operator/health");
  const readiness = page.getByRole("region", { name: "Readiness" });
  await readiness.getByText("Database").waitFor();
  const checks = await readiness.getByRole("listitem").allInnerTexts();
  await page.getByRole("row", { name: /Webhook deliveries/ }).waitFor();
  await page.getByRole("group", { name: "Replies by how they ended" }).waitFor();
  const asOf = page.getByText(/^As of /);
  const first = await asOf.innerText();
  await expect.poll(() => asOf.innerText()).not.toBe(first);
  await page.route("**/v1/operator/health", (route) => route.abort());
  await page.getByText(/^Not up to date: from /).waitFor();
  await page.getByRole("row", { name: /Webhook deliveries/ }).waitFor();
  await page.unroute("**/v1/operator/health");
  await page.getByRole("button", { name: "Try again" }).click();
  await asOf.waitFor();

  expect(checks).toHaveLength(8);
  expect(checks.filter((text) => text.includes("failed"))).toEqual([]);
  expect(opened.misdeeds.filter((one) => !one.includes("net::ERR_FAILED"))).toEqual([]);
});

test("what is missing is named with how it is put right, and what cannot be counted is not shown as nothing", async () => {
  const { page, operator } = await openOperator("Degraded shop");
  const health = await operator.operatorHealth();
  await page.route("**/v1/operator/health", (route) =>
    route.fulfill({
      json: {
        ...health,
        status: "degraded",
        database: { status: "failed", ms: 2_000 },
        readiness: {
          ...health.readiness,
          status: "not_ready",
          checks: { ...health.readiness.checks, secrets: "failed" },
          missing: [
            {
              name: "KEY_PEPPER",
              problem: "is missing",
              fix: "npx wrangler secret put KEY_PEPPER",
              docs: "docs/deploy.md",
            },
          ],
        },
        queues: null,
        activity: null,
        tenants: null,
      },
    }),
  );
  await visit(page, "/operator/health");
  await page.getByText("npx wrangler secret put KEY_PEPPER").waitFor();

  await page.getByText("degraded").waitFor();
  await expect
    .poll(() => page.getByText("Not known while the database does not answer.").count())
    .toBe(3);
  expect(await page.getByRole("table").count()).toBe(0);
});

test("an id of no tenant is not found, and a tenant's console has no operator's pages", async () => {
  const { page, reprise } = await openOperator("Any shop");
  await visit(page, "/operator/tenants/ten_none");
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await visit(page, "/operator/audit");
  await page.getByRole("button", { name: "Signed in to the console" }).first().waitFor();
  const other = await openPage(await launch());
  await signIn(other.page, (await reprise.consoleLinks.create()).url);
  for (const path of ["/console/health", "/console/tenants"]) {
    await visit(other.page, path);
    await other.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }
  const refusal = await fetch(`${inject("baseUrl")}/v1/operator/health`);

  expect(refusal.status).toBe(401);
});
