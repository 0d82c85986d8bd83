// The pages about sessions, in Chromium against the running platform.
import { expect, inject, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { LONG_TASK, watchTasks } from "./watch-tasks.ts";

async function openShop() {
  const tenant = await makeTenant("Shop");
  const agent = await tenant.reprise.agents.create({ name: "Refund desk" });
  const sessions = [];
  for (const end_user_id of ["ann", "ben", "ann"]) {
    sessions.push(await tenant.reprise.sessions.create({ agent_id: agent.id, end_user_id }));
  }
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, agent, sessions, opened, page: opened.page };
}

test("the list is filtered, the filter is in the address, and a row leads to its session and back", async () => {
  const { page, opened, sessions } = await openShop();
  const rows = page.getByRole("table").getByRole("link");
  await expect.poll(() => rows.count()).toBe(3);

  await page.getByLabel("End user").fill("ann");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  const filtered = page.url();
  await page.reload();
  await expect.poll(() => rows.count()).toBe(2);
  await rows.first().click();
  await page.getByText("Nothing was said yet").waitFor();
  const detail = page.url();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => rows.count()).toBe(3);

  expect(filtered).toBe(`${inject("baseUrl")}/console/sessions?end_user_id=ann`);
  expect(detail).toBe(`${inject("baseUrl")}/console/sessions/${sessions[2]?.id}`);
  expectNoMisdeeds(opened);
});

test("a session shows what was said and done while it happens, and its numbered events", async () => {
  const { page, opened, sessions } = await openShop();
  const [session] = sessions;
  await visit(page, `/console/sessions/${session?.id}`);
  await page.getByText("Nothing was said yet").waitFor();
  await session?.reply("/say The order is on its way.").done();
  await page.getByText("The order is on its way.", { exact: true }).waitFor();
  const { cursor } = (await session?.get()) ?? {};

  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByText(`${cursor} events`).waitFor();
  await page.getByLabel("Type contains").fill("reply_");
  await page.keyboard.press("Enter");
  const found = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect.poll(() => found.count()).toBe(2);
  await found.first().getByRole("button").click();
  await page.getByRole("group", { name: /^event \d+$/ }).waitFor();
  await page.reload();
  await expect.poll(() => found.count()).toBe(2);

  expectNoMisdeeds(opened);
});

test("another tenant's session, a mistyped id and an unknown page show that there is nothing", async () => {
  const { page, opened } = await openShop();
  const other = await makeTenant("Other");
  const agent = await other.reprise.agents.create({ name: "Theirs" });
  const foreign = await other.reprise.sessions.create({ agent_id: agent.id });
  for (const path of [`/sessions/${foreign.id}`, "/sessions/ses_none", "/no/such/page"]) {
    await visit(page, `/console${path}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }

  expect(await page.title()).toBe("Not found · Reprise");
  expectNoMisdeeds(opened);
});

test("a session is deleted after a question, and gone from the list", async () => {
  const { page, opened, sessions } = await openShop();
  await visit(page, `/console/sessions/${sessions[1]?.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete this session?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  const rows = page.getByRole("table").getByRole("link");
  await expect.poll(() => rows.count()).toBe(2);

  expectNoMisdeeds(opened);
});

test("a console that may only read has no button to delete", async () => {
  const { reprise, sessions } = await openShop();
  const { page } = await openPage(await launch());
  const scopes = ["sessions:read", "agents:read"] as const;
  await signIn(page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(page, `/console/sessions/${sessions[0]?.id}`);
  await page.getByText("Nothing was said yet").waitFor();

  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
});

test("a list of 100,000 sessions draws the rows in view alone, down to the last, without a long task", async () => {
  const { page, opened } = await openShop();
  const total = 100_000;
  // The first page, which is read again and again, has as many rows as are asked for; further ones have more, for a quick way down.
  const [firstRows, perPage] = [100, 10_000];
  const summary = (index: number) => ({
    id: `ses_${String(index).padStart(26, "0")}`,
    agent_id: "agt_1",
    agent_version: 1,
    follows_latest: false,
    end_user_id: `user ${index}`,
    metadata: {},
    created_at: "2026-11-21T09:30:00.000Z",
    status: "idle",
    forked_from: null,
  });
  await page.route("**/v1/sessions?**", async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get("page") ?? 0);
    const next = Math.min(from + (from === 0 ? firstRows : perPage), total);
    await route.fulfill({
      json: {
        data: Array.from({ length: next - from }, (_, index) => summary(from + index)),
        has_more: next < total,
        next_page: next < total ? String(next) : null,
      },
    });
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  const region = page.getByRole("region", { name: "Sessions" });
  const rows = page.getByRole("table").getByRole("link");
  await page.getByText("user 0", { exact: true }).waitFor();
  const drawn: number[] = [];
  const stopWatch = await watchTasks(page);
  await expect
    .poll(async () => {
      await region.press("End");
      drawn.push(await rows.count());
      return page.getByText(`user ${total - 1}`, { exact: true }).count();
    })
    .toBe(1);
  // Back to the middle as a finger does it: many small steps, none of which skips rows.
  await region.hover();
  for (let turn = 0; turn < 100; turn += 1) await page.mouse.wheel(0, -600);
  await expect.poll(() => page.getByText(`user ${total - 1}`, { exact: true }).count()).toBe(0);
  const tasks = await stopWatch();

  expect(Math.max(...drawn)).toBeLessThan(100);
  expect(tasks.count).toBeGreaterThan(100);
  expect(tasks.longest).toBeLessThan(LONG_TASK);
  expectNoMisdeeds(opened);
});

test("on a phone the navigation is a drawer, and no page is wider than the screen", async () => {
  const { reprise, sessions } = await openShop();
  const opened = await openPage(await launch(), { width: 375 });
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const widths: number[] = [];
  for (const path of ["/sessions", "/agents", `/sessions/${sessions[0]?.id}`]) {
    await visit(page, `/console${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    widths.push(Number(await page.evaluate("document.documentElement.scrollWidth")));
  }
  await page.getByRole("button", { name: "Open the navigation" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Agents" }).click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  expect(widths).toEqual([375, 375, 375]);
  expectNoMisdeeds(opened);
});

test("with the keyboard alone a person skips the navigation, opens a session and comes back", async () => {
  const { page, opened } = await openShop();
  await page.getByRole("table").getByRole("link").first().waitFor();
  await page.reload();
  await page.getByRole("table").getByRole("link").first().waitFor();
  await page.keyboard.press("Tab");
  const first = await page.locator(":focus").textContent();
  await page.keyboard.press("Enter");
  await page.getByRole("table").getByRole("link").first().focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nothing was said yet").waitFor();
  const focused = await page.locator(":focus").getAttribute("id");

  expect([first, focused]).toEqual(["Skip to the page", "main"]);
  expectNoMisdeeds(opened);
});

test("a page says that the network is away, and goes on when it is back", async () => {
  const { page } = await openShop();
  await page.getByRole("table").waitFor();
  await page.context().setOffline(true);
  await page.getByText("You are offline").waitFor();
  await page.context().setOffline(false);
  await page.getByText("You are offline").waitFor({ state: "hidden" });
  await page.getByRole("navigation").getByRole("link", { name: "Agents" }).click();

  await page.getByRole("cell", { name: "Refund desk" }).waitFor();
});
