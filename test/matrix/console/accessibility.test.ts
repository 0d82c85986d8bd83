// axe on every page of the console, in light and dark, and in each state that a page has.
import { expect, inject, onTestFinished, test } from "vitest";

import { fillAbilities } from "../../../scripts/console/fill-abilities.ts";
import { showMonthOfUsage } from "../../../scripts/console/month-of-usage.ts";
import { readPages } from "../../../scripts/console/read-pages.ts";
import { openApi } from "../../../scripts/local-api.ts";
import { startRawServer, TOOL } from "../../support/mcp/raw-server.ts";
import { launch } from "./browser-pages.ts";
import { makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";
import { findViolations, pathsLookedAt } from "./find-violations.ts";
import { lookAtMemory } from "./look-at-memory.ts";
import { lookAtTriggers } from "./look-at-triggers.ts";
import { lookAtRooms } from "./look-at-rooms.ts";

const UNUSABLE = { name: "unusable", inputSchema: { type: "object", pattern: "(" } };
type Tenant = Awaited<ReturnType<typeof makeTenant>>;

/** Violations by the state of a page; each test says how many states it looks at, so that none is lost. */
type Found = Record<string, readonly string[]>;

/** A browser whose policy would not stop axe itself, which is evaluated as text. */
async function openBrowser() {
  const browser = await launch();
  const options = { bypassCSP: true };
  const { page } = await openPage(browser, options);
  return { browser, options, page };
}

/** A refund desk with a call that waits, and one that was denied. */
async function fillDesk({ reprise }: Tenant) {
  const agent = await reprise.agents.create({
    name: "Refund desk",
    permission: { mode: "default", rules: [] },
    tools: [{ type: "http", name: "refund", url: "http://127.0.0.1:9/refund" }],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ann" });
  await session.reply('/think Hm.\n/say # Hello\n/call refund {"order": 1}').done();
  const denied = await reprise.sessions.create({ agent_id: agent.id });
  await denied.deny(await denied.replies.create('/call refund {"order": 1}'));
  await expect.poll(async () => (await denied.get()).status).toBe("idle");
  return { agent, session, denied };
}

function expectNone(violations: Found, states: number): void {
  expect(Object.values(violations).flat()).toEqual([]);
  expect(Object.keys(violations)).toHaveLength(states);
}

test("no page of sessions, agents and the playground has a serious violation in light or dark", async () => {
  const tenant = await makeTenant();
  const { reprise } = tenant;
  const empty = await makeTenant("Empty");
  const { agent, session, denied } = await fillDesk(tenant);
  const { page } = await openBrowser();
  const violations: Found = {};

  await page.goto((await empty.reprise.consoleLinks.create()).url);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  violations["sign-in"] = await findViolations(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No conversation yet").waitFor();
  violations["home"] = await findViolations(page);
  await visit(page, "/console/sessions");
  await page.getByText("No sessions yet").waitFor();
  violations["no sessions"] = await findViolations(page);
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menu").waitFor();
  violations["menu"] = await findViolations(page);
  await page.keyboard.press("Escape");
  await visit(page, "/console/nowhere");
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  violations["not found"] = await findViolations(page);

  await signIn(page, (await reprise.consoleLinks.create()).url);
  await page.getByRole("table").getByRole("link").first().waitFor();
  violations["sessions"] = await findViolations(page);
  await visit(page, "/console/agents");
  await page.getByRole("cell", { name: "Refund desk" }).waitFor();
  violations["agents"] = await findViolations(page);
  await visit(page, "/console/agents/new");
  await page.getByRole("list", { name: "Examples" }).waitFor();
  violations["examples"] = await findViolations(page);
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByText("Valid", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Set context" }).click();
  await page.getByLabel("Definition as JSON").fill("{");
  await page.getByText("A text is not JSON", { exact: true }).waitFor();
  violations["editor"] = await findViolations(page);
  await page.getByRole("button", { name: "Undo changes" }).click();
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByText("The first version").waitFor();
  violations["versions"] = await findViolations(page);
  await page.getByRole("tab", { name: "Check" }).click();
  await page.getByRole("button", { name: "Check version 1" }).click();
  await page.getByRole("list", { name: "Findings" }).waitFor();
  violations["check"] = await findViolations(page);
  await page.getByRole("tab", { name: "Try a tool" }).click();
  await page.getByRole("button", { name: "Call the tool" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  violations["tool"] = await findViolations(page);
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByLabel("Recorded session").selectOption(denied.id);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("list", { name: "Calls of reply 1" }).waitFor();
  violations["replay on a version"] = await findViolations(page);

  for (const [tab, role, name] of [
    ["timeline", "list", "Timeline"],
    ["replay", "slider", "Event"],
    ["decisions", "region", "Decisions"],
    ["context", "region", "Window"],
  ] as const) {
    await visit(page, `/console/sessions/${session.id}?tab=${tab}`);
    await page.getByRole(role, { name }).waitFor();
    violations[tab] = await findViolations(page);
  }
  await visit(page, `/console/sessions/${session.id}`);
  await page.getByRole("region", { name: "Call of refund" }).waitFor();
  violations["conversation"] = await findViolations(page);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").waitFor();
  violations["dialog"] = await findViolations(page);
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("region", { name: "Events" }).getByRole("button").first().click();
  await page.getByRole("group", { name: /^event \d+$/ }).waitFor();
  violations["events"] = await findViolations(page);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("group", { name: "session" }).waitFor();
  violations["data"] = await findViolations(page);
  await visit(page, "/console/playground");
  await page.getByRole("heading", { name: "Talk to an agent" }).waitFor();
  violations["playground"] = await findViolations(page);
  await visit(page, `/console/playground?session=${session.id}`);
  await page.getByRole("button", { name: "Edit…" }).click();
  await page.getByRole("region", { name: "Events" }).getByRole("button").first().click();
  violations["playground, events"] = await findViolations(page);
  for (const [tab, shown] of [
    ["Context", /of [\d,]+ tokens/],
    ["State", "Nothing has changed it yet."],
    ["Files", "No files"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByText(shown).waitFor();
    violations[`playground, ${tab}`] = await findViolations(page);
  }
  await page.getByRole("button", { name: "Allow with these arguments" }).click();
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("region", { name: "Code of the last request" }).waitFor();
  violations["playground, code"] = await findViolations(page);

  expectNone(violations, 27);
});

test("no page of people and keys has a serious violation in light or dark", async () => {
  const tenant = await makeTenant();
  const { reprise } = tenant;
  const { agent, session } = await fillDesk(tenant);
  await session.confirm(await session.get());
  const { page } = await openBrowser();
  const violations: Found = {};
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const waiting = await reprise.sessions.create({ agent_id: agent.id });
  await waiting.reply('/call refund {"order": 2}').done();
  await visit(page, "/console/inbox");
  await page.getByRole("button", { name: "Edit, reason" }).click();
  await page.getByRole("region", { name: "Who may answer" }).getByText("API keys").waitFor();
  await page.getByLabel("Choose this call").check();
  violations["inbox"] = await findViolations(page);
  await press(page.getByRole("button", { name: "Deny 1" }));
  await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
  violations["answers, nothing waits"] = await findViolations(page);
  await visit(page, "/console/inbox/history");
  await page.getByRole("table").waitFor();
  violations["decisions"] = await findViolations(page);
  await visit(page, "/console/rules");
  await page.getByRole("button", { name: "What is decided?" }).click();
  await page.getByTestId("decision").waitFor();
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Tool of rule 1").fill("refund");
  await page.getByLabel("Decision of rule 1").selectOption("deny");
  await page.getByRole("button", { name: "Which past calls change?" }).click();
  await page.getByRole("list", { name: "Calls that change" }).waitFor();
  violations["rules"] = await findViolations(page);
  await visit(page, "/console/keys");
  await page.getByRole("table").waitFor();
  violations["keys"] = await findViolations(page);
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("dialog").waitFor();
  violations["new key"] = await findViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByText("It is not shown again").waitFor();
  violations["secret"] = await findViolations(page);
  await visit(page, "/console/members");
  await page.getByText("No members yet").waitFor();
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Ada Winter");
  violations["new member"] = await findViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("It is not shown again").waitFor();
  violations["invitation"] = await findViolations(page);
  await visit(page, "/console/members/providers");
  await page.getByText("No sign-in providers yet").waitFor();
  await page.getByRole("button", { name: "Add a provider" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Shop login");
  violations["new sign-in provider"] = await findViolations(page);
  await visit(page, `/console/keys/tokens?session_id=${session.id}`);
  await page.getByText("No live token").waitFor();
  violations["tokens"] = await findViolations(page);
  await visit(page, "/console/webhooks");
  await page.getByText("No endpoints yet").waitFor();
  violations["no webhooks"] = await findViolations(page);
  const endpoint = await reprise.webhookEndpoints.create({
    url: "http://127.0.0.1:9/hook",
    events: ["*"],
  });
  const delivery = await reprise.webhookEndpoints.test(endpoint.id);
  await visit(page, `/console/webhooks/${endpoint.id}`);
  await page.getByRole("table").waitFor();
  violations["webhook"] = await findViolations(page);
  await visit(page, `/console/webhooks/${endpoint.id}/${delivery.id}`);
  await page.getByRole("region", { name: "Attempts" }).waitFor();
  violations["delivery"] = await findViolations(page);

  for (const [path, text] of [
    ["failures", "Nothing has failed"],
    ["plots", "No reply has ended in this time"],
    ["usage", "No usage in these days"],
    ["files", "No files yet"],
    ["quotas", "Running replies"],
  ] as const) {
    await visit(page, `/console/${path}?end_user_id=none&model_name=none`);
    await page.getByText(text).first().waitFor();
    violations[path] = await findViolations(page);
  }
  await showMonthOfUsage(page);
  await visit(page, "/console/usage?by=model&measure=money");
  await page.getByText("As a table").click();
  await page.getByRole("group", { name: "US dollars by day and model" }).focus();
  await page.keyboard.press("End");
  violations["chart"] = await findViolations(page);
  await visit(page, "/console/audit");
  await page.getByRole("button", { name: "Agent created" }).click();
  await page.getByRole("region", { name: "After" }).waitFor();
  violations["audit"] = await findViolations(page);
  await visit(page, "/console/home");
  await page.getByRole("button", { name: "Start the tour" }).click();
  await page.getByRole("complementary", { name: "Tour" }).waitFor();
  violations["tour"] = await findViolations(page);

  expectNone(violations, 22);
});

test("no page of abilities, and none of the operator's, has a serious violation in light or dark", async () => {
  const { id, apiKey, reprise, operator } = await makeTenant();
  const { browser, options, page } = await openBrowser();
  const violations: Found = {};
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const planner = await reprise.agents.create({ name: "Planner", plan: {} });
  const planned = await reprise.sessions.create({ agent_id: planner.id });
  await planned.setPlan({ name: "Trip", subtasks: [{ name: "Book" }, { name: "Go" }] });
  await visit(page, `/console/sessions/${planned.id}?tab=plan`);
  await page.getByRole("article", { name: "Plan Trip" }).waitFor();
  violations["plan"] = await findViolations(page);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Step 2", { exact: true }).waitFor();
  violations["plan editor"] = await findViolations(page);
  await visit(page, "/console/skills");
  await page.getByText("No skills yet").waitFor();
  violations["no skills"] = await findViolations(page);
  await visit(page, "/console/skills/new");
  await page.getByRole("button", { name: "Write a file" }).click();
  await page.getByLabel("Path of file 1").fill("../x");
  await page.getByRole("button", { name: "Create the skill" }).click();
  await page.getByText("holds no empty name").waitFor();
  violations["new skill"] = await findViolations(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("No skills yet").waitFor();
  const api = openApi(inject("baseUrl"), apiKey);
  const { skillId, equipped } = await fillAbilities(api, "http://127.0.0.1:9/hook");
  await visit(page, "/console/skills");
  await page.getByRole("table").waitFor();
  violations["skills"] = await findViolations(page);
  await visit(page, `/console/skills/${skillId}`);
  await page.getByRole("button", { name: "stamp.bin" }).click();
  await page.getByText("A binary file").waitFor();
  violations["binary file"] = await findViolations(page);
  await page.getByRole("button", { name: "SKILL.md" }).click();
  await page.getByRole("region", { name: "Text of SKILL.md" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("link", { name: "Clerk" }).waitFor();
  violations["skill, deleting"] = await findViolations(page);
  await visit(page, `/console/skills/${skillId}/new-version`);
  await page.getByRole("button", { name: "Save as version 3" }).waitFor();
  violations["new version of a skill"] = await findViolations(page);
  await visit(page, `/console/sessions/${equipped}?tab=hooks`);
  await page.getByRole("button", { name: "Remove all" }).waitFor();
  violations["hooks"] = await findViolations(page);
  await page.getByRole("button", { name: "Add a hook" }).click();
  await page.getByRole("dialog").getByLabel("Signed with").waitFor();
  violations["new hook"] = await findViolations(page);
  await visit(page, `/console/sessions/${equipped}?tab=tools`);
  await page.getByRole("region", { name: "Group web" }).waitFor();
  violations["tools"] = await findViolations(page);
  await page.getByRole("button", { name: "Add a tool" }).click();
  await page.getByLabel("Definition as JSON").waitFor();
  violations["new tool"] = await findViolations(page);

  const mcp = await startRawServer({ "tools/list": () => ({ tools: [TOOL, UNUSABLE] }) });
  onTestFinished(() => mcp.stop());
  const server = await reprise.mcpServers.create({ name: "warehouse", url: mcp.url });
  await visit(page, `/console/mcp-servers/${server.id}`);
  await page.getByRole("button", { name: "Call the tool" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  violations["MCP server"] = await findViolations(page);
  await page.getByRole("button", { name: "unusable not usable" }).click();
  await page.getByText("No model is offered it").waitFor();
  mcp.on("tools/list", () => ({ tools: "all" }));
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("alert").waitFor();
  violations["MCP server that lies"] = await findViolations(page);
  await visit(page, "/console/mcp-servers");
  await page.getByRole("table").waitFor();
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.getByRole("dialog").waitFor();
  violations["new MCP server"] = await findViolations(page);
  mcp.on("tools/list", () => ({ tools: [TOOL, UNUSABLE] }));
  const tools = [{ type: "mcp" as const, server_id: server.id }];
  const desk = await reprise.agents.create({ name: "Warehouse desk", tools });
  await visit(page, `/console/agents/${desk.id}`);
  await page.getByRole("list", { name: "Tools of the server" }).waitFor();
  violations["tools of a server"] = await findViolations(page);
  await page.getByRole("tab", { name: "Connect" }).click();
  await page.getByRole("region", { name: "Settings as JSON" }).waitFor();
  violations["connect"] = await findViolations(page);
  await visit(page, "/console/connections");
  await page.getByText("No connections yet").waitFor();
  violations["no connections"] = await findViolations(page);
  await visit(page, "/console/token-issuers");
  await page.getByText("No token issuers yet").waitFor();
  await page.getByRole("button", { name: "Add an issuer" }).click();
  await page.getByRole("dialog").waitFor();
  violations["new token issuer"] = await findViolations(page);

  Object.assign(violations, await lookAtMemory(page, reprise));
  Object.assign(violations, await lookAtTriggers(page, reprise));
  Object.assign(violations, await lookAtRooms(page, reprise));

  const phone = await openPage(browser, { ...options, width: 375 });
  await signIn(phone.page, (await operator.consoleLinks.create()).url);
  await phone.page.getByRole("table").waitFor();
  await phone.page.getByRole("button", { name: "Open the navigation" }).click();
  await phone.page.getByRole("dialog").waitFor();
  violations["drawer"] = await findViolations(phone.page);
  await phone.page.keyboard.press("Escape");
  violations["tenants"] = await findViolations(phone.page);
  await visit(phone.page, `/operator/tenants/${id}`);
  await phone.page.getByRole("meter").first().waitFor();
  violations["tenant"] = await findViolations(phone.page);
  await phone.page.getByRole("button", { name: "Change" }).click();
  await phone.page.getByRole("button", { name: "Save" }).waitFor();
  violations["quotas of a tenant"] = await findViolations(phone.page);
  await visit(phone.page, `/operator/tenants/${id}/usage?model_name=none`);
  await phone.page.getByText("No reply has ended in this time").waitFor();
  violations["usage of a tenant"] = await findViolations(phone.page);
  await visit(phone.page, "/operator/health");
  await phone.page.getByText("Webhook deliveries").waitFor();
  violations["health"] = await findViolations(phone.page);
  await visit(phone.page, "/operator/audit");
  await phone.page.getByLabel("Tenant").waitFor();
  await phone.page.getByRole("table").waitFor();
  violations["audit of the operator"] = await findViolations(phone.page);
  await visit(phone.page, "/operator/members");
  await phone.page.getByRole("button", { name: "Invite a member" }).click();
  await phone.page.getByRole("dialog").waitFor();
  violations["new person of the operator"] = await findViolations(phone.page);
  await visit(phone.page, "/operator/members/providers");
  await phone.page.getByRole("button", { name: "Add a provider" }).click();
  await phone.page.getByRole("dialog").waitFor();
  violations["new provider of the operator"] = await findViolations(phone.page);

  expectNone(violations, 44);
});

test("every page of the console was looked at", () => {
  const pages = readPages().map(({ path }) => path);
  const seen = new Set(
    pathsLookedAt().map((seenPath) =>
      pages.includes(seenPath)
        ? seenPath
        : pages.find((path) => new RegExp(`^${path.replace(/\$\w+/g, "[^/]+")}$`).test(seenPath)),
    ),
  );

  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});
