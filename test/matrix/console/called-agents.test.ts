// Called agents in the console: below the call that has called them, in lists, and where they ask, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { MAX_QUESTION_CHARACTERS } from "../../../protocol/agents/limits.ts";
import type { Scope } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";
import { CORPUS, WHOLE } from "./hostile-corpus.ts";

interface DeskSettings {
  readonly scopes?: readonly Scope[];
  readonly helperName?: string;
}

/** A desk whose agent gives work to another one, which may refund money when a person allows it. */
async function openDesk({ scopes, helperName = "Order desk" }: DeskSettings = {}) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const refund = {
    type: "http",
    name: "refund",
    url: "http://127.0.0.1:9/refund",
    confirmation_message: "Refund {amount} EUR?",
  } as const;
  const helper = await reprise.agents.create({ name: helperName, tools: [refund] });
  const agent = await reprise.agents.create({
    name: "Concierge",
    tools: [{ type: "agent", name: "order_desk", agent_id: helper.id, read_only: true }],
  });
  const session = await reprise.sessions.create({
    agent_id: agent.id,
    end_user_id: "ada",
    title: "A broken cup",
  });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, helper, agent, session, opened, page: opened.page };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

const callOf = (message: string) =>
  `/call order_desk ${JSON.stringify({ message })}\n/say Your parcel has left.`;
const ASKS = callOf('/say I look.\n/call refund {"amount": 12}\n/say It is refunded.');
const cardOf = (page: Page) => page.getByRole("region", { name: "Call of order_desk" });

/** The reply runs until the called agent asks. @returns the session of that agent. */
async function begin({ reprise, session }: Desk, input = ASKS) {
  await session.replies.create(input, { background: true });
  const called = () => reprise.sessions.list({ parent_session_id: session.id }).page(null);
  await expect.poll(async () => (await called()).data.length).toBe(1);
  const [child] = (await called()).data;
  return reprise.session(child?.id ?? "");
}

test("the call of an agent shows what that has done, leads to its session, and that one back", async () => {
  const desk = await openDesk();
  const { page, opened, session, reprise } = desk;
  await session.reply(callOf("/say It left the harbour.")).done();
  const [child] = (await reprise.sessions.list({ parent_session_id: session.id }).page(null)).data;
  await visit(page, `/console/sessions/${session.id}`);
  const agent = cardOf(page).getByRole("region", { name: "Agent Order desk" });
  await agent.getByText("completed").waitFor();
  await agent.getByText("What it has done").click();
  await agent.getByText("It left the harbour.").waitFor();
  await page.getByRole("tab", { name: "Called agents" }).click();
  const table = page.getByRole("region", { name: "Called agents" });
  const row = await table.locator("tbody tr").innerText();
  await table.getByRole("link").first().click();
  await page.getByText("It left the harbour.", { exact: true }).last().waitFor();
  const below = new URL(page.url()).pathname;
  await page.getByRole("link", { name: session.id }).click();
  await page.getByRole("heading", { name: "A broken cup" }).waitFor();
  await visit(page, "/console/sessions");
  await page.getByRole("link", { name: "called", exact: true }).click();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
  const filter = new URL(page.url()).searchParams.get("parent_session_id");

  expect(row).toMatch(/Order desk v1\s+ended/);
  expect([below, filter]).toEqual([`/console/sessions/${child?.id}`, session.id]);
  expectNoMisdeeds(opened);
});

test("the question of a called agent is answered where its caller is read, and both go on", async () => {
  const desk = await openDesk();
  const { page, opened, session } = desk;
  const child = await begin(desk);
  await visit(page, `/console/sessions/${session.id}`);
  const question = cardOf(page).getByRole("region", { name: "Question about refund" });
  await question.getByText("Refund 12 EUR?").waitFor();
  await cardOf(page).getByText("I look.", { exact: true }).waitFor();
  await question.getByRole("button", { name: "Deny…" }).click();
  await question.getByLabel("Reason").fill("Not this one.");
  await question.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByText("Your parcel has left.", { exact: true }).waitFor();
  await question.waitFor({ state: "detached" });
  const [decision] = (await child.decisions().page(null)).data;

  expect(decision).toMatchObject({
    tool_name: "refund",
    behavior: "deny",
    reason: "Not this one.",
  });
  expect(await session.get()).toMatchObject({ status: "idle" });
  expectNoMisdeeds(opened);
});

