// The approvals inbox, in Chromium against the running platform.
import type { Locator, Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { launch } from "./browser-pages.ts";
import {
  expectNoMisdeeds,
  makeTenant,
  openPage,
  press,
  signIn,
  visit,
  watch,
} from "./console-browser.ts";

const SCHEMA = {
  type: "object",
  properties: { order_id: { type: "string" }, note: { type: "string" } },
  required: ["order_id"],
};

/** A tenant whose agent asks before it refunds; a session for each order, which waits. */
async function openDesk(orders: readonly string[]) {
  const tenant = await makeTenant("Shop");
  const agent = await tenant.reprise.agents.create({
    name: "Refund desk",
    permission: { mode: "default", rules: [{ tool_name: "ask_warehouse", behavior: "allow" }] },
    tools: [
      {
        type: "http",
        name: "refund_order",
        url: `${inject("toolsUrl")}/refund_order`,
        input_schema: SCHEMA,
        editable: ["/note"],
      },
      { type: "external", name: "ask_warehouse", input_schema: { type: "object" } },
    ],
  });
  const sessions = [];
  for (const order_id of orders) {
    const session = await tenant.reprise.sessions.create({
      agent_id: agent.id,
      end_user_id: `customer of ${order_id}`,
    });
    await session.reply(`/call refund_order ${JSON.stringify({ order_id })}\n/say Done.`).done();
    sessions.push(session);
  }
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  await visit(opened.page, "/console/inbox");
  await opened.page.getByLabel("Time to undo").selectOption("0");
  return { ...tenant, agent, sessions, opened, page: opened.page };
}

function cardsOf(page: Page) {
  return page.getByRole("list", { name: "Waiting calls" }).locator("> li");
}

/** Cards that were not answered. */
function waitingOf(page: Page) {
  return cardsOf(page).filter({ has: page.locator('[data-state="waiting"]') });
}

function buttonOf(card: Locator, name: string) {
  return card.getByRole("button", { name, exact: true });
}

test("of two tabs that answer the same calls, the second is told for each call that it came too late, and by whom", async () => {
  const { page, opened, sessions } = await openDesk(["A-1", "A-2", "A-3"]);
  const second = await watch(await page.context().newPage());
  await visit(second.page, "/console/inbox");
  await expect.poll(() => cardsOf(page).count()).toBe(3);
  await expect.poll(() => cardsOf(second.page).count()).toBe(3);
  // The second tab has chosen, and does not look again before it answers.
  await second.page.getByLabel("Choose all 3").check();
  await second.page.route("**/v1/confirmations?**", (route) => route.abort());

  await press(buttonOf(cardsOf(page).nth(0), "Approve"));
  await expect.poll(() => waitingOf(page).count()).toBe(2);
  await press(buttonOf(cardsOf(page).nth(1), "Deny"));
  await expect.poll(() => waitingOf(page).count()).toBe(1);
  await press(second.page.getByRole("button", { name: "Approve 3…" }));
  await press(second.page.getByRole("alertdialog").getByRole("button", { name: "Approve 3" }));
  const told = second.page.getByRole("region", { name: "Your answers" }).getByRole("listitem");
  await expect.poll(() => told.count()).toBe(3);
  await expect.poll(() => told.nth(1).textContent()).toMatch(/\(denied by API key /);
  const outcomes = await told.allTextContents();

  expect(
    outcomes.map((text) => /approved|answered by someone else meanwhile/.exec(text)?.[0]),
  ).toEqual([
    "answered by someone else meanwhile",
    "answered by someone else meanwhile",
    "approved",
  ]);
  expect(outcomes[0]).toMatch(/\(approved by API key /);
  await expect.poll(() => waitingOf(page).count()).toBe(0);
  await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
  for (const session of sessions)
    await expect.poll(async () => (await session.get()).status).toBe("idle");
  expectNoMisdeeds(opened);
});

test("the navigation counts what waits, also when it was answered elsewhere", async () => {
  const { page, opened, sessions } = await openDesk(["A-1", "A-2"]);
  const pages = page.getByRole("navigation", { name: "Pages" });
  const entry = pages.getByRole("link", { name: "Approvals" });
  await expect.poll(() => entry.textContent()).toBe("Approvals2 calls wait");
  await press(buttonOf(cardsOf(page).nth(0), "Approve"));
  await expect.poll(() => entry.textContent()).toBe("Approvals1 call waits");
  const waiting = await Promise.all(sessions.map((session) => session.get()));
  const left = waiting.find(({ pending }) => pending.length > 0);
  if (!left) throw new Error("nothing waits any more");
  await sessions.find(({ id }) => id === left.id)?.deny(left);
  // Without a touch of the page.
  await expect.poll(() => entry.textContent()).toBe("Approvals");
  expectNoMisdeeds(opened);
});

test("calls come by themselves, and one that is open stays when it is answered elsewhere", async () => {
  const { page, opened, sessions, reprise, agent } = await openDesk(["A-1"]);
  await cardsOf(page).nth(0).getByRole("button", { name: "Edit, reason" }).click();
  await page.getByRole("region", { name: "Who may answer" }).getByText("API keys with").waitFor();
  const other = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "late" });
  await other.reply('/call refund_order {"order_id":"A-9"}').done();
  await page.getByRole("status").getByText("1 new call waits.").waitFor();
  await expect.poll(() => cardsOf(page).count()).toBe(2);
  const [session] = sessions;
  await session?.confirm(await session.get(), { confirmed: false });
  await page.getByText("waits no more", { exact: true }).waitFor();

  const card = cardsOf(page).nth(0);
  await card.getByText(/denied by API key /).waitFor();
  expect(await buttonOf(card, "Approve").isDisabled()).toBe(true);
  await expect.poll(() => cardsOf(page).count()).toBe(2);
  await card.getByRole("button", { name: "Put away" }).click();
  await expect.poll(() => cardsOf(page).count()).toBe(1);
  expectNoMisdeeds(opened);
});

test("arguments are edited within what the tool allows, a rule is taken, and both are in the history", async () => {
  const { page, opened, sessions } = await openDesk(["A-1"]);
  const [session] = sessions;
  const card = cardsOf(page).nth(0);
  await card.getByRole("button", { name: "Edit, reason" }).click();
  await card.getByText("cannot be changed").waitFor();
  await card.getByRole("button", { name: "JSON", exact: true }).click();
  const field = card.getByLabel("Arguments");
  await field.fill("{ nothing");
  await card
    .getByRole("alert")
    .getByText(/no JSON|not JSON/)
    .waitFor();
  await expect.poll(() => card.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
  await field.fill('{"order_id":"A-2"}');
  await press(card.getByRole("button", { name: "Approve with the change" }));
  const told = page.getByRole("region", { name: "Your answers" }).getByRole("listitem");
  await told.getByText("refused").waitFor();
  const refused = await told.first().textContent();
  await card.getByRole("alert").getByText("order_id").waitFor();
  await field.fill('{"order_id":"A-1"}');
  await card.getByRole("button", { name: "Form", exact: true }).click();
  await card.getByLabel("Note").fill("paid twice");
  await card.getByRole("checkbox", { name: /allow refund_order/ }).check();
  await press(card.getByRole("button", { name: "Approve with the change and always allow" }));
  await expect.poll(() => told.first().textContent()).toMatch(/^ ?approved/);
  await expect.poll(async () => (await session?.get())?.status).toBe("idle");
  const rules = await session?.permissionRules.list().page();
  await page.getByRole("navigation", { name: "Approvals" }).getByText("History").click();
  const rows = page.getByRole("table").locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  const [answer, question] = await rows.allTextContents();
  await page.getByLabel("Decided by").selectOption("platform");
  await expect.poll(() => rows.count()).toBe(1);

  expect(refused).toMatch(/order_id/);
  const own = rules?.data.filter(({ scope }) => scope === "session");
  expect(own?.map(({ behavior, tool_name }) => [behavior, tool_name])).toEqual([
    ["allow", "refund_order"],
  ]);
  expect(answer).toMatch(/refund_order.*allow.*API key .*with edited arguments/s);
  expect(question).toMatch(/refund_order.*ask.*the rules/s);
  expectNoMisdeeds(opened);
});

test("a result from elsewhere is given by hand, and a console that may only read answers nothing", async () => {
  const { page, opened, reprise, agent } = await openDesk([]);
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.reply('/call ask_warehouse {"shelf":7}\n/say Thanks.').done();
  const scopes = ["confirmations:read"] as const;
  const reader = await openPage(await launch());
  await signIn(reader.page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(reader.page, "/console/inbox");
  await expect.poll(() => cardsOf(reader.page).count()).toBe(1);
  await cardsOf(reader.page).getByText("may not read conversations").waitFor();
  const seen = await cardsOf(reader.page).getByRole("button").allTextContents();

  const card = cardsOf(page).nth(0);
  await card.getByRole("button", { name: "Give the result" }).click();
  await card.getByLabel("Result").fill("three pairs");
  await press(card.getByRole("button", { name: "Send the result" }));
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  await expect.poll(() => waitingOf(reader.page).count()).toBe(0);
  const { message } = (await session.replies.list().page()).data[0] ?? {};

  expect(seen).toEqual(["Details…", "JSON"]);
  expect(JSON.stringify(message)).toContain("three pairs");
  expectNoMisdeeds(opened);
  expectNoMisdeeds(reader);
});

test("the calls of another tenant are not in the list, its session's id finds none, and filters are kept by name", async () => {
  const { page, opened } = await openDesk(["A-1"]);
  const other = await openDesk(["B-1"]);
  await visit(page, `/console/inbox?session_id=${other.sessions[0]?.id}`);
  await page.getByRole("heading", { name: "Nothing that waits fits these filters" }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => cardsOf(page).count()).toBe(1);
  await page.getByLabel("End user").fill("customer of A-1");
  await page.keyboard.press("Enter");
  await page.getByText("1 fit these filters; 1 call waits in all").waitFor();
  await page.getByRole("button", { name: "Save these filters" }).click();
  await page.getByLabel("Name").fill("Customer A");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await visit(page, "/console/inbox?end_user_id=nobody");
  await page.getByRole("heading", { name: "Nothing that waits fits these filters" }).waitFor();
  await page.getByRole("button", { name: "Customer A", exact: true }).click();
  await expect.poll(() => cardsOf(page).count()).toBe(1);

  expect(await cardsOf(page).first().textContent()).toContain("customer of A-1");
  expectNoMisdeeds(opened);
});
