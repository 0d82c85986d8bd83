// The first page and the tour, in Chromium against the running platform.
import { expect, inject, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, visit } from "./console-browser.ts";

async function openHome(scopes?: readonly ["sessions:read", "agents:read"]) {
  const tenant = await makeTenant("New shop");
  const browser = await launch();
  const opened = await openPage(browser);
  const { page } = opened;
  await page.goto(
    (await tenant.reprise.consoleLinks.create(scopes && { scopes: [...scopes] })).url,
  );
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  return { ...tenant, opened, page };
}

test("a fresh tenant begins at its home page, and the tour makes one refund desk, however often it is taken", async () => {
  const { page, opened, reprise } = await openHome();
  await page.getByText("No conversation yet").waitFor();
  const start = page.url();
  await page.getByRole("button", { name: "Start the tour" }).click();
  const tour = page.getByRole("complementary", { name: "Tour" });
  await tour.getByText("Step 1 of 6").waitFor();
  const [agent] = (await reprise.agents.list().page()).data;
  const playground = page.url();
  await tour.getByText("Please refund order A-1001.").waitFor();
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("heading", { name: "Approve, with an edit" }).waitFor();
  await page.reload();
  await tour.getByRole("heading", { name: "Approve, with an edit" }).waitFor();
  await tour.getByRole("button", { name: "Back" }).click();
  await tour.getByText("Step 2 of 6").waitFor();
  await tour.getByRole("button", { name: "End the tour" }).click();
  await tour.waitFor({ state: "detached" });
  await visit(page, "/console/home");
  await page.getByRole("button", { name: "Take the tour again" }).click();
  await tour.getByText("Step 1 of 6").waitFor();
  for (let step = 1; step < 6; step += 1) await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("link", { name: "See the session" }).click();
  await page.getByText("No session fits these filters").waitFor();
  await tour.getByRole("button", { name: "Done" }).click();
  await tour.waitFor({ state: "detached" });

  expect(start).toBe(`${inject("baseUrl")}/console/home`);
  expect(playground).toBe(`${inject("baseUrl")}/console/playground?agent=${agent?.id}`);
  const agents = (await reprise.agents.list().page()).data;
  expect(agents.map(({ id, name }) => [id, name])).toEqual([[agent?.id, "Refund desk"]]);
  expectNoMisdeeds(opened);
});

test("the tour's refund desk waits for a lookup, then for a person, then for a label", async () => {
  const { page, reprise } = await openHome();
  await page.getByRole("button", { name: "Start the tour" }).click();
  await page.getByRole("complementary", { name: "Tour" }).waitFor();
  const [agent] = (await reprise.agents.list().page()).data;
  const session = await reprise.sessions.create({ agent_id: agent?.id ?? "" });
  const statusOf = async () => (await session.get()).status;
  await session.reply("Please refund order A-1001.").done();
  const first = await statusOf();
  await session.submitToolResults(await session.get(), "four espresso cups");
  await expect.poll(statusOf).toBe("awaiting_permission");
  const [refund] = (await session.get()).pending;
  await session.confirm(await session.get(), {
    input: { order_id: "A-1001", amount: "12.50 EUR" },
  });
  await expect
    .poll(() => session.get())
    .toMatchObject({
      status: "awaiting_external_result",
      pending: [{ tool_call: { name: "refund_order" } }],
    });
  await session.submitToolResults(await session.get(), "paid back");
  await expect
    .poll(() => session.get())
    .toMatchObject({
      status: "awaiting_external_result",
      pending: [{ tool_call: { name: "print_label" } }],
    });
  await session.submitToolResults(await session.get(), "RETURN-7741");
  await expect.poll(statusOf).toBe("idle");

  expect(first).toBe("awaiting_external_result");
  expect(refund?.tool_call.name).toBe("refund_order");
});

test("the tour that was put off stays away in this browser; what goes on is shown", async () => {
  const { page, opened, reprise } = await openHome();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("region", { name: "The tour" }).waitFor({ state: "detached" });
  const agent = await reprise.agents.create({
    name: "Desk",
    tools: [{ type: "external", name: "print_label" }],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ann" });
  await session.reply("/call print_label {}").done();
  await page.reload();
  const sessions = page.getByRole("region", { name: "Newest sessions" });
  await sessions.getByText("waits for permission").waitFor();

  expect(await page.getByRole("region", { name: "The tour" }).count()).toBe(0);
  await expect
    .poll(() => page.getByText("Wait for permission").locator("..").innerText())
    .toMatch(/\s1\s/);
  await sessions.getByRole("link", { name: "/call print_label {}" }).click();
  await page.getByRole("region", { name: "Call of print_label" }).waitFor();
  expectNoMisdeeds(opened);
});

test("a console that changes nothing has no tour, and leaves out what it may not read", async () => {
  const { page, opened } = await openHome(["sessions:read", "agents:read"]);
  await page.getByText("No conversation yet").waitFor();

  expect(await page.getByRole("button", { name: /tour/ }).count()).toBe(0);
  expect(await page.getByText("Tokens today").count()).toBe(0);
  expectNoMisdeeds(opened);
});