test("a question whose input is too large to be shown is not allowed where its caller is read", async () => {
  const desk = await openDesk();
  const { page, opened, session } = desk;
  const note = "x".repeat(MAX_QUESTION_CHARACTERS);
  await begin(desk, callOf(`/call refund {"amount": 12, "note": "${note}"}\n/say It is refunded.`));
  await visit(page, `/console/sessions/${session.id}`);
  const question = cardOf(page).getByRole("region", { name: "Question about refund" });
  await question.getByText("is too large to be shown here").waitFor();
  await question.getByRole("button", { name: "Deny…" }).waitFor();

  expect(await question.getByRole("button", { name: "Allow" }).count()).toBe(0);
  expectNoMisdeeds(opened);
});

test("the playground shows a called agent at work, and its question is allowed there", async () => {
  const desk = await openDesk();
  const { page, opened, session } = desk;
  await visit(page, `/console/playground?session=${session.id}`);
  await page.getByRole("textbox", { name: "Your message" }).fill(ASKS);
  await page.keyboard.press("Enter");
  const question = cardOf(page).getByRole("region", { name: "Question about refund" });
  await question.getByRole("button", { name: "Allow" }).click();
  await page.getByText("Your parcel has left.", { exact: true }).waitFor();
  await page.reload();
  const agent = cardOf(page).getByRole("region", { name: "Agent Order desk" });
  await agent.getByText("What it has done").click();
  await agent.getByText("It is refunded.").waitFor();

  expect(await session.get()).toMatchObject({ status: "idle" });
  expectNoMisdeeds(opened);
});

test("among the approvals the card says whose question it is, and its answer is seen at the caller", async () => {
  const desk = await openDesk();
  const { page, opened, session } = desk;
  await begin(desk);
  await visit(page, "/console/inbox");
  const card = page.getByRole("article", { name: "Refund 12 EUR?" });
  const words = card.getByText("Asked by a called agent, under the call of order_desk in");
  await words.waitFor();
  const root = await words.getByRole("link").getAttribute("href");
  await page.getByLabel("Time to undo").selectOption("0");
  await press(card.getByRole("button", { name: /^Approve/ }));
  await expect.poll(async () => (await session.get()).status).toBe("idle");

  expect(root).toBe(`/console/sessions/${session.id}`);
  expect(await words.innerText()).toContain("“A broken cup”");
  expectNoMisdeeds(opened);
});

test("who may only read sees the question and no answer to give", async () => {
  const desk = await openDesk({ scopes: ["sessions:read", "agents:read", "replies:read"] });
  const { page, opened, session } = desk;
  await begin(desk);
  await visit(page, `/console/sessions/${session.id}`);
  const question = cardOf(page).getByRole("region", { name: "Question about refund" });
  await question.getByText("Waits for a person who may confirm calls.").waitFor();
  const buttons = await question.getByRole("button", { name: /Allow|Deny/ }).count();
  await session.interrupt();

  expect(buttons).toBe(0);
  expectNoMisdeeds(opened);
});

test("hostile words of a called agent, and its name, are shown as the texts that they are", async () => {
  const [script = "", picture = ""] = CORPUS;
  const desk = await openDesk({ helperName: picture });
  const { page, opened, session } = desk;
  const words = WHOLE.replaceAll(/\s+/g, " ");
  await begin(desk, callOf(`/say ${words}\n/call refund ${JSON.stringify({ amount: script })}`));
  await visit(page, `/console/sessions/${session.id}`);
  const agent = cardOf(page).getByRole("region", { name: `Agent ${picture}` });
  await agent.getByRole("region", { name: "Question about refund" }).waitFor();
  await agent.getByText(script).first().waitFor();
  await visit(page, `/console/sessions/${session.id}?tab=agents`);
  await page.getByRole("region", { name: "Called agents" }).getByText(picture).waitFor();
  await visit(page, "/console/inbox");
  await page.getByText("Asked by a called agent").waitFor();
  const elements = await page.locator("main :is(img, iframe, script, style)").count();
  await session.interrupt();

  expect(elements).toBe(0);
  expectNoMisdeeds(opened);
});
