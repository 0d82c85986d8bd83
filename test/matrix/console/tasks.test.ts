// Background tasks of a session in the console: what works, what has ended, and the button that stops one, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { reportTool, startReportServer } from "../../support/background-desk.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

async function openDesk(scopes?: readonly ("sessions:read" | "replies:write")[]) {
  const server = await startReportServer();
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const tools = [reportTool(server)] as never;
  const agent = await reprise.agents.create({ name: "Writer", tools });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.reply("/call report {}\n/say On its way.").done();
  const opened = await openPage(await launch(), { bypassCSP: true });
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  await visit(opened.page, `/console/sessions/${session.id}?tab=tasks`);
  return { server, session, opened, page: opened.page };
}

const table = (page: Page) => page.getByRole("region", { name: "Tasks" });

test("a task is seen while it works, is stopped behind a question, and another one's end begins a reply", async () => {
  const { server, session, opened, page } = await openDesk();
  await table(page).getByText("working").waitFor();
  const violations = await findViolations(page);
  await page.getByRole("button", { name: "Stop the task of report" }).click();
  const question = page.getByRole("alertdialog", { name: "Stop this task of report?" });
  await question.getByRole("button", { name: "Stop" }).click();
  await table(page).getByText("cancelled").waitFor();
  await session.reply("/call report {}\n/say Again.").done();
  await server.answer(1, { output: "/say Twelve pages." });
  await table(page).getByText("completed").waitFor();
  const states = (await session.tasks.list()).map(({ status, woken_reply_id }) => [
    status,
    woken_reply_id !== null,
  ]);

  expect(violations).toEqual([]);
  expect(states).toEqual([
    ["completed", true],
    ["cancelled", false],
  ]);
  await page.getByRole("tab", { name: "Events" }).click();
  const events = page.getByRole("region", { name: "Events" });
  await events.getByText("A task of report was stopped by a person").waitFor();
  expectNoMisdeeds(opened);
});

test("who may only read sees the tasks and no button", async () => {
  const { opened, page } = await openDesk(["sessions:read"]);
  await table(page).getByText("working").waitFor();

  expect(await page.getByRole("button", { name: "Stop the task of report" }).count()).toBe(0);
  expectNoMisdeeds(opened);
});

test("a session without tasks says what would be here", async () => {
  const { opened, page, session } = await openDesk();
  const empty = await session.fork();
  await visit(page, `/console/sessions/${empty.id}?tab=tasks`);
  await page.getByText("No tasks").waitFor();

  expect(await findViolations(page)).toEqual([]);
  expectNoMisdeeds(opened);
});
