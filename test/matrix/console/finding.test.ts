// Finding sessions and what failed, in Chromium against the running platform.
import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openShop() {
  const tenant = await makeTenant("Shop");
  const agent = await tenant.reprise.agents.create({ name: "Refund desk" });
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  const open = (settings = {}) =>
    tenant.reprise.sessions.create({ agent_id: agent.id, ...settings });
  return { ...tenant, agent, opened, page: opened.page, open };
}

test("the list shows new sessions and states by itself, but moves no row under the pointer", async () => {
  const { page, opened, open } = await openShop();
  const [first, second] = [await open({ title: "The first" }), await open({ title: "The second" })];
  await visit(page, "/console/sessions");
  const links = page.getByRole("table").getByRole("link");
  await expect.poll(() => links.allTextContents()).toEqual(["The second", "The first"]);

  await page.getByRole("link", { name: "The first" }).hover();
  await open({ title: "The third" });
  await second.reply("/fail invalid_request").done();
  await page.getByRole("button", { name: "Show 1 new" }).waitFor();
  await page.getByRole("row", { name: /The second.*failed/ }).waitFor();
  const held = await links.allTextContents();
  await page.getByRole("button", { name: "Show 1 new" }).click();
  await expect.poll(() => links.count()).toBe(3);
  const shown = await links.allTextContents();
  await page.mouse.move(0, 0);
  await open({ title: "The fourth" });
  await page.getByRole("link", { name: "The fourth" }).waitFor();

  expect(held).toEqual(["The second", "The first"]);
  expect(shown).toEqual(["The third", "The second", "The first"]);
  // A page of one session that is open shows what others do there.
  await visit(page, `/console/sessions/${first.id}`);
  await page.getByText("Nothing was said yet").waitFor();
  await first.reply("/say By another one.").done();
  await page.getByText("By another one.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Title").fill("");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "/say By another one.", level: 1 }).waitFor();
  expectNoMisdeeds(opened);
});

test("all that there is of an end user is exported, and erased when the name is typed", async () => {
  const { page, opened, open } = await openShop();
  const session = await open({ title: "About shoes", end_user_id: "ann" });
  await open({ title: "About hats", end_user_id: "anna" });
  await session.reply("/say Size 42.").done();
  await visit(page, "/console/sessions?end_user_id=ann");
  await page.getByRole("link", { name: "About shoes" }).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export all" }).click();
  const saved = await download;
  const text = await readFile(await saved.path(), "utf8");
  expect([saved.suggestedFilename(), text.split("\n").filter(Boolean).length]).toEqual([
    "ann.jsonl",
    4,
  ]);

  await page.getByRole("button", { name: "Erase this end user" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Erase ann?" });
  const erase = dialog.getByRole("button", { name: "Erase" });
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("ann");
  await erase.click();
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return page.getByText("No session fits these filters").count();
    })
    .toBe(1);
  await visit(page, "/console/sessions");
  await page.getByRole("link", { name: "About hats" }).waitFor();
  expect(await page.getByRole("link", { name: "About shoes" }).count()).toBe(0);
  expectNoMisdeeds(opened);
});

test("failures are on the home page and by cause, each leads to its diagnostics, and plots count them", async () => {
  const { page, opened, open } = await openShop();
  const failed = await open({ end_user_id: "ann" });
  await failed.reply("/fail invalid_request").done();
  await visit(page, "/console/home");
  const home = page.getByRole("region", { name: "Failures" });
  await home.getByRole("link", { name: "/fail invalid_request" }).waitFor();
  const reason = await home.getByRole("listitem").textContent();

  await home.getByRole("link", { name: "All failures" }).click();
  await page.getByRole("heading", { name: /^invalid request/ }).waitFor();
  await page.getByRole("button", { name: "Retry 1" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Retry 1 reply?" });
  await dialog.getByText("they may cost $0 together").waitFor();
  await dialog.getByRole("button", { name: "Retry" }).click();
  await dialog.getByText("1 of 1 done. 1 now error").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(async () => (await failed.replies.list().page()).data.length).toBe(2);
  await page.getByRole("link", { name: "/fail invalid_request" }).click();
  await page.getByRole("list", { name: "Timeline" }).waitFor();
  const { id: reply_id } = (await failed.replies.list().page()).data[0] ?? {};
  const timeline = new URL(page.url()).searchParams;
  await visit(page, "/console/plots?span=24h&by=agent");
  await page.getByRole("group", { name: "Failures by cause" }).waitFor();
  await page
    .getByRole("list", { name: "Colours of Failures by cause" })
    .getByText("invalid request")
    .waitFor();
  await page
    .getByRole("list", { name: "Colours of Replies by agent" })
    .getByText("Refund desk")
    .waitFor();

  const running = await open({ title: "Long" });
  await running.replies.create("/rate 5\n/words 500", { background: true });
  await visit(page, "/console/sessions?status=running");
  await page.getByRole("button", { name: "Interrupt 1" }).click();
  const asked = page.getByRole("alertdialog", { name: "Interrupt 1 session?" });
  await asked.getByRole("button", { name: "Interrupt" }).click();
  await asked.getByText("1 of 1 done. 1 interrupted").waitFor();

  for (const word of ["one", "two"]) {
    await (await open({ end_user_id: "ben", title: word })).reply(`/say ${word}`).done();
  }
  await visit(page, "/console/sessions?end_user_id=ben");
  await page.getByRole("button", { name: "Replay 2" }).click();
  const replayed = page.getByRole("alertdialog", { name: "Replay 2 sessions?" });
  await replayed.getByText("When they were recorded they have cost $0 together.").waitFor();
  await replayed.getByRole("button", { name: "Replay" }).click();
  await replayed.getByText("2 of 2 done. 2 the same").waitFor();

  expect(reason).toContain("invalid request: ");
  expect([timeline.get("tab"), timeline.get("reply")]).toEqual(["timeline", reply_id]);
  expectNoMisdeeds(opened);
});
