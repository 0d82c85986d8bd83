// The permission rules and their simulator, in Chromium against the running platform.
import { expect, inject, test } from "vitest";
import type { Page } from "playwright-core";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

const SCHEMA = { type: "object", properties: { order_id: { type: "string" } } };

async function openRules() {
  const tenant = await makeTenant("Shop");
  const agent = await tenant.reprise.agents.create({
    name: "Refund desk",
    permission: {
      mode: "default",
      rules: [
        { tool_name: "refund_order", rule_content: "A-1", behavior: "deny" },
        { tool_name: "refund_order", behavior: "ask" },
        { tool_name: "lookup_order", behavior: "allow" },
      ],
    },
    tools: ["refund_order", "lookup_order", "track_order"].map((name) => ({
      read_only: name === "track_order",
      type: "http" as const,
      name,
      url: `${inject("toolsUrl")}/${name}`,
      input_schema: SCHEMA,
      rule_argument: "/order_id",
    })),
  });
  const session = await tenant.reprise.sessions.create({ agent_id: agent.id });
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, agent, session, opened, page: opened.page };
}

test("a typed call shows which rule decides, in its place in the order, and that none does where the tool decides", async () => {
  const { page, opened, session } = await openRules();
  await visit(page, "/console/rules");
  const order = page.getByRole("list", { name: "Order of precedence" });
  const decision = page.getByTestId("decision");
  const marked = order.locator("ul [data-decides]");
  await page.getByLabel("Tool", { exact: true }).fill("refund_order");
  await page.getByLabel("Input").fill('{"order_id":"A-1"}');
  await page.getByRole("button", { name: "What is decided?" }).click();
  await decision.waitFor();
  const denied = [await decision.textContent(), await marked.textContent()];
  await page.getByLabel("Input").fill('{"order_id":"A-2"}');
  await decision.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "What is decided?" }).click();
  await decision.waitFor();
  const asked = [await decision.textContent(), await marked.textContent()];
  await page.getByLabel("Input").fill("[1]");
  await page.getByText("This is no JSON object.").waitFor();
  const isOff = await page.getByRole("button", { name: "What is decided?" }).isDisabled();

  await page.getByLabel("Tool", { exact: true }).fill("track_order");
  await page.getByLabel("Input").fill("{}");
  await page.getByRole("button", { name: "What is decided?" }).click();
  await decision.waitFor();
  const byTool = await order.locator("> li[data-decides]").allTextContents();
  await session.permissionRules.create([{ tool_name: "refund_order", behavior: "deny" }]);
  await page.getByLabel("Session id").fill(session.id);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "The session" }).waitFor();
  await page.getByLabel("Tool", { exact: true }).fill("refund_order");
  await page.getByLabel("Input").fill('{"order_id":"A-2"}');
  await page.getByRole("button", { name: "What is decided?" }).click();
  await decision.waitFor();
  const bySession = [await decision.textContent(), await marked.textContent()];
  await page.getByRole("button", { name: "Remove the rule about refund_order" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => order.getByText("the session’s").count()).toBe(0);
  await page.getByRole("button", { name: "What is decided?" }).click();
  await decision.waitFor();
  const after = await decision.textContent();

  expect(denied).toEqual([
    expect.stringMatching(/^deny.*refund_order\(A-1\)/),
    "deny refund_order(A-1)the agent’s",
  ]);
  expect(asked).toEqual([
    expect.stringMatching(/^ask.*refund_order every call/),
    "ask refund_order every callthe agent’s",
  ]);
  expect(isOff).toBe(true);
  expect(bySession).toEqual([
    expect.stringMatching(/^deny/),
    expect.stringMatching(/^deny refund_order every callthe session’s/),
  ]);
  expect(after).toMatch(/^ask/);
  expect(byTool).toEqual(["The call only reads: it is allowed"]);
  expectNoMisdeeds(opened);
});

test("a tool's name that is offered late is not mixed with what a person types", async () => {
  const { page, opened, session } = await openRules();
  const { promise: isTyping, resolve: startTyping } = Promise.withResolvers<void>();
  await page.route(/\/versions\/1$/, async (route) => {
    await isTyping;
    await route.continue();
  });
  await visit(page, `/console/rules?session_id=${session.id}`);
  const tool = page.getByLabel("Tool", { exact: true });
  await tool.focus();
  startTyping();
  await page.getByText("The agent has refund_order").waitFor();
  await page.keyboard.type("track_order");

  expect(await tool.inputValue()).toBe("track_order");
  expectNoMisdeeds(opened);
});

