// Sign-in of a member at an OpenID provider on loopback, in Chromium against the running platform: with its colours and names looked
// at by axe in every state.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { startOidcProvider } from "../../support/oidc-provider.ts";
import { launch } from "./browser-pages.ts";
import { makeTenant, openPage, signIn, visit, type OpenedPage } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

const LOOKED_AT = { bypassCSP: true };

/** Things that the page must not have done, but for going to the provider. */
function misdeedsBut({ misdeeds }: OpenedPage, issuer: string): readonly string[] {
  const { origin } = new URL(issuer);
  return misdeeds.filter((misdeed) => !misdeed.startsWith(`request: ${origin}`));
}

const atHome = (page: Page) => page.waitForURL(/\/console\/home/);

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in as a member" }).click();
}

test("a member joins by a link at a provider that an owner has added, and comes back by it alone", async () => {
  const { id, reprise } = await makeTenant("Shop");
  const fake = await startOidcProvider();
  const credential = await reprise.credentials.create({
    name: "Client of the console",
    type: "tool",
    secret: fake.clientSecret,
    allowed_hosts: [new URL(fake.issuer).host],
  });
  const browser = await launch();
  const owner = await openPage(browser, LOOKED_AT);
  const person = await openPage(browser, { ...LOOKED_AT, width: 390 });
  const violations: Record<string, readonly string[]> = {};
  const looks = async (state: string, { page }: OpenedPage) => {
    violations[state] = await findViolations(page);
  };
  await signIn(owner.page, (await reprise.consoleLinks.create()).url);
  await visit(owner.page, "/console/members");
  await owner.page.getByRole("link", { name: "Sign-in providers" }).click();
  await owner.page.getByText("No sign-in providers yet").waitFor();
  // The list of credentials comes late: the field is one of a list all the same.
  const asked = Promise.withResolvers<void>();
  await owner.page.route("**/v1/credentials?**", async (route) => {
    await asked.promise;
    await route.continue();
  });
  await owner.page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = owner.page.getByRole("dialog");
  const secret = dialog.getByLabel("Client secret");
  await secret.waitFor();
  await expect.poll(() => secret.and(owner.page.locator("select")).count()).toBe(1);
  asked.resolve();
  await dialog.getByLabel("Name").fill("Shop login");
  await dialog.getByLabel("Issuer").fill(`${fake.issuer}/mistyped`);
  await dialog.getByLabel("Client id").fill(fake.clientId);
  await secret.selectOption(credential.id);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("answers its configuration with status 404").waitFor();
  await looks("a mistyped issuer", owner);
  await dialog.getByLabel("Issuer").fill(fake.issuer);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Enter this address").waitFor();
  await looks("the address to register", owner);
  expect(await dialog.locator(".secret code").textContent()).toMatch(
    /^http:\/\/[^/]+\/console\/sign-in\/sip_\w+\/callback$/,
  );
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = owner.page.getByRole("row").filter({ hasText: "Shop login" });
  await row.waitFor();

  const { url } = await reprise.members.invite({ name: "Ada Winter", role: "approver" });
  const { page } = person;
  await page.goto(url);
  const go = page.getByRole("button", { name: "Continue with Shop login" });
  await go.waitFor();
  await looks("an invitation with a provider", person);
  fake.lies = {
    returned: { code: null, error: "access_denied", error_description: "<b>Not</b> assigned" },
  };
  await go.click();
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  await page.getByText("access_denied (it says: “<b>Not</b> assigned”)").waitFor();
  // Neither the code nor the state stays in the address.
  expect(new URL(page.url()).search).toBe("");
  await looks("a refusal", person);
  await page.getByRole("link", { name: "To the sign-in page" }).click();
  await page.waitForURL(new RegExp(`/console/t/${id}$`));
  fake.lies = {};
  await go.click();
  // Nobody has joined by this account yet: the invitation's link, which was not used up, is the way.
  await page.getByText("signs nobody in here").waitFor();
  await page.goto("about:blank");
  await page.goto(url);
  await go.click();
  await atHome(page);
  await signOut(page);
  await page.waitForURL(new RegExp(`/console/t/${id}$`));
  await go.waitFor();
  await looks("a sign-in with a provider", person);
  await go.click();
  await atHome(page);
  await page.reload();
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByText("Ada Winter, approver").waitFor();
  expect(fake.taken()).toBe(3);

  await owner.page.reload();
  await row.getByRole("cell", { name: "1", exact: true }).waitFor();
  await looks("a list of providers", owner);
  await row.getByRole("button", { name: "Delete Shop login" }).click();
  const question = owner.page.getByRole("alertdialog");
  await question.getByText("One member signs in by it").waitFor();
  await looks("the deletion", owner);
  await question.getByRole("button", { name: "Delete" }).click();
  await owner.page.getByText("No sign-in providers yet").waitFor();
  await visit(owner.page, "/console/members");
  await owner.page.getByText("needs a new link").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Sign in as a member" }).click();
  await page.getByRole("heading", { name: "Sign in with your passkey" }).waitFor();
  expect(await go.count()).toBe(0);
  expect(violations).toEqual(Object.fromEntries(Object.keys(violations).map((key) => [key, []])));
  expect(misdeedsBut(owner, fake.issuer)).toEqual([]);
  expect(misdeedsBut(person, fake.issuer)).toEqual([]);
});

test("the browser's way back from a provider leaves a page that can be used again", async () => {
  const { id, reprise } = await makeTenant("Shop");
  const fake = await startOidcProvider();
  await reprise.signInProviders.create({
    name: "Shop login",
    issuer: fake.issuer,
    client_id: fake.clientId,
  });
  const { page } = await openPage(await launch());
  // A page of the provider on which the person thinks better of it.
  await page.route(`${fake.issuer}/authorize*`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Who are you?</h1>" }),
  );
  await visit(page, `/console/t/${id}`);
  const go = page.getByRole("button", { name: "Continue with Shop login" });
  await go.click();
  await page.getByRole("heading", { name: "Who are you?" }).waitFor();
  await page.goBack();
  await go.click();
  await page.getByRole("heading", { name: "Who are you?" }).waitFor();
});
