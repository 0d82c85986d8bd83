// MCP servers, token issuers and an agent as a server, in Chromium against the running platform.
import { expect, onTestFinished, test } from "vitest";

import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { startRawServer, TOOL } from "../../support/mcp/raw-server.ts";
import { addPages } from "../../support/mcp/ui-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openShop(scopes?: readonly ["agents:read", "sessions:read"]) {
  const tenant = await makeTenant("Shop");
  const opened = await openPage(await launch());
  const { url } = await tenant.reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, opened, page: opened.page };
}

async function startWarehouse() {
  const mcp = await startOfficialServer("modern", addPages);
  onTestFinished(() => mcp.stop());
  return mcp;
}

test("a server is added, asked for its tools, called, changed and deleted", async () => {
  const mcp = await startWarehouse();
  const { page, opened, reprise } = await openShop();
  await visit(page, "/console/mcp-servers");
  await page.getByText("No MCP servers yet").waitFor();
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ware__house");
  await dialog.getByLabel("URL").fill(mcp.url);
  await dialog.getByLabel("Other headers").fill("X-Shelf: 7\nX-Room: b:1");
  await dialog.getByRole("button", { name: "Add" }).click();
  const refused = await dialog.getByRole("alert").innerText();
  await dialog.getByLabel("Name").fill("warehouse");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("heading", { name: "warehouse" }).waitFor();
  await page.getByText("MCP 2026-07-28 (no handshake)").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const added = await reprise.mcpServers.get(id);
  const tools = page.getByRole("list", { name: "Tools" });
  await tools.getByRole("button", { name: "refresh_order pages only" }).waitFor();
  await tools.getByRole("button", { name: "find_order", exact: true }).click();
  const form = page.getByRole("form", { name: "Arguments of find_order" });
  await form.getByLabel("order id").fill("A-1");
  await form.getByRole("button", { name: "Call the tool" }).click();
  const result = await page.getByRole("region", { name: "Result" }).innerText();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByLabel("Other headers").fill("");
  await page.getByRole("dialog").getByLabel("It keeps state").check();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("kept over replies").waitFor();
  const changed = await reprise.mcpServers.get(id);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No MCP servers yet").waitFor();

  expect(refused).toContain("a server's name is 1 to 24 letters and digits");
  expect(added).toMatchObject({
    name: "warehouse",
    url: mcp.url,
    headers: { "X-Shelf": "7", "X-Room": "b:1" },
    stateful: false,
  });
  expect(result).toContain('{"order_id":"A-1","amount":25}');
  expect(mcp.calls).toEqual([{ name: "find_order", input: { order_id: "A-1" } }]);
  expect([changed.headers, changed.stateful]).toEqual([undefined, true]);
  expectNoMisdeeds(opened);
});

test("a server that lies says why it has no tools, and one tool why it cannot be used", async () => {
  const broken = { name: "broken", inputSchema: { type: "object", pattern: "(" } };
  const mcp = await startRawServer({ "tools/list": () => ({ tools: "all" }) });
  onTestFinished(() => mcp.stop());
  const { page, reprise } = await openShop();
  const { id } = await reprise.mcpServers.create({ name: "liar", url: mcp.url });
  await visit(page, `/console/mcp-servers/${id}`);
  const state = page.getByRole("region", { name: "State" });
  const said = await state.getByRole("alert").innerText();
  await state.getByText("does not answer as it should").waitFor();
  mcp.on("tools/list", () => ({ tools: [TOOL, broken] }));
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("button", { name: "broken not usable" }).click();
  const why = await page.getByText("No model is offered it").innerText();
  const forms = await page.getByRole("form").count();

  expect(said).toContain("The MCP server liar lists no tools.");
  expect(said).toContain("malformed_answer");
  expect(why).toContain("its input schema cannot be used");
  expect(forms).toBe(0);
});

