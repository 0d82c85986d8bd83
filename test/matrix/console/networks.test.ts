// The console on networks that are slow, or away for a minute, in Chromium.
import { expect, inject, test } from "vitest";

import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { refundDeskAgent } from "../../../scripts/refund-desk-agent.ts";
import { launch, spoil } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit, watch } from "./console-browser.ts";

async function makeDesk() {
  const tenant = await makeTenant();
  const port = Number(new URL(inject("toolsUrl")).port);
  const agent = await tenant.reprise.agents.create(refundDeskAgent(port));
  return { ...tenant, agent };
}

test("on a slow network every page loads, and a refund is asked for, allowed and ended", async () => {
  const { reprise, agent } = await makeDesk();
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  spoil(page);
  const devtools = await page.context().newCDPSession(page);
  // A telephone's network of 20 years ago: 50 kB a second each way, and a second before anything answers.
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 1_000,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await visit(page, `/console/playground?agent=${agent.id}`);
  await page.getByRole("textbox", { name: "Your message" }).fill("Please refund order A-1001.");
  await page.keyboard.press("Enter");
  const refund = page.getByRole("region", { name: "Call of refund_order" });
  await refund.getByRole("button", { name: "Allow", exact: true }).click();
  const label = page.getByRole("region", { name: "Call of print_label" });
  await label.getByRole("textbox", { name: "Result" }).fill("RETURN-7741");
  await label.getByRole("button", { name: "Submit the result" }).click();
  await page.locator("header").getByRole("status").getByText("idle", { exact: true }).waitFor();
  const id = new URL(page.url()).searchParams.get("session") ?? "";
  await visit(page, "/console/sessions");
  await page.getByRole("link", { name: "Please refund order A-1001." }).click();
  await page.getByText("RETURN-7741").last().waitFor();

  expect(await reprise.session(id).get()).toMatchObject({ status: "idle", pending: [] });
  expectNoMisdeeds(opened);
});

test("a page that was offline for a minute shows all that happened, and sends once what was written meanwhile", async () => {
  const { reprise, agent } = await makeDesk();
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const browser = await launch();
  const context = await browser.newContext();
  // The page's clock alone: the platform's goes on as ever.
  await context.clock.install();
  const { page } = await watch(await context.newPage());
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, `/console/playground?session=${session.id}`);
  await page.getByRole("textbox", { name: "Your message" }).fill("/rate 100\n/words 100");
  await page.keyboard.press("Enter");
  const status = page.locator("header").getByRole("status");
  await page.getByText("harbour").first().waitFor();

  await context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  await context.clock.fastForward("01:00");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  await session.reply("/say Said while it was away.").done();
  await page.getByRole("textbox", { name: "Your message" }).fill("/say Written while it was away.");
  await page.keyboard.press("Enter");
  await context.clock.fastForward("01:00");
  expect(await page.getByText("Said while it was away.", { exact: true }).count()).toBe(0);
  await context.setOffline(false);
  await page.getByText("You are offline").waitFor({ state: "hidden" });
  await context.clock.fastForward("01:00");
  await page.getByText("Said while it was away.", { exact: true }).waitFor();
  await page.getByText("Written while it was away.", { exact: true }).waitFor();
  await status.getByText("idle", { exact: true }).waitFor();

  const messages = (await session.messages.list().page()).data;
  const texts = messages.map((message) => getTextContent(message as Msg));
  expect(texts.filter((text) => text === "/say Written while it was away.")).toHaveLength(1);
  expect(messages).toHaveLength(6);
  await expect.poll(() => page.getByRole("article").count()).toBe(6);
});
