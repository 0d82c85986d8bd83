// Approvals of money: nothing is answered that was not aimed at, an approval can be undone, and all of it is done by keys.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import type { Reprise } from "../../../sdk/index.ts";
import { launch, spoil } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

type Session = Awaited<ReturnType<Reprise["sessions"]["create"]>>;

const REFUND = {
  type: "object",
  properties: {
    order_id: { type: "string", title: "Order" },
    amount: { type: "number", title: "Amount" },
    currency: { type: "string", title: "Currency" },
  },
};

/** A desk with sessions that each ask for a refund of 10 EUR. */
async function openDesk(count: number) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({
    name: "Refund desk",
    tools: [
      {
        type: "http",
        name: "refund_order",
        url: `${inject("toolsUrl")}/refund_order`,
        input_schema: REFUND,
        confirmation_message: "Refund order {order_id}?",
        editable: ["/amount"],
      },
    ],
  });
  const open = async (index: number): Promise<Session> => {
    const session = await reprise.sessions.create({
      agent_id: agent.id,
      end_user_id: `customer ${index}`,
    });
    const input = JSON.stringify({ order_id: `A-${index}`, amount: 10, currency: "EUR" });
    await session.reply(`I was promised it.\n/call refund_order ${input}\n/say Done.`).done();
    return session;
  };
  const sessions = await Promise.all(Array.from({ length: count }, (_, index) => open(index)));
  return { ...tenant, sessions };
}

/** The inbox in a page whose clock the test moves. */
async function openInbox(desk: Awaited<ReturnType<typeof openDesk>>) {
  const opened = await openPage(await launch(), { bypassCSP: true });
  const { page } = opened;
  spoil(page);
  await page.clock.install();
  const sent: string[] = [];
  page.on("request", (request) => {
    const isAnswer = request.method() === "POST" && request.url().endsWith("/v1/confirmations");
    if (isAnswer) sent.push(request.postData() ?? "");
  });
  await signIn(page, (await desk.reprise.consoleLinks.create()).url);
  await visit(page, "/console/inbox");
  await expect.poll(() => page.locator("article").count()).toBe(desk.sessions.length);
  return { opened, page, sent };
}

function approveOf(page: Page, card: number) {
  return page.locator("article").nth(card).getByRole("button", { name: "Approve", exact: true });
}

/** Another person denies the call of a card. */
async function denyCard({ sessions }: { sessions: readonly Session[] }, page: Page, card: number) {
  const key = (await page.locator("article").nth(card).getAttribute("data-key")) ?? "";
  const session = sessions.find(({ id }) => key.startsWith(id));
  await session?.deny(await session.get());
}

/** Answers of people in all sessions. */
async function decisionsOf(sessions: readonly Session[]) {
  const lists = await Promise.all(sessions.map((one) => one.decisions({ limit: 100 }).page()));
  return lists.flatMap(({ data }) => data).filter(({ behavior }) => behavior !== "ask");
}