test("the tools of a server are chosen in an agent, with what happens to their calls", async () => {
  const mcp = await startWarehouse();
  const { page, opened, reprise } = await openShop();
  const { id } = await reprise.mcpServers.create({ name: "warehouse", url: mcp.url });
  const tools = [{ type: "mcp" as const, server_id: id, disable: ["fail"] }];
  const agent = await reprise.agents.create({ name: "Desk", tools });
  await visit(page, `/console/agents/${agent.id}`);
  const table = page.getByRole("list", { name: "Tools of the server" });
  await table.waitFor();
  const isFailOffered = await table.getByRole("checkbox", { name: "fail" }).isChecked();
  const isForPages = await table.getByRole("checkbox", { name: "refresh_order" }).isDisabled();
  await table.getByRole("checkbox", { name: "hang" }).uncheck();
  await table.getByRole("checkbox", { name: "fail" }).check();
  await table.getByLabel("Permission of find_order").selectOption("allow");
  await table.getByLabel("Permission of all others").selectOption("ask");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await expect.poll(async () => (await reprise.agents.get(agent.id)).version).toBe(2);
  const saved = await reprise.agents.get(agent.id);
  await page.getByRole("tab", { name: "Connect" }).click();
  const settings = await page.getByRole("region", { name: "Settings as JSON" }).innerText();

  expect([isFailOffered, isForPages]).toEqual([false, true]);
  expect(saved.tools).toEqual([
    {
      type: "mcp",
      server_id: id,
      disable: ["hang"],
      permissions: { find_order: "allow", "*": "ask" },
    },
  ]);
  expect(JSON.parse(settings)).toMatchObject({
    mcpServers: { desk: { type: "http", url: expect.stringContaining(`${agent.id}/mcp`) } },
  });
  expectNoMisdeeds(opened);
});

test("a token issuer is added, is on the page of its agent, and is deleted", async () => {
  const { page, opened, reprise } = await openShop();
  const agent = await reprise.agents.create({ name: "Desk" });
  await visit(page, "/console/token-issuers");
  await page.getByText("No token issuers yet").waitFor();
  await page.getByRole("button", { name: "Add an issuer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Sign-in");
  await dialog.getByLabel("Issuer", { exact: true }).fill("https://login.example/?x=1");
  await dialog.getByLabel("Address of its keys").fill("https://login.example/keys");
  await dialog.getByLabel(/^confirm:/).check();
  await dialog.getByLabel("Agents").fill(`${agent.id}\n`);
  await dialog.getByRole("button", { name: "Add" }).click();
  const refused = await dialog.getByRole("alert").innerText();
  await dialog.getByLabel("Issuer", { exact: true }).fill("https://login.example");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("cell", { name: "Sign-in", exact: true }).waitFor();
  const [issuer] = (await reprise.tokenIssuers.list().page(null)).data;
  await visit(page, `/console/agents/${agent.id}?tab=connect`);
  await page.getByText("may reply, interrupt, confirm").waitFor();
  await visit(page, "/console/token-issuers");
  await page.getByRole("button", { name: "Delete Sign-in" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No token issuers yet").waitFor();

  expect(refused).toContain("an issuer has no query and no fragment");
  expect(issuer).toMatchObject({
    issuer: "https://login.example",
    audience: null,
    end_user_claim: "sub",
    verbs: ["reply", "interrupt", "confirm"],
    agent_ids: [agent.id],
    allowed_origins: null,
  });
  expectNoMisdeeds(opened);
});

test("what the console may not do is not there, and another tenant's server is not found", async () => {
  const { page, opened, reprise } = await openShop(["agents:read", "sessions:read"]);
  const { id } = await reprise.mcpServers.create({ name: "own", url: "http://127.0.0.1:9/mcp" });
  const stranger = await makeTenant("Stranger");
  const foreign = await stranger.reprise.mcpServers.create({
    name: "foreign",
    url: "http://127.0.0.1:9/mcp",
  });
  await visit(page, `/console/mcp-servers/${id}`);
  await page.getByText("Its tools are not shown here").waitFor();
  const buttons = await page.getByRole("main").getByRole("button").allInnerTexts();
  await visit(page, `/console/mcp-servers/${foreign.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  const entries = await page.getByRole("navigation").first().innerText();

  expect(buttons.filter((name) => /Change|Delete|Add/.test(name))).toEqual([]);
  expect(entries).toContain("MCP servers");
  expect(entries).not.toContain("Token issuers");
  expectNoMisdeeds(opened);
});
