// axe on what people answer for MCP servers, in light and dark: questions, sign-ins, connections and OAuth settings.
import { expect, onTestFinished, test } from "vitest";

import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { launch } from "./browser-pages.ts";
import { makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

async function openDesk() {
  const asking = await startAskingServer("modern");
  const issuer = await startAuthorizationServer();
  onTestFinished(async () => void (await Promise.all([asking.stop(), issuer.stop()])));
  const { reprise } = await makeTenant("Office");
  const travel = await reprise.mcpServers.create({ name: "travel", url: asking.url });
  const calendar = await reprise.mcpServers.create({
    name: "calendar",
    url: issuer.mcpUrl,
    oauth: { grant: "authorization_code", owner: "end_user" },
  });
  const agent = await reprise.agents.create({
    name: "Secretary",
    tools: [travel, calendar].map(({ id }) => ({
      type: "mcp" as const,
      server_id: id,
      permissions: { "*": "allow" as const },
    })),
  });
  const ask = async (tool: string) => {
    const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ada" });
    await session.reply(`/call mcp__${tool} {}\n/say Done.`).done();
    return session;
  };
  return { reprise, calendar, ask };
}

test("no question, no sign-in and no connection has a serious violation in light or dark", async () => {
  const { reprise, calendar, ask } = await openDesk();
  const survey = await ask("travel__survey");
  const signedIn = await ask("calendar__sign_in");
  const { page } = await openPage(await launch(), { bypassCSP: true });
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const violations: Record<string, readonly string[]> = {};

  await visit(page, `/console/playground?session=${survey.id}`);
  await page.getByRole("button", { name: "Send the answer" }).click();
  await page.getByText("This is needed.").waitFor();
  violations["question"] = await findViolations(page);
  await visit(page, `/console/playground?session=${signedIn.id}`);
  await page.getByRole("button", { name: "Complete the sign-in" }).click();
  await page.getByText("Paste the code").waitFor();
  violations["sign-in"] = await findViolations(page);
  await visit(page, `/console/sessions/${survey.id}`);
  await page.getByRole("note", { name: "Waits for an answer" }).waitFor();
  violations["session that asks"] = await findViolations(page);
  await ask("travel__both");
  await visit(page, "/console/inbox");
  await page.getByRole("button", { name: "Answer the question…" }).last().click();
  await press(page.getByRole("button", { name: "Send all answers" }));
  await page.getByText("Open the page first, or decline.").waitFor();
  violations["questions among the approvals"] = await findViolations(page);
  await visit(page, "/console/connections");
  await page.getByRole("table").waitFor();
  violations["connections"] = await findViolations(page);
  await page.getByRole("button", { name: "calendar", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  violations["connection"] = await findViolations(page);
  await visit(page, `/console/mcp-servers/${calendar.id}`);
  await page.getByText("Whose tools?").waitFor();
  violations["server of end users"] = await findViolations(page);
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByLabel("Grant").waitFor();
  violations["OAuth settings"] = await findViolations(page);

  expect(Object.values(violations).flat()).toEqual([]);
  expect(Object.keys(violations)).toHaveLength(8);
});