test("an approval is sent when its time to undo is over; undone, or cut off before, it never is, and the card says so", async () => {
  const desk = await openDesk(7);
  const { page, opened, sent } = await openInbox(desk);
  const violations: Record<string, readonly string[]> = {};
  const card = (index: number) => page.locator("article").nth(index);
  await card(0).getByText("I was promised it.").waitFor();
  // As long as looking at the page takes.
  await page.getByLabel("Time to undo").selectOption("30");
  await press(approveOf(page, 0));
  await card(0)
    .getByText(/sent in \d+ s/)
    .waitFor();
  violations["countdown"] = await findViolations(page);
  await press(card(0).getByRole("button", { name: "Undo" }));
  await page.clock.runFor(35_000);
  const afterUndo = sent.length;
  await page.getByLabel("Time to undo").selectOption("5");
  await press(approveOf(page, 0));
  await press(card(0).getByRole("button", { name: "Now" }));
  await card(0).getByText("by you").waitFor();
  await press(approveOf(page, 1));
  await page.clock.runFor(5_000);
  await card(1).getByText("by you").waitFor();
  const afterTwo = sent.length;
  // The page is closed.
  await press(approveOf(page, 2));
  await page.reload();
  await page.getByText("the page was closed before its time to undo was over").waitFor();
  violations["not sent"] = await findViolations(page);
  // The device sleeps.
  await press(approveOf(page, 1));
  await page.clock.fastForward(3_600_000);
  await card(1).getByText("this device was asleep").waitFor();
  // The network goes, and the browser knows.
  await press(approveOf(page, 2));
  await page.context().setOffline(true);
  await card(2).getByText("the network was gone").waitFor();
  await page.context().setOffline(false);
  // Another page is opened.
  await page.getByLabel("Time to undo").selectOption("30");
  await press(approveOf(page, 3));
  await page.getByRole("navigation", { name: "Approvals" }).getByText("History").click();
  const question = page.getByRole("alertdialog", { name: "1 approval is not sent yet" });
  await question.waitFor();
  violations["leaving"] = await findViolations(page);
  await question.getByRole("button", { name: "Leave, send nothing" }).click();
  await page.getByRole("table").waitFor();
  await page.getByRole("navigation", { name: "Approvals" }).getByText("Waiting").click();
  await card(3).getByText("you left this page").waitFor();
  // Another person is first.
  await press(approveOf(page, 4));
  await denyCard(desk, page, 4);
  await card(4)
    .getByText(/denied by API key .*; your answer came too late/)
    .waitFor();
  violations["answered by someone else"] = await findViolations(page);
  await page.clock.runFor(35_000);
  const decisions = await decisionsOf(desk.sessions);

  expect([afterUndo, afterTwo, sent.length]).toEqual([0, 2, 2]);
  expect(decisions.map(({ behavior }) => behavior).sort()).toEqual(["allow", "allow", "deny"]);
  expect(Object.values(violations).flat()).toEqual([]);
  expectNoMisdeeds(opened);
});

test("many are approved behind one question that says what they add up to, without those that another person answers meanwhile", async () => {
  const desk = await openDesk(4);
  const { page, opened } = await openInbox(desk);
  await page.getByLabel("Time to undo").selectOption("30");
  await page.getByLabel("Choose all 4").check();
  await press(page.getByRole("button", { name: "Approve 4…" }));
  const question = page.getByRole("alertdialog");
  await question.getByText("40.00 EUR").waitFor();
  const violations: Record<string, readonly string[]> = {
    question: await findViolations(page),
  };
  await denyCard(desk, page, 3);
  await question.getByText("30.00 EUR").waitFor();
  await question.getByText("1 of those that you chose waits no more").waitFor();
  await press(question.getByRole("button", { name: "Approve 3" }));
  const bar = page.getByRole("region", { name: "Approvals to be sent" });
  await bar.getByText("3 approvals are not sent yet").waitFor();
  await press(page.locator("article").first().getByRole("button", { name: "Undo" }));
  await bar.getByText("2 approvals are not sent yet").waitFor();
  violations["held"] = await findViolations(page);
  await press(bar.getByRole("button", { name: "Send now" }));
  await expect
    .poll(async () => (await decisionsOf(desk.sessions)).map(({ behavior }) => behavior).sort())
    .toEqual(["allow", "allow", "deny"]);
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  violations["keys"] = await findViolations(page);

  expect(Object.values(violations).flat()).toEqual([]);
  expectNoMisdeeds(opened);
});

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** As a banner that comes late, as tall as a card. */
const PUSH = `{
  const pushed = document.createElement("div");
  pushed.className = "pushes";
  pushed.style.height = document.querySelector("article").offsetHeight + 10 + "px";
  document.querySelector(".inbox-main").prepend(pushed);
}`;

interface Target {
  readonly name: string;
  readonly place: { readonly x: number; readonly y: number };
}

/** Brings one of the buttons *Approve* into view, and says where it is: in one step, since cards may be answered between two. */
const aimAt = (share: number) => `(() => {
  const buttons = [...document.querySelectorAll('[data-state="waiting"] [data-shortcut="a"]')];
  const button = buttons[Math.floor(${share} * buttons.length)];
  if (!button) return null;
  button.scrollIntoView({ block: "center" });
  const { left, top, width, height } = button.getBoundingClientRect();
  const name = button.closest("article").dataset.key;
  return { name, place: { x: left + width / 2, y: top + height / 2 } };
})()`;

