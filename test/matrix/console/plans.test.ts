// Plans in the console: given, changed while the agent works, accepted and taken away, in Chromium.
import { expect, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openPlanner(scopes?: readonly ["sessions:read", "agents:read"]) {
  const tenant = await makeTenant("Research");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({ name: "Friday", plan: { tools: "notebook" } });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  await visit(opened.page, `/console/sessions/${session.id}?tab=plan`);
  return { ...tenant, agent, session, opened, page: opened.page };
}

test("a person gives a plan, the agent works on it, and both see the same", async () => {
  const { page, opened, session } = await openPlanner();
  await page.getByText("No plan now").waitFor();
  await page.getByRole("button", { name: "New plan" }).click();
  const form = page.getByRole("dialog", { name: "Give a new plan" });
  await form.getByLabel("Name").fill("Research on agents");
  await form.getByLabel("Step 1", { exact: true }).fill("Write the report");
  await form.getByRole("button", { name: "Add a step" }).click();
  await form.getByLabel("Step 2", { exact: true }).fill("Find surveys");
  const second = form.getByRole("group", { name: "Step 2" });
  await second.getByLabel("Accepted by").selectOption("person");
  await second.getByLabel("Criteria").fill("Three at least.");
  await form.getByRole("button", { name: "Move step 2 up" }).click();
  await form.getByRole("button", { name: "Save the plan" }).click();
  await form.waitFor({ state: "hidden" });
  const steps = page.getByRole("list", { name: "Steps of Research on agents" });
  await steps.getByRole("listitem").nth(1).waitFor();
  const { plan } = await session.plan();

  await session
    .reply('/call update_subtask_state {"subtask_idx": 0, "state": "in_progress"}\n/say Begun.')
    .done();
  await steps.getByText("in progress", { exact: true }).waitFor();

  expect(plan?.subtasks.map(({ name, acceptance }) => [name, acceptance?.kind])).toEqual([
    ["Find surveys", "person"],
    ["Write the report", undefined],
  ]);
  expectNoMisdeeds(opened);
});

test("a form that was open while the agent changed the plan writes over nothing", async () => {
  const { page, opened, session } = await openPlanner();
  await session.setPlan({ name: "Research", subtasks: [{ name: "Find surveys" }] });
  await page.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit the plan" });
  await form.getByLabel("Name").fill("Another name");
  await session
    .reply('/call finish_subtask {"subtask_idx": 0, "subtask_outcome": "Three."}\n/say Done.')
    .done();
  await page.getByText("1 of 1 steps").waitFor();
  await form.getByRole("button", { name: "Save the plan" }).click();
  const said = await form.getByRole("alert").innerText();
  const { plan } = await session.plan();
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await form.getByLabel("Name").fill("Another name");
  await form.getByRole("button", { name: "Save the plan" }).click();
  await form.waitFor({ state: "hidden" });
  const saved = (await session.plan()).plan;

  expect(said).toMatch(/version/);
  expect([plan?.name, saved?.name]).toEqual(["Research", "Another name"]);
  expect(saved?.subtasks[0]).toMatchObject({ state: "done", outcome: "Three." });
  expectNoMisdeeds({ ...opened, misdeeds: opened.misdeeds.filter((text) => !/ 412 /.test(text)) });
});

test("a plan that is taken away is among the earlier ones, with hostile texts as texts", async () => {
  const { page, opened, session } = await openPlanner();
  const name = '<img src=x onerror="alert(1)">';
  await session.setPlan({ name, subtasks: [{ name: "<script>alert(2)</script>" }] });
  await page.getByRole("button", { name: "Take away" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Take the plan away?" });
  await dialog.getByRole("button", { name: "Take it away" }).click();
  await page.getByText("No plan now").waitFor();
  await page.getByRole("region", { name: "Earlier plans" }).getByText(name).first().click();
  await page.getByText("<script>alert(2)</script>").waitFor();

  expect((await session.plan()).history).toMatchObject([{ name, state: "abandoned" }]);
  expectNoMisdeeds(opened);
});

test("a console that only reads shows the plan without buttons, and nothing of another tenant's", async () => {
  const { page, opened, session } = await openPlanner(["sessions:read", "agents:read"]);
  await session.setPlan({ name: "Research", subtasks: [{ name: "Find surveys" }] });
  await page.reload();
  await page.getByRole("article", { name: "Plan Research" }).waitFor();
  const buttons = await page.getByRole("tabpanel").getByRole("button").count();
  const other = await openPlanner();
  await visit(page, `/console/sessions/${other.session.id}?tab=plan`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(buttons).toBe(0);
  expectNoMisdeeds(opened);
});

test("a plan for an agent that makes none is refused in words, and the form stays", async () => {
  const { page, reprise } = await openPlanner();
  const plain = await reprise.agents.create({ name: "Plain" });
  const session = await reprise.sessions.create({ agent_id: plain.id });
  await visit(page, `/console/sessions/${session.id}?tab=plan`);
  await page.getByRole("button", { name: "New plan" }).click();
  const form = page.getByRole("dialog", { name: "Give a new plan" });
  await form.getByLabel("Name").fill("Research");
  await form.getByLabel("Step 1", { exact: true }).fill("Find surveys");
  await form.getByRole("button", { name: "Save the plan" }).click();

  expect(await form.getByRole("alert").innerText()).toMatch(/plan/);
  expect(await form.getByLabel("Name").inputValue()).toBe("Research");
});

test("the playground shows the plan beside the conversation, as it changes", async () => {
  const { page, opened, agent } = await openPlanner();
  await visit(page, `/console/playground?agent=${agent.id}&panel=plan`);
  const call = 'create_plan {"name": "Trip", "description": "", "expected_outcome": "Tickets.", ';
  const message = page.getByRole("textbox", { name: "Your message" });
  await message.fill(
    `/call ${call}"subtasks": [{"name": "Book", "description": "", "expected_outcome": ""}]}\n/say Planned.`,
  );
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Plan Trip" }).getByText("Book").waitFor();

  expectNoMisdeeds(opened);
});
