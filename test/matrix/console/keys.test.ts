// API keys and client tokens, in Chromium against the running platform.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { connectSession, Reprise } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openKeys() {
  const tenant = await makeTenant("Shop");
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, opened, page: opened.page };
}

/** The secret in the dialog, which is closed then. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It is not shown again").waitFor();
  const secret = (await dialog.locator(".secret code").textContent()) ?? "";
  // Escape and a click beside it would lose the secret.
  await page.keyboard.press("Escape");
  await page.mouse.click(2, 2);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "hidden" });
  return secret;
}

function may(apiKey: string): Promise<boolean> {
  const reprise = new Reprise({ baseUrl: inject("baseUrl"), apiKey, maxRetries: 0 });
  return reprise.agents
    .list()
    .page()
    .then(
      () => true,
      () => false,
    );
}

test("a key is made with some scopes, rotated so that both or one secret works, and revoked", async () => {
  const { page, opened, reprise } = await openKeys();
  await visit(page, "/console/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Till");
  await dialog.getByRole("button", { name: "None" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Choose at least one scope.").waitFor();
  await dialog.getByLabel("agents:read").check();
  await dialog.getByLabel("Expires").fill("2099-01-01T10:00");
  await dialog.getByRole("button", { name: "Create" }).click();
  const first = await takeSecret(page);
  const rotate = page.getByRole("button", { name: "Rotate Till" });
  await rotate.click();
  await dialog.getByRole("button", { name: "Rotate" }).click();
  const second = await takeSecret(page);
  await page.getByText("two secrets").waitFor();
  const overlapping = [await may(first), await may(second)];
  await rotate.click();
  await dialog.getByLabel("The old key works on for").selectOption("0");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  const third = await takeSecret(page);
  const rotated = [await may(first), await may(second), await may(third)];
  await page.getByRole("button", { name: "Revoke Till" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("cell", { name: "revoked" }).waitFor();
  const shown = await page.content();
  const [key] = (await reprise.apiKeys.list().page()).data.filter(({ name }) => name === "Till");

  expect([overlapping, rotated, await may(third)]).toEqual([
    [true, true],
    [false, false, true],
    false,
  ]);
  expect(key).toMatchObject({ scopes: ["agents:read"], revoked_at: expect.any(String) });
  expect([first, second, third].filter((secret) => shown.includes(secret))).toEqual([]);
  expect(await page.getByRole("button", { name: "Rotate Till" }).count()).toBe(0);
  expectNoMisdeeds(opened);
});

test("revoking a leaked key also revokes what was made with it, which the dialog names before", async () => {
  const { page, opened, reprise } = await openKeys();
  const mother = await reprise.apiKeys.create({ name: "Back end" });
  const own = new Reprise({ baseUrl: inject("baseUrl"), apiKey: mother.api_key });
  const child = await own.apiKeys.create({ name: "Worker", scopes: ["agents:read", "keys:write"] });
  const next = new Reprise({ baseUrl: inject("baseUrl"), apiKey: child.api_key });
  const grandchild = await next.apiKeys.create({ name: "Job", scopes: ["agents:read"] });
  const other = await reprise.apiKeys.create({ name: "Other" });
  await visit(page, "/console/keys");
  await page.getByRole("button", { name: "Revoke Back end" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What is revoked").selectOption("leaked");
  const named = await dialog.getByText("Also:").textContent();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await dialog.getByText("3 keys are revoked").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => page.getByRole("cell", { name: "leaked" }).count()).toBe(3);
  const works = [mother, child, grandchild, other].map(({ api_key }) => may(api_key));

  expect(named?.replace("Also: ", "").split(", ").sort()).toEqual(["Job", "Worker"]);
  expect(await Promise.all(works)).toEqual([false, false, false, true]);
  expectNoMisdeeds(opened);
});

test("a client token of a session is made, works, and is revoked", async () => {
  const { page, opened, reprise } = await openKeys();
  const agent = await reprise.agents.create({ name: "Desk" });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await visit(page, "/console/keys");
  await page.getByRole("navigation", { name: "Keys" }).getByText("Client tokens").click();
  await page.getByText("Whose tokens?").waitFor();
  await page.getByLabel("Session id").fill(session.id);
  await page.keyboard.press("Enter");
  await page.getByText("No live token").waitFor();
  await page.getByRole("button", { name: "Make a token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^reply/).uncheck();
  await dialog.getByRole("button", { name: "Make" }).click();
  const token = await takeSecret(page);
  const app = connectSession(session.id, { baseUrl: inject("baseUrl"), token, maxRetries: 0 });
  const read = await app.get().then(
    ({ id }) => id,
    () => null,
  );
  const row = page.getByRole("table").locator("tbody tr");
  await row.getByRole("cell", { name: "read, interrupt" }).waitFor();
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No live token").waitFor();

  expect(read).toBe(session.id);
  await expect(app.get()).rejects.toMatchObject({ status: 401 });
  const stranger = await makeTenant("Other");
  const theirs = await stranger.reprise.agents.create({ name: "Theirs" });
  const foreign = await stranger.reprise.sessions.create({ agent_id: theirs.id });
  await visit(page, `/console/keys/tokens?session_id=${foreign.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  expectNoMisdeeds(opened);
});
