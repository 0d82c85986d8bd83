// Signing in to the console, and out of it, in Chromium against the running platform.
import { expect, inject, test } from "vitest";

import { Reprise } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import {
  expectNoMisdeeds,
  makeTenant,
  openPage,
  signInByPage,
  visit,
  watch,
} from "./console-browser.ts";

test("the link that npm start prints signs in once, and leaves its secret nowhere", async () => {
  const browser = await launch();
  const opened = await openPage(browser);
  const { page } = opened;
  await signInByPage(page, inject("consoleLink"));
  await page.getByRole("table").getByRole("link").first().waitFor();
  const url = page.url();
  const kept = await page.context().storageState();
  const [cookie] = kept.cookies;
  await page.reload();
  await page.getByRole("table").getByRole("link").first().waitFor();

  expect(url).toBe(`${inject("baseUrl")}/console/sessions`);
  expect(kept.origins).toEqual([]);
  expect(kept.cookies).toHaveLength(1);
  expect(cookie).toMatchObject({
    name: "reprise_console",
    path: "/console",
    httpOnly: true,
    sameSite: "Strict",
    secure: false,
  });
  expect(cookie?.value).not.toBe(new URL(inject("consoleLink")).hash.slice(1));
  expectNoMisdeeds(opened);

  const second = await openPage(browser);
  await second.page.goto(inject("consoleLink"));
  await second.page.getByText("was used already").waitFor();

  expect(await second.page.locator("pre").first().textContent()).toBe("npm run console");
  expectNoMisdeeds(second);
});

test("no request to the API carries a cookie, and none but the sign-in carries the secret", async () => {
  const { reprise } = await makeTenant();
  const { url } = await reprise.consoleLinks.create();
  const secret = new URL(url).hash.slice(1);
  const { page } = await openPage(await launch());
  const cookies: (string | undefined)[] = [];
  const revealed: string[] = [];
  page.on("request", (request) => {
    void request.allHeaders().then((headers) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/v1/")) cookies.push(headers["cookie"]);
      if (request.url().includes(secret) || JSON.stringify(headers).includes(secret)) {
        revealed.push(request.url());
      }
    });
  });
  await signInByPage(page, url);
  await page.getByText("No sessions yet").waitFor();

  expect([...new Set(cookies)]).toEqual([undefined]);
  expect(revealed).toEqual([]);
});

test("a link opens nothing when it is cut off, and its page says how another is made", async () => {
  const opened = await openPage(await launch());
  await visit(opened.page, "/console/sign-in#cl_cut-off");
  await opened.page.getByText("incomplete").waitFor();

  expect(await opened.page.getByText("/v1/console-links").first().isVisible()).toBe(true);
  expectNoMisdeeds(opened);
});

test("signing out ends the console in every tab, and a reload does not bring it back", async () => {
  const { reprise } = await makeTenant("Two tabs");
  const opened = await openPage(await launch());
  const { page } = opened;
  await signInByPage(page, (await reprise.consoleLinks.create()).url);
  const other = await watch(await page.context().newPage());
  await visit(other.page, "/console/agents");
  await other.page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();

  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in with a link" }).waitFor();
  await other.page.getByRole("heading", { name: "Sign in with a link" }).waitFor();
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Sign in with a link" }).waitFor();

  expect(await page.context().cookies()).toEqual([]);
  expectNoMisdeeds(opened);
  expectNoMisdeeds(other);
});

test("a console whose key is revoked says so, and shows nothing more", async () => {
  const { reprise, operator, id } = await makeTenant("Revoked");
  const key = await reprise.apiKeys.create({});
  const maker = new Reprise({ baseUrl: inject("baseUrl"), apiKey: key.api_key });
  const opened = await openPage(await launch());
  await signInByPage(opened.page, (await maker.consoleLinks.create()).url);
  await opened.page.getByText("No sessions yet").waitFor();
  await operator.apiKeys.revoke(key.id, { tenant_id: id });
  await opened.page.getByRole("button", { name: "Refresh" }).click();
  await opened.page.getByRole("heading", { name: "The key of this session is gone" }).waitFor();

  expectNoMisdeeds(opened);
});

test("the operator's link opens the operator's console, beside a tenant's in the same browser", async () => {
  const { reprise, operator } = await makeTenant("Beside the operator");
  const opened = await openPage(await launch());
  const { page } = opened;
  await signInByPage(page, (await operator.consoleLinks.create()).url);
  await page.getByRole("cell", { name: "Beside the operator" }).waitFor();
  const url = page.url();
  await signInByPage(page, (await reprise.consoleLinks.create()).url);
  await page.getByText("No sessions yet").waitFor();
  await visit(page, "/operator");
  await page.getByRole("cell", { name: "Beside the operator" }).waitFor();

  expect(url).toBe(`${inject("baseUrl")}/operator/tenants`);
  expectNoMisdeeds(opened);
});
