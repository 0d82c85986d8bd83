// Members of a tenant, in Chromium with a virtual authenticator against the running platform.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { addDevice } from "./add-device.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

/** The link in the dialog, which is closed then. */
async function takeLink(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It is not shown again").waitFor();
  const link = (await dialog.locator(".secret code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "hidden" });
  return link;
}

test("an owner invites, is joined by an approver with a passkey, and lets them go again", async () => {
  const { id, reprise } = await makeTenant("Shop");
  const browser = await launch();
  const [owner, approver] = [await openPage(browser), await openPage(browser, { width: 390 })];
  await addDevice(approver.page);
  await signIn(owner.page, (await reprise.consoleLinks.create()).url);
  await visit(owner.page, "/console/members");
  await owner.page.getByText("No members yet").waitFor();
  await owner.page.getByRole("button", { name: "Invite a member" }).click();
  const dialog = owner.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ada Winter");
  await dialog.getByLabel("E-mail").fill("ada@shop.example");
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await takeLink(owner.page);

  await approver.page.goto(link);
  await approver.page.getByRole("heading", { name: "Ada Winter, join Shop" }).waitFor();
  // The secret is not left in the address.
  expect(new URL(approver.page.url()).hash).toBe("");
  await approver.page.getByRole("button", { name: "Make a passkey and sign in" }).click();
  await approver.page.waitForURL(/\/console\/home/);
  await approver.page.getByRole("button", { name: "Account and appearance" }).click();
  await approver.page.getByText("Ada Winter, approver").waitFor();
  await approver.page.getByRole("menuitem", { name: "Sign out" }).click();
  await approver.page.getByRole("link", { name: "Sign in as a member" }).click();
  await approver.page.waitForURL(new RegExp(`/console/t/${id}$`));
  await approver.page.getByRole("button", { name: "Sign in" }).click();
  await approver.page.waitForURL(/\/console\/home/);
  // An approver is offered neither people nor keys.
  await visit(approver.page, "/console/home");
  await approver.page.getByRole("heading", { level: 1 }).waitFor();
  await approver.page.getByRole("button", { name: "Open the navigation" }).click();
  const entries = approver.page.getByRole("navigation").getByRole("link");
  await entries.filter({ hasText: "Approvals" }).waitFor();
  expect(await entries.filter({ hasText: /Members|Keys|Audit/ }).count()).toBe(0);

  await owner.page.reload();
  const row = owner.page.getByRole("row").filter({ hasText: "Ada Winter" });
  await row.getByText("active").waitFor();
  await row.getByRole("button", { name: "Change: Ada Winter" }).click();
  await dialog.getByLabel("Role").selectOption("viewer");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("viewer").waitFor();
  await row.getByRole("button", { name: "Remove: Ada Winter" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText("They have made nothing that goes on.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await row.getByText("removed").waitFor();

  await approver.page.reload();
  await approver.page.getByRole("heading", { name: "You are no member here any more" }).waitFor();
  await visit(approver.page, `/console/t/${id}`);
  await approver.page.getByRole("button", { name: "Sign in" }).click();
  await approver.page.getByText("This passkey signs nobody in here").waitFor();
  await approver.page.goto("about:blank");
  await approver.page.goto(link);
  await approver.page.getByRole("heading", { name: "This link invites nobody any more" }).waitFor();
  expectNoMisdeeds(owner);
  expectNoMisdeeds(approver);
});

test("a host that is an IP address signs in by link alone, and says so", async () => {
  const { id, reprise } = await makeTenant("Shop");
  const { url } = await reprise.members.invite({ name: "Ben", role: "viewer" });
  const base = new URL(inject("baseUrl"));
  base.hostname = "127.0.0.1";
  const { page } = await openPage(await launch(), { baseUrl: base.href });
  await page.goto(`${base.origin}/console/t/${id}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This address cannot have passkeys").waitFor();
  await page.goto("about:blank");
  await page.goto(`${base.origin}/console/t/${id}${new URL(url).hash}`);
  await page.getByText("cannot have passkeys").waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/console\/home/);
});
