// The operator's people, in Chromium with a virtual authenticator against the running platform. All tests have one operator:
// people who are invited here are removed again.
import type { Page } from "playwright-core";
import { afterAll, expect, inject, test } from "vitest";

import { OPERATOR_ROLE_RIGHTS } from "../../../protocol/members/operator-roles.ts";
import { readPages } from "../../../scripts/console/read-pages.ts";
import { Reprise } from "../../../sdk/index.ts";
import { startOidcProvider } from "../../support/oidc-provider.ts";
import { addDevice } from "./add-device.ts";
import { launch } from "./browser-pages.ts";
import {
  expectNoMisdeeds,
  makeTenant,
  openPage,
  type OpenedPage,
  signIn,
  visit,
} from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

const operator = new Reprise({ baseUrl: inject("baseUrl"), apiKey: inject("operatorKey") });
const LOOKED_AT = { bypassCSP: true };
/** Pages that support may not read. */
const CLOSED = readPages().filter(
  ({ path, scope }) =>
    path.startsWith("/operator/") &&
    !(OPERATOR_ROLE_RIGHTS.support as readonly (string | null)[]).includes(scope),
);
const made: string[] = [];

afterAll(async () => {
  for (const id of made) await operator.operatorMembers.remove(id);
});

/** The link in the dialog, which is closed then. */
async function takeLink(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It is not shown again").waitFor();
  const link = (await dialog.locator(".secret code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "hidden" });
  return link;
}

test("an owner invites, is joined by support with a passkey, who reads alone, and lets them go again", async () => {
  const { id } = await makeTenant("Shop");
  const name = `Noor ${id.slice(-6)}`;
  const browser = await launch();
  const owner = await openPage(browser, LOOKED_AT);
  const support = await openPage(browser, { ...LOOKED_AT, width: 390 });
  const violations: Record<string, readonly string[]> = {};
  const looks = async (state: string, { page }: OpenedPage) => {
    violations[state] = await findViolations(page);
  };
  const { page } = support;
  await addDevice(page);
  await signIn(owner.page, (await operator.consoleLinks.create()).url);
  await visit(owner.page, "/operator/members");
  await owner.page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  await owner.page.getByRole("button", { name: "Invite a member" }).click();
  const dialog = owner.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await looks("an invitation's form", owner);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await takeLink(owner.page);
  const [member] = (await operator.operatorMembers.list().page()).data;

  await page.goto(link);
  await page.getByRole("heading", { name: `${name}, join the operator’s console` }).waitFor();
  // The secret is not left in the address.
  expect(new URL(page.url()).hash).toBe("");
  await looks("an invitation", support);
  await page.getByRole("button", { name: "Make a passkey and sign in" }).click();
  await page.waitForURL(/\/operator\/tenants/);
  await page.getByText("your role, support, only reads").waitFor();
  expect(await page.getByRole("button", { name: "New tenant" }).count()).toBe(0);
  await page.getByRole("button", { name: "Open the navigation" }).click();
  const entries = page.getByRole("navigation").getByRole("link");
  await entries.filter({ hasText: "Health" }).waitFor();
  expect(await entries.allInnerTexts()).toEqual(["Tenants", "Health"]);
  await page.keyboard.press("Escape");
  await visit(page, `/operator/tenants/${id}`);
  await page.getByText("This tenant can be neither stopped").waitFor();
  expect(await page.getByRole("button", { name: /Stop|Close|Change/ }).count()).toBe(0);
  await looks("a tenant that is only read", support);
  for (const { path, scope } of CLOSED) {
    await visit(page, path);
    await page.getByText(`It needs the right ${scope}`).waitFor();
  }
  await page.getByText("whose role is support: an owner of this console").waitFor();
  await looks("a page that is not open", support);

  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByText(`${name}, support`).waitFor();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in as a member" }).click();
  await page.getByRole("heading", { name: "Sign in with your passkey" }).waitFor();
  await looks("the sign-in", support);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/operator\/tenants/);

  await owner.page.reload();
  const row = owner.page.getByRole("row").filter({ hasText: name });
  await row.getByText("active").waitFor();
  await looks("the list of people", owner);
  await row.getByRole("button", { name: `Change: ${name}` }).click();
  await dialog.getByLabel("Role").selectOption("administrator");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("administrator").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "New tenant" }).waitFor();
  await row.getByRole("button", { name: `Remove: ${name}` }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText("They have made nothing that goes on.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await row.getByText("removed").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "You are no member here any more" }).waitFor();
  await looks("a page of somebody who was removed", support);
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("heading", { name: "This link invites nobody any more" }).waitFor();

  expect(member?.name).toBe(name);
  expect(violations).toEqual(
    Object.fromEntries(Object.keys(violations).map((state) => [state, []])),
  );
  expectNoMisdeeds(owner);
  expectNoMisdeeds(support);
});

test("one of the operator's people joins and comes back at a provider of the operator's own", async () => {
  const fake = await startOidcProvider();
  const { page } = await openPage(await launch(), LOOKED_AT);
  await signIn(page, (await operator.consoleLinks.create()).url);
  await visit(page, "/operator/members/providers");
  await page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Staff login");
  await dialog.getByLabel("Issuer").fill(fake.issuer);
  await dialog.getByLabel("Client id").fill(fake.clientId);
  await dialog.getByLabel("Client secret").fill(fake.clientSecret);
  const violations = await findViolations(page);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Enter this address").waitFor();
  expect(await dialog.locator(".secret code").textContent()).toMatch(
    /^http:\/\/[^/]+\/operator\/sign-in\/sip_\w+\/callback$/,
  );
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row").filter({ hasText: "Staff login" }).waitFor();
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  const { id, url } = await operator.operatorMembers.invite({ name: "Ben", role: "support" });
  made.push(id);
  await page.goto(url);
  await page.getByRole("button", { name: "Continue with Staff login" }).click();
  await page.waitForURL(/\/operator\/tenants/);
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in as a member" }).click();
  const go = page.getByRole("button", { name: "Continue with Staff login" });
  fake.lies = { returned: { code: null, error: "access_denied" } };
  await go.click();
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  await page.getByRole("link", { name: "To the sign-in page" }).click();
  fake.lies = {};
  await go.click();
  await page.waitForURL(/\/operator\/tenants/);

  expect(violations).toEqual([]);
  for (const one of (await operator.operatorSignInProviders.list().page()).data) {
    await operator.operatorSignInProviders.delete(one.id);
  }
});
