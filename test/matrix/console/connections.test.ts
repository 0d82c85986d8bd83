// Sign-ins at MCP servers: begun by a call and finished in the console, the connections that they make, and the settings.
import { expect, onTestFinished, test } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { openPage as openCallback } from "../../support/mcp/sign-in-desk.ts";
import type { Reprise } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";

type Owner = "tenant" | "end_user";
const FIND = '/call mcp__calendar__find_order {"order_id":"A-1"}\n/say Found.';
const SIGN_IN = "/call mcp__calendar__sign_in {}\n/say Thanks.";

async function openDesk(owner: Owner = "end_user") {
  const issuer = await startAuthorizationServer();
  onTestFinished(() => issuer.stop());
  const tenant = await makeTenant("Office");
  const { reprise } = tenant;
  const server = await reprise.mcpServers.create({
    name: "calendar",
    url: issuer.mcpUrl,
    oauth: { grant: "authorization_code", owner },
  });
  const agent = await reprise.agents.create({
    name: "Secretary",
    tools: [{ type: "mcp", server_id: server.id, permissions: { "*": "allow" } }],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ada" });
  const opened = await openPage(await launch());
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  return { ...tenant, issuer, server, agent, session, opened, page: opened.page };
}

/** The code that the page at the end of this sign-in shows. */
async function codeOf(desk: Awaited<ReturnType<typeof openDesk>>, subject: string) {
  const [call] = (await desk.session.get()).pending;
  const { url = "", connection_id = "" } = call?.authorization ?? {};
  const { code } = await openCallback(await desk.issuer.signIn(url, subject));
  return { code, connection_id };
}

/** The grant of the session's owner, made without the console. */
async function grant(desk: Awaited<ReturnType<typeof openDesk>>): Promise<string> {
  await desk.session.reply(SIGN_IN).done();
  const { code, connection_id } = await codeOf(desk, "Ada");
  await desk.reprise.connections.complete(connection_id, code);
  await expect.poll(async () => (await desk.session.get()).status).toBe("idle");
  return connection_id;
}

function statusesOf(reprise: Reprise) {
  return async () => (await reprise.connections.list().page(null)).data.map(({ status }) => status);
}

test("a person signs in by the playground: the page shows a code, a wrong one is told, and the call goes on", async () => {
  const desk = await openDesk();
  const { page, opened, session, reprise, issuer } = desk;
  await session.reply(SIGN_IN).done();
  await visit(page, `/console/playground?session=${session.id}`);
  const form = page.getByRole("form", { name: "Sign-in at calendar" });
  await form.getByText("the end user ada").waitFor();
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    form.getByRole("link", { name: "Open the sign-in page" }).click(),
  ]);
  const code = await popup.locator("code").innerText();
  const opener = await popup.evaluate("String(window.opener)");
  await popup.close();
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  await form.getByText("Paste the code that the page at the end shows.").waitFor();
  await form.getByLabel("Code").fill(`${code}0`);
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  const refused = await form.getByRole("alert").innerText();
  await form.getByLabel("Code").fill(` ${code}\n`);
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  await page.getByText("Thanks.", { exact: true }).waitFor();
  await session.reply(FIND).done();

  expect(code).toMatch(/^sc_/);
  expect(opener).toBe("null");
  expect(refused).toContain("This is not the code of the sign-in that is awaited");
  expect(await statusesOf(reprise)()).toEqual(["active"]);
  expect(issuer.callers).toHaveLength(1);
  // The browser prints the refused answer to the wrong code.
  expect(opened.misdeeds.filter((one) => !one.includes("status of 409"))).toEqual([]);
});

test("among the approvals a sign-in is finished, and another one is refused", async () => {
  const desk = await openDesk();
  const { page, opened, session, reprise, agent } = desk;
  await session.reply(SIGN_IN).done();
  await visit(page, `/console/sessions/${session.id}`);
  const note = page.getByRole("note", { name: "Waits for a sign-in" });
  await note.getByRole("link", { name: "Sign in, or refuse among the approvals" }).click();
  await page.getByRole("button", { name: "Sign in…" }).click();
  const { code } = await codeOf(desk, "Ada");
  await page.getByLabel("Code").fill(code);
  await press(page.getByRole("button", { name: "Complete the sign-in" }));
  await page.getByRole("region", { name: "Your answers" }).getByText("signed in").waitFor();
  await expect.poll(async () => (await session.get()).status).toBe("idle");

  const other = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "bob" });
  const reply = other.reply(SIGN_IN);
  await reply.done();
  await visit(page, "/console/inbox");
  await page.getByRole("button", { name: "Sign in…" }).click();
  await press(page.getByRole("button", { name: "Refuse to sign in" }));
  await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
  await expect.poll(async () => (await other.get()).status).toBe("idle");

  const { data } = await reprise.connections.list({ end_user_id: "ada" }).page(null);
  expect(data.map(({ status }) => status)).toEqual(["active"]);
  expectNoMisdeeds(opened);
});

