// The pages about agents, in Chromium against the running platform.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openShop() {
  const tenant = await makeTenant("Shop");
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, opened, page: opened.page };
}

const isValid = (page: Page) => page.getByText("Valid", { exact: true }).waitFor();
const field = (page: Page, pointer: string) => page.locator(`[data-pointer="${pointer}"]`);

test("an agent is made from the refund desk's example, and is what the platform stores", async () => {
  const { page, opened, reprise } = await openShop();
  await visit(page, "/console/agents");
  await page.getByRole("link", { name: "Begin with an example" }).click();
  await page.getByRole("button", { name: /Refund desk, you play the shop/ }).click();
  await isValid(page);
  await field(page, "#/name").getByRole("textbox").fill("Desk of Ann");
  await field(page, "#/max_iters").getByRole("spinbutton").fill("7");
  await isValid(page);
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByRole("heading", { name: "Desk of Ann" }).waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const { name, max_iters, tools, version } = await reprise.agents.get(id);

  expect({
    name,
    max_iters,
    version,
    tools: tools.map((tool) => [tool.type, "name" in tool && tool.name]),
  }).toEqual({
    name: "Desk of Ann",
    max_iters: 7,
    version: 1,
    tools: [
      ["external", "lookup_order"],
      ["external", "refund_order"],
    ],
  });
  expectNoMisdeeds(opened);
});

test("what the platform would refuse is shown at its field while a person types, and nothing is saved", async () => {
  const { page, opened, reprise } = await openShop();
  const tools = [{ type: "external", name: "lookup" } as const];
  const agent = await reprise.agents.create({ name: "Desk", tools });
  await visit(page, `/console/agents/${agent.id}`);
  await isValid(page);
  await field(page, "#/tools/0/name").getByRole("textbox").fill("look up");
  await page.getByRole("list", { name: "Problems" }).waitFor();
  const told = await field(page, "#/tools/0/name").locator(".field-error").textContent();
  await page.getByRole("button", { name: "tools › 0 › name" }).click();
  const focused = await page.locator(":focus").inputValue();
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("1 problem").waitFor();
  const { version } = await reprise.agents.get(agent.id);
  await page.getByRole("button", { name: "Undo changes" }).click();
  await isValid(page);

  expect(told).toMatch(/^A tool's name is 1 to 64 letters/);
  expect([focused, version]).toEqual(["look up", 1]);
  // The browser prints each refusal.
  expectNoMisdeeds({ page, misdeeds: opened.misdeeds.filter((one) => !/status of 400/.test(one)) });
});

test("parts that say nothing are warned of while a person types and by the check, and hinder nobody", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({
    name: "Desk",
    tools: [{ type: "external", name: "refund_order" }],
    permission: { rules: [{ tool_name: "refund_ordr", behavior: "deny" }] },
  });
  await visit(page, `/console/agents/${agent.id}`);
  const warning = page.getByRole("status").filter({ hasText: "did you mean `refund_order`?" });
  await warning.waitFor();
  if (process.env["PICTURES"]) await takePictures(page, process.env["PICTURES"]);
  await page.getByRole("tab", { name: "Check" }).click();
  await page.getByRole("button", { name: "Check version 1" }).click();
  await page.getByRole("heading", { name: "Version 1 can run" }).waitFor();
  await warning.waitFor();
  await page.getByRole("tab", { name: "Definition" }).click();
  await field(page, "#/permission/rules/0/tool_name").getByRole("textbox").fill("refund_order");
  await warning.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("v2", { exact: true }).waitFor();

  expect((await reprise.agents.get(agent.id)).permission.rules[0]?.tool_name).toBe("refund_order");
  expectNoMisdeeds(opened);
});

