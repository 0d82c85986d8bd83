// Questions that MCP servers ask people in the middle of a call, in the playground and among the approvals.
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";

import { startAskingServer, type AskingKind } from "../../support/mcp/asking-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";

/** A session whose call of this tool waits, and a console that is signed in. */
async function openDesk(
  kind: AskingKind,
  tool: string,
  settings: { readonly width?: number } = {},
) {
  const mcp = await startAskingServer(kind);
  onTestFinished(() => mcp.stop());
  const tenant = await makeTenant("Travel agency");
  const { reprise } = tenant;
  const server = await reprise.mcpServers.create({ name: "travel", url: mcp.url });
  const agent = await reprise.agents.create({
    name: "Travel desk",
    tools: [{ type: "mcp", server_id: server.id, permissions: { "*": "allow" } }],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ada" });
  await session.reply(`/call mcp__travel__${tool} {}\n/say Done.`).done();
  const opened = await openPage(await launch(), settings);
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  return { ...tenant, mcp, agent, session, opened, page: opened.page };
}

function questionOf(page: Page) {
  return page.getByRole("form", { name: "Question of travel" });
}

test("a form has a control for each kind of field, says what does not fit, and sends what was typed", async () => {
  const { page, opened, session, mcp } = await openDesk("modern", "survey");
  await visit(page, `/console/playground?session=${session.id}`);
  const form = questionOf(page);
  await form.getByText("A few things about your trip.").waitFor();
  const nights = await form.getByLabel("Nights").inputValue();
  await form.getByLabel("Nights").fill("2.5");
  await form.getByLabel("E-mail").fill("ada");
  await form.getByRole("button", { name: "Send the answer" }).click();
  for (const problem of ["a whole number", "an e-mail address."]) {
    await form.getByText(`This has to be ${problem}`).waitFor();
  }
  await form.getByText("Choose one.").waitFor();
  await form.getByText("Choose at least 1.").waitFor();
  await form.getByLabel("E-mail").and(page.locator(":focus")).waitFor();
  const before = mcp.heard.length;
  await form.getByLabel("E-mail").fill("ada@example.org");
  await form.getByLabel("Nights").fill("3");
  await form.getByLabel("Budget").fill("812.5");
  await form.getByLabel("Day").fill("2026-12-24");
  await form.getByRole("group", { name: "Breakfast" }).getByLabel("No", { exact: true }).check();
  await form.getByLabel("Business").check();
  await form.getByLabel("parking").check();
  await form.getByLabel("sea view").check();
  await form.getByRole("button", { name: "Send the answer" }).click();
  await page.getByText("Done.", { exact: true }).waitFor();

  expect([nights, before]).toEqual(["2", 0]);
  expect(mcp.heard).toEqual([
    {
      trip: {
        action: "accept",
        content: {
          email: "ada@example.org",
          day: "2026-12-24",
          nights: 3,
          budget: 812.5,
          breakfast: false,
          class: "biz",
          extras: ["parking", "sea view"],
        },
      },
      state: "state of survey",
    },
  ]);
  expectNoMisdeeds(opened);
});

test("several questions are answered together, and a page is opened by a person alone, without a tie to the console", async () => {
  const { page, opened, mcp, session, apiKey } = await openDesk("modern", "both");
  const referrers: (string | undefined)[] = [];
  await page.context().route("https://pay.example/**", async (route) => {
    referrers.push(route.request().headers()["referer"]);
    await route.fulfill({ contentType: "text/html", body: "<title>Pay</title>" });
  });
  await visit(page, "/console/inbox");
  await page.getByText("waits for an answer").waitFor();
  await page.getByRole("button", { name: "Answer the question…" }).click();
  const form = questionOf(page);
  await form.getByLabel("Seat").fill("12A");
  await press(form.getByRole("button", { name: "Send all answers" }));
  await form.getByText("Open the page first, or decline.").waitFor();
  const host = await form.locator("strong", { hasText: "pay.example" }).innerText();
  const unopened = referrers.length;
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    form.getByRole("link", { name: "Open the page" }).click(),
  ]);
  await popup.waitForURL("https://pay.example/42");
  const opener = await popup.evaluate("String(window.opener)");
  await popup.close();
  await press(form.getByRole("button", { name: "Send all answers" }));
  await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
  await page.getByRole("region", { name: "Your answers" }).getByText("answered").waitFor();
  await expect.poll(async () => (await session.get()).status).toBe("idle");

  expect([host, unopened, opener, referrers]).toEqual(["pay.example", 0, "null", [undefined]]);
  expect(mcp.heard).toMatchObject([
    { seat: { action: "accept", content: { seat: "12A" } }, page: { action: "accept" } },
  ]);
  expect(JSON.stringify(mcp.heard)).not.toContain(apiKey);
  expectNoMisdeeds(opened);
});

test.each([
  ["Decline", "decline"],
  ["Cancel the question", "cancel"],
] as const)(
  "a server that holds its connection is told that a person chose: %s",
  async (button, action) => {
    const { page, opened, session, mcp } = await openDesk("legacy", "pay");
    await visit(page, `/console/playground?session=${session.id}`);
    const form = questionOf(page);
    await form.getByText("Pay on this page.").waitFor();
    await form.getByRole("button", { name: button, exact: true }).click();
    await page.getByText("Done.", { exact: true }).waitFor();

    expect(mcp.heard).toEqual([{ action }]);
    expectNoMisdeeds(opened);
  },
);

test("a further question of the same call is a new form", async () => {
  const { page, opened, session, mcp } = await openDesk("modern", "twice", { width: 390 });
  await visit(page, `/console/playground?session=${session.id}`);
  const form = questionOf(page);
  await form.getByLabel("Seat").fill("12A");
  await form.getByRole("button", { name: "Send the answer" }).click();
  await form.getByText("And after 12A?").waitFor();
  await form.getByText("question 2 of this call").waitFor();
  const emptied = await form.getByLabel("Seat").inputValue();
  await form.getByRole("button", { name: "Decline" }).click();
  await page.getByText("Done.", { exact: true }).waitFor();

  expect(emptied).toBe("");
  expect(mcp.heard).toMatchObject([
    { first: { action: "accept", content: { seat: "12A" } } },
    { second: { action: "decline" } },
  ]);
  expectNoMisdeeds(opened);
});

test("a session says what its call waits for, and a console without the right to answer has no form", async () => {
  const { page, opened, session, reprise } = await openDesk("modern", "book");
  await visit(page, `/console/sessions/${session.id}`);
  const note = page.getByRole("note", { name: "Waits for an answer" });
  await note.getByText("Which seat?").waitFor();
  const told = await note.innerText();
  await note.getByRole("link", { name: "Answer it among the approvals" }).click();
  await page.getByRole("button", { name: "Answer the question…" }).waitFor();
  const scopes = ["sessions:read", "agents:read", "confirmations:read"] as const;
  await signIn(page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(page, `/console/playground?session=${session.id}`);
  await page.getByText("Waits for a person who may answer.").waitFor();
  const forms = await questionOf(page).count();

  expect(told).toContain("Seat *, meal");
  expect(forms).toBe(0);
  expectNoMisdeeds(opened);
});