test("connections are listed, filtered, and deleted after a question; another tenant's are not there", async () => {
  const desk = await openDesk();
  const { page, opened, reprise, server } = desk;
  const stranger = await openDesk();
  await grant(stranger);
  await visit(page, "/console/connections");
  await page.getByText("No connections yet").waitFor();
  await grant(desk);
  await visit(page, `/console/mcp-servers/${server.id}`);
  await page.getByRole("link", { name: "Connections" }).last().click();
  const table = page.getByRole("table");
  await table.getByRole("cell", { name: "ada", exact: true }).waitFor();
  const rows = await table.getByRole("row").count();
  await page.getByRole("search").getByLabel("Status").selectOption("failed");
  await page.getByText("No connection fits these filters").waitFor();
  await page.getByRole("search").getByLabel("Status").selectOption("active");
  await page.getByRole("search").getByLabel("End user").fill("bob");
  await page.keyboard.press("Enter");
  await page.getByText("No connection fits these filters").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Delete the connection of ada at calendar" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("asks this end user to sign in again").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("No connections yet").waitFor();

  expect(rows).toBe(2);
  expect(await statusesOf(reprise)()).toEqual([]);
  expect(desk.issuer.revoked).not.toEqual([]);
  expect(await statusesOf(stranger.reprise)()).toEqual(["active"]);
  expectNoMisdeeds(opened);
});

test("a connection that has failed says why, and what happens next", async () => {
  const desk = await openDesk("tenant");
  const { page, opened, reprise, agent, issuer } = desk;
  await grant(desk);
  issuer.revokeAll();
  await reprise.agents.check(agent.id);
  await expect.poll(statusesOf(reprise)).toEqual(["failed"]);
  const [{ failure } = { failure: null }] = (await reprise.connections.list().page(null)).data;
  await visit(page, "/console/connections");
  await page.getByRole("button", { name: "calendar", exact: true }).click();
  const said = await page.getByRole("dialog").innerText();

  expect(failure).not.toBeNull();
  expect(said.toLowerCase()).toContain(String(failure).toLowerCase());
  expect(said).toContain("asks a person for the tenant to sign in again");
  expectNoMisdeeds(opened);
});

test("the OAuth settings of a server are a form of the platform's schema, refused at the field, changed and taken away", async () => {
  const issuer = await startAuthorizationServer();
  onTestFinished(() => issuer.stop());
  const { reprise } = await makeTenant("Office");
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, "/console/mcp-servers");
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("calendar");
  await dialog.getByLabel("URL").fill(issuer.mcpUrl);
  await dialog.getByRole("button", { name: "Set OAuth" }).click();
  await dialog.getByText("the platform as itself; ").first().waitFor();
  await dialog.getByLabel("Grant").selectOption("client_credentials");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("Client credentials need the client's id and secret.").first().waitFor();
  await dialog.getByLabel("Grant").selectOption("authorization_code");
  await dialog.getByLabel("Owner").selectOption("end_user");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("OAuth, each end user").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const added = await reprise.mcpServers.get(id);

  await page.getByText("Whose tools?").waitFor();
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "Sign-in at calendar" });
  const address = (await form.getByRole("link").getAttribute("href")) ?? "";
  const { code } = await openCallback(await issuer.signIn(address, "Ada"));
  await form.getByLabel("Code").fill(code);
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  await page.getByRole("list", { name: "Tools" }).getByRole("button").first().waitFor();

  await page.getByRole("button", { name: "Change" }).click();
  await dialog.getByRole("button", { name: "Take OAuth away" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await reprise.mcpServers.get(id)).oauth).toBeUndefined();

  expect(added.oauth).toEqual({ grant: "authorization_code", owner: "end_user" });
  // The browser prints the refused answer of a server without a grant.
  expect(opened.misdeeds.filter((one) => !one.includes("status of 502"))).toEqual([]);
});

test("a console without the right to read credentials has no page of connections", async () => {
  const { page, opened, reprise, server } = await openDesk();
  const scopes = ["agents:read", "sessions:read"] as const;
  await signIn(page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(page, `/console/mcp-servers/${server.id}`);
  await page.getByText("OAuth, each end user").waitFor();
  const links = await page.getByRole("link", { name: "Connections" }).count();

  expect(links).toBe(0);
  expectNoMisdeeds(opened);
});

test("a code that the authorization server refuses is told, and the sign-in that follows goes on", async () => {
  const desk = await openDesk();
  const { page, opened, session, issuer } = desk;
  await session.reply(SIGN_IN).done();
  await visit(page, `/console/playground?session=${session.id}`);
  const form = page.getByRole("form", { name: "Sign-in at calendar" });
  const link = form.getByRole("link", { name: "Open the sign-in page" });
  const address = (await link.getAttribute("href")) ?? "";
  const back = await issuer.signIn(address, "Ada");
  const { code } = await openCallback(back);
  // Another one uses the authorization server's own code up.
  const stolen = new URL(back).searchParams.get("code") ?? "";
  const body = new URLSearchParams({ grant_type: "authorization_code", code: stolen });
  await fetch(`${issuer.url}/token`, { method: "POST", body });
  await form.getByLabel("Code").fill(code);
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  const told = await form.getByRole("alert").innerText();
  await expect.poll(() => link.getAttribute("href")).not.toBe(address);
  const next = await codeOf(desk, "Ada");
  await form.getByLabel("Code").fill(next.code);
  await form.getByRole("button", { name: "Complete the sign-in" }).click();
  await page.getByText("Thanks.", { exact: true }).waitFor();

  expect(told).toContain("The sign-in did not succeed");
  expect(told).toContain("Open the page again");
  // The browser prints the refused answer.
  expect(opened.misdeeds.filter((one) => !one.includes("status of 502"))).toEqual([]);
});