async function takePictures(page: Page, folder: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/warnings-${colorScheme}-${width}.png` });
    }
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

test("the JSON beside the form changes the form, and text that is no JSON cannot be saved", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk" });
  await visit(page, `/console/agents/${agent.id}`);
  await isValid(page);
  const json = page.getByLabel("Definition as JSON");
  const definition = JSON.parse(await json.inputValue()) as object;
  await json.fill(JSON.stringify({ ...definition, name: "By JSON", budget: { max_tokens: 9 } }));
  const inForm = await field(page, "#/budget/max_tokens").getByRole("spinbutton").inputValue();
  await json.fill('{"name": ');
  await page.getByText("A text is not JSON", { exact: true }).waitFor();
  const save = page.getByRole("button", { name: "Save as a new version" });
  const isOffered = await save.isEnabled();
  await json.fill(JSON.stringify({ ...definition, name: "By JSON", budget: { max_tokens: 9 } }));
  await save.click();
  await page.getByRole("heading", { name: "By JSON" }).waitFor();
  const { budget, version } = await reprise.agents.get(agent.id);

  expect([inForm, isOffered, budget, version]).toEqual(["9", false, { max_tokens: 9 }, 2]);
  expectNoMisdeeds(opened);
});

test("a member that is taken away has no effect any more", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk", budget: { max_tokens: 5 } });
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByRole("button", { name: "Take budget away" }).click();
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("v2", { exact: true }).waitFor();

  expect((await reprise.agents.get(agent.id)).budget).toEqual({});
  expectNoMisdeeds(opened);
});

test("versions are compared, and an old one becomes the newest again", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk", system_prompt: "One.\nTwo." });
  await reprise.agents.update(agent.id, {
    system_prompt: "One.\nThree.",
    context: { max_images: 1 },
  });
  await visit(page, `/console/agents/${agent.id}?tab=versions`);
  const changes = page.getByRole("list", { name: "Changes" });
  await changes.getByText("taken away: Two.").waitFor();
  const lines = await changes.locator(".diff-line").allTextContents();
  await page.getByRole("button", { name: /^v1/ }).click();
  await page.getByText("The first version").waitFor();
  await page.getByRole("button", { name: "Go back to v1" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Go back" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /^v3/ }).waitFor();
  const { version, system_prompt, context } = await reprise.agents.get(agent.id);

  expect(lines.map((line) => line.replaceAll("\n", ""))).toEqual([
    "  One.",
    "- taken away: Two.",
    "+ added: Three.",
    "+ added: {",
    '+ added:   "max_images": 1',
    "+ added: }",
  ]);
  expect([version, system_prompt, context]).toEqual([3, "One.\nTwo.", {}]);
  expectNoMisdeeds(opened);
});

test("a version that another tab saved meanwhile is not replaced unseen", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk" });
  await visit(page, `/console/agents/${agent.id}`);
  await isValid(page);
  await field(page, "#/name").getByRole("textbox").fill("Mine");
  await reprise.agents.update(agent.id, { max_iters: 3 });
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText(/Version 2 was saved meanwhile/).waitFor();
  const refused = await reprise.agents.get(agent.id);
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("v3", { exact: true }).waitFor();

  expect([refused.name, refused.version]).toEqual(["Desk", 2]);
  expect((await reprise.agents.get(agent.id)).name).toBe("Mine");
  expectNoMisdeeds(opened);
});

test("unsaved changes are not lost without a question", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk" });
  await visit(page, `/console/agents/${agent.id}`);
  await isValid(page);
  await field(page, "#/name").getByRole("textbox").fill("Other");
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByText("The first version").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Sessions" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("tab", { name: "Definition" }).click();
  const kept = await field(page, "#/name").getByRole("textbox").inputValue();
  await page.getByRole("navigation").getByRole("link", { name: "Sessions" }).click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByText("No sessions yet").waitFor();

  expect(kept).toBe("Other");
  expectNoMisdeeds(opened);
});

test("the check says which model answers and which tool cannot be reached", async () => {
  const { page, opened, reprise } = await openShop();
  const url = "http://127.0.0.1:9/refund";
  const agent = await reprise.agents.create({
    name: "Desk",
    tools: [{ type: "http", name: "refund", url }],
  });
  await visit(page, `/console/agents/${agent.id}?tab=check`);
  await page.getByRole("button", { name: "Check version 1" }).click();
  await page.getByRole("heading", { name: "Version 1 would fail" }).waitFor();
  const findings = page.getByRole("list", { name: "Findings" }).getByRole("listitem");

  expect(await findings.locator(".badge").allTextContents()).toEqual(["ok", "failed"]);
  expectNoMisdeeds(opened);
});

test("a console that may only read shows the definition and changes nothing; a foreign agent is not there", async () => {
  const { reprise } = await openShop();
  const other = await makeTenant("Other");
  const foreign = await other.reprise.agents.create({ name: "Theirs" });
  const agent = await reprise.agents.create({ name: "Desk" });
  const opened = await openPage(await launch());
  const { page } = opened;
  const scopes = ["sessions:read", "agents:read"] as const;
  await signIn(page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(page, `/console/agents/${agent.id}`);
  const isEditable = await field(page, "#/name").getByRole("textbox").isEditable();
  const buttons = page.getByRole("button", { name: /Save|Delete|Add to|Take|Set/ });
  const offered = await buttons.count();
  await visit(page, `/console/agents/${foreign.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect([isEditable, offered]).toEqual([false, 0]);
  expect(page.url()).toBe(`${inject("baseUrl")}/console/agents/${foreign.id}`);
  expectNoMisdeeds(opened);
});
