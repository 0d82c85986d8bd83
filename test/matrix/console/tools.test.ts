// A tool is called by hand from the agent's page, in Chromium against the running platform.
import { expect, onTestFinished, test } from "vitest";

import { startLoopbackServer } from "../../support/loopback-server.ts";
import { CORPUS } from "./hostile-corpus.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

const ORDER = {
  type: "object",
  properties: {
    order_id: { type: "string", description: "The order's number" },
    amount: { $ref: "#/$defs/amount" },
    notes: { type: "array", items: { type: "string" } },
    // No form can draw it: it is JSON text.
    extra: { not: { type: "string" } },
  },
  required: ["order_id"],
  $defs: { amount: { type: "integer", minimum: 1 } },
};

async function openShop(permission: object = {}) {
  const asked: unknown[] = [];
  const server = await startLoopbackServer(({ body }, response) => {
    asked.push(body);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ state: "delivered", note: CORPUS[1] }));
  });
  onTestFinished(() => server.stop());
  const tenant = await makeTenant("Shop");
  const tool = (name: string) =>
    ({ type: "http", name, url: `${server.url}/${name}`, input_schema: ORDER }) as const;
  const agent = await tenant.reprise.agents.create({
    name: "Desk",
    tools: [tool("look_up"), tool("refund"), { type: "external", name: "label" }],
    ...permission,
  });
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, asked, agent, opened, page: opened.page };
}

test("arguments of a form reach the tool, its answer is shown as text, and so is what the rules decide", async () => {
  const { page, opened, asked, agent } = await openShop();
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByRole("tab", { name: "Try a tool" }).click();
  await page.getByLabel("Order id").fill("A-1");
  await page.getByLabel("Amount").fill("12");
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const text = await page.getByLabel("Arguments", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Form", exact: true }).click();
  await page.getByRole("button", { name: "Call the tool" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("delivered").waitFor();
  const shown = await result.textContent();

  expect(JSON.parse(text)).toEqual({ order_id: "A-1", amount: 12 });
  expect(asked).toMatchObject([
    { name: "look_up", input: { order_id: "A-1", amount: 12 }, reply_id: "by_hand" },
  ]);
  expect(shown).toContain("HTTP 200");
  expect(shown).toContain("In a session a model's call like this oneask");
  expectNoMisdeeds(opened);
});

test("a text that is not JSON is not sent, an input that does not fit is refused with its reason, and a deny rule holds", async () => {
  const { page, opened, asked, agent } = await openShop({
    permission: {
      mode: "default",
      rules: [{ tool_name: "refund", behavior: "deny", rule_content: null, source: "agent" }],
    },
  });
  await visit(page, `/console/agents/${agent.id}?tab=tools`);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const json = page.getByLabel("Arguments", { exact: true });
  await json.fill('{"order_id": ');
  const call = page.getByRole("button", { name: "Call the tool" });
  const isOffered = await call.isEnabled();
  await json.fill('{"order_id": 7}');
  await call.click();
  await page
    .getByRole("alert")
    .getByText(/does not fit the tool.s schema/)
    .waitFor();
  await page.getByRole("button", { name: "refund" }).click();
  await page.getByLabel("Order id").fill("A-1");
  await call.click();
  await page.getByText("A deny rule forbids this call").waitFor();
  await page.getByRole("button", { name: "label" }).click();
  await page.getByText("Another system runs it").waitFor();

  expect([isOffered, asked]).toEqual([false, []]);
  // The browser prints each refusal.
  expectNoMisdeeds({ page, misdeeds: opened.misdeeds.filter((one) => !/status of 40/.test(one)) });
});

test("a console without the scope is not offered tools", async () => {
  const { reprise, agent } = await openShop();
  const opened = await openPage(await launch());
  const scopes = ["sessions:read", "agents:read", "agents:write"] as const;
  await signIn(opened.page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(opened.page, `/console/agents/${agent.id}?tab=tools`);
  await opened.page.getByRole("tab", { name: "Replay" }).waitFor();

  expect(await opened.page.getByRole("tab", { name: "Try a tool" }).count()).toBe(0);
  expectNoMisdeeds(opened);
});