test("a changed rule shows which past calls it would have decided otherwise, and is saved as a version", async () => {
  const { page, opened, session, agent, reprise } = await openRules();
  await session.reply('/call refund_order {"order_id":"A-1"}\n/say Sorry.').done();
  await session.reply('/call lookup_order {"order_id":"A-2"}\n/say It is here.').done();
  await session.reply('/call refund_order {"order_id":"A-3"}\n/say Done.').done();
  await visit(page, `/console/rules?agent_id=${agent.id}`);
  const trial = page.getByRole("region", { name: "Try other rules" });
  await trial.getByRole("button", { name: "Which past calls change?" }).click();
  await trial.getByText(/^No call changes, of 3 in 1 sessions/).waitFor();
  await trial.getByRole("button", { name: "Remove rule 1" }).click();
  await expect.poll(() => trial.getByText("No call changes").count()).toBe(0);
  await trial.getByLabel("Decision of rule 2").selectOption("deny");
  await trial.getByRole("button", { name: "Which past calls change?" }).click();
  const changed = trial.getByRole("list", { name: "Calls that change" }).getByRole("listitem");
  await expect.poll(() => changed.count()).toBe(2);
  const found = await changed.allTextContents();
  const before = await reprise.agents.get(agent.id);
  await trial.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("version 2").waitFor();
  const saved = await reprise.agents.get(agent.id);

  expect(
    found.map((text) => /^(\w+_order)(allow|ask|deny)(allow|ask|deny)/.exec(text)?.slice(1)),
  ).toEqual([
    ["lookup_order", "allow", "deny"],
    ["refund_order", "deny", "ask"],
  ]);
  expect(before.version).toBe(1);
  expect(saved.permission).toEqual({
    mode: "default",
    rules: [
      { tool_name: "refund_order", rule_content: null, behavior: "ask", source: "agent" },
      { tool_name: "lookup_order", rule_content: null, behavior: "deny", source: "agent" },
    ],
  });
  expectNoMisdeeds(opened);
});

test("a rule of a session that would decide about no call is warned of while it is typed, and where it is listed", async () => {
  const { page, opened, session } = await openRules();
  await visit(page, `/console/rules?session_id=${session.id}`);
  await page.getByRole("button", { name: "Add a rule" }).click();
  const form = page.getByRole("dialog", { name: "Add a rule to this session" });
  const warning = (text: string) => page.getByRole("status").filter({ hasText: text });
  await form.getByLabel("Tool").fill("refund_ordr");
  await warning("Tool the session has no tool refund_ordr; did you mean").waitFor();
  if (process.env["PICTURES"]) await takePictures(page, `${process.env["PICTURES"]}/add-rule`);
  await form.getByLabel("Tool").fill("lookup_order");
  await form.getByLabel("Decision").selectOption("deny");
  await expect.poll(() => form.getByRole("status").count()).toBe(0);
  await form.getByLabel("Tool").fill("refund_order");
  await form.getByLabel("Decision").selectOption("allow");
  await warning("Rule rule 1 of the agent decides every call of refund_order").waitFor();
  await form.getByRole("button", { name: "Add" }).click();
  await form.waitFor({ state: "detached" });
  await warning("allow refund_order rule 1 of the agent decides every call").waitFor();
  if (process.env["PICTURES"]) await takePictures(page, `${process.env["PICTURES"]}/session-rules`);
  const rules = await session.permissionRules.list().page();
  await page.getByRole("button", { name: "Remove the rule about refund_order" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => page.getByRole("status").count()).toBe(0);

  expect(rules.data[0]).toMatchObject({
    scope: "session",
    behavior: "allow",
    tool_name: "refund_order",
    rule_content: null,
  });
  expectNoMisdeeds(opened);
});

async function takePictures(page: Page, path: string): Promise<void> {
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${path}-${width}.png` });
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

test("another tenant's agent and session show that there is nothing", async () => {
  const { page, opened } = await openRules();
  const other = await openRules();
  for (const query of [`agent_id=${other.agent.id}`, `session_id=${other.session.id}`]) {
    await visit(page, `/console/rules?${query}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }

  expectNoMisdeeds(opened);
});