test("two people and one queue, at random moments: nothing is ever answered that was not aimed at", async () => {
  const desk = await openDesk(20);
  const random = randomFrom(42);
  const { page, opened } = await openInbox(desk);
  await page.getByLabel("Time to undo").selectOption("0");
  const pick = <One>(from: readonly One[]) => from[Math.floor(random() * from.length)];
  const aimed: string[] = [];
  let others = 0;
  for (let round = 0; round < 18; round += 1) {
    const target = await page.evaluate<Target | null>(aimAt(random()));
    if (!target) break;
    const { name, place } = target;
    aimed.push(name);
    await page.waitForTimeout(Math.floor(random() * 1_000));
    // The other person answers, or something above the list pushes another card under the pointer.
    const act = pick(["answer", "push", "nothing"] as const);
    const session = pick(desk.sessions);
    if (act === "answer" && session) {
      const { pending } = await session.get();
      if (pending.length > 0 && (await session.deny(pending).catch(() => null))) others += 1;
    }
    if (act === "push") {
      await page.evaluate(PUSH);
    }
    await page.mouse.click(place.x, place.y);
    await page.evaluate('document.querySelector(".pushes")?.remove()');
  }
  await expect.poll(() => page.locator('article[data-state="sending"]').count()).toBe(0);
  const decisions = await Promise.all(
    desk.sessions.map(async (one) => {
      const { data } = await one.decisions({ limit: 100 }).page();
      return data.map((decision) => ({ ...decision, key: `${one.id} ${decision.tool_call_id}` }));
    }),
  );
  const answers = decisions.flat().filter(({ behavior }) => behavior !== "ask");
  const approved = answers.filter(({ behavior }) => behavior === "allow").map(({ key }) => key);

  expect(approved.filter((key) => !aimed.includes(key))).toEqual([]);
  expect(approved.length).toBeGreaterThan(0);
  expect(answers.length - approved.length).toBe(others);
  expectNoMisdeeds(opened);
});

test("a support lead's day by keys alone: thirty approvals, three of them edited, two denials, and the focus is never lost", async () => {
  const desk = await openDesk(32);
  const { page, opened } = await openInbox(desk);
  const { keyboard } = page;
  const focused = () =>
    page.evaluate<string | undefined>(
      'document.activeElement.closest("[data-key]")?.getAttribute("data-key")',
    );
  const seen = new Set<unknown>();
  await keyboard.press("j");
  for (let index = 0; index < 32; index += 1) {
    const key = await focused();
    expect(key).toBeTruthy();
    expect(seen.has(key)).toBe(false);
    seen.add(key);
    const isEdited = index % 10 === 5;
    if (isEdited) {
      await keyboard.press("e");
      await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("INPUT");
      await keyboard.press("Control+A");
      await keyboard.type(`${index}.5`);
    }
    // A person looks at it for as long.
    await page.clock.runFor(700);
    const act = index === 7 || index === 21 ? "d" : "a";
    await keyboard.press(isEdited ? "Control+Enter" : act);
    // Held down, or pressed again at once: the next card is not answered by it.
    if (index % 8 === 0) await keyboard.press("a");
    if (index < 31) await expect.poll(focused).not.toBe(key);
  }
  expect(await focused()).toBeTruthy();
  await page.clock.runFor(5_000);
  await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
  await keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  const decisions = await decisionsOf(desk.sessions);
  const edited = decisions.flatMap(({ edited_input }) => (edited_input ? [edited_input] : []));

  expect(await focused()).toBeTruthy();
  expect(decisions.filter(({ behavior }) => behavior === "allow")).toHaveLength(30);
  expect(decisions.filter(({ behavior }) => behavior === "deny")).toHaveLength(2);
  expect(edited.map((text) => (JSON.parse(text) as { amount: number }).amount).sort()).toEqual([
    15.5, 25.5, 5.5,
  ]);
  expectNoMisdeeds(opened);
});
