// The timeline, the replay, the decisions and the context of a session, its fork and its export, in Chromium.
import { readFile } from "node:fs/promises";

import type { Browser } from "playwright-core";
import { expect, test } from "vitest";

import type { AgentState } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

/** A session whose reply asked a person, got a result from elsewhere, and has ended. */
async function openRefund() {
  const tenant = await makeTenant("Shop");
  const agent = await tenant.reprise.agents.create({
    name: "Refund desk",
    tools: [{ type: "external", name: "refund" }],
  });
  const session = await tenant.reprise.sessions.create({ agent_id: agent.id });
  const asked = await session.replies.create('/call refund {"order": 1}');
  await session.confirm(asked);
  await expect.poll(async () => (await session.get()).status).toBe("awaiting_external_result");
  await session.submitToolResults(await session.get(), "paid back");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, session, opened, page: opened.page };
}

test("the timeline has a bar for each model call, tool call and wait, and says what each was", async () => {
  const { page, opened, session } = await openRefund();
  await visit(page, `/console/sessions/${session.id}?tab=timeline`);
  const rows = page.getByRole("list", { name: "Timeline" }).getByRole("listitem");
  await rows.first().waitFor();
  const found = await Promise.all(
    [rows.nth(0), rows.nth(1)].map(async (row) => {
      const bars = await row.locator(".waterfall-bar").all();
      const kinds = bars.map((bar) => bar.getAttribute("data-kind"));
      return [await row.locator(".code").first().textContent(), await Promise.all(kinds)];
    }),
  );
  await rows.nth(1).getByRole("button").click();
  await page.getByRole("group", { name: "tool 1" }).getByText("tool_call_id").waitFor();

  expect(found).toEqual([
    ["refund-desk", ["model"]],
    ["refund", ["permission", "external_result", "tool"]],
  ]);
  expectNoMisdeeds(opened);
});

test("a link to an event opens the log at it, and says when there is no such event", async () => {
  const { page, opened, session } = await openRefund();
  const { cursor } = await session.get();
  await visit(page, `/console/sessions/${session.id}?tab=decisions`);
  const link = page.getByRole("region", { name: "Decisions" }).getByRole("link").first();
  const seq = (await link.textContent()) ?? "";
  await link.click();
  const marked = page.locator(".event[data-marked]");
  await marked.waitFor();
  const shown = await marked.locator(".event-seq").textContent();
  await visit(page, `/console/sessions/${session.id}?seq=${cursor}`);
  await expect.poll(() => marked.locator(".event-seq").textContent()).toBe(`${cursor}`);
  // The event was below the part of the list that is shown at first.
  await expect
    .poll(async () => {
      const [row, list] = await Promise.all(
        [marked, page.locator(".event-region")].map((one) => one.boundingBox()),
      );
      return row && list && row.y >= list.y && row.y + row.height <= list.y + list.height + 1;
    })
    .toBe(true);
  await visit(page, `/console/sessions/${session.id}?tab=events&seq=${cursor + 7}`);
  await page.getByText(`The log has no event ${cursor + 7}.`).waitFor();

  expect(shown).toBe(seq);
  expectNoMisdeeds(opened);
});

test("the replay plays the log to its end, pauses, and goes back to any event", async () => {
  const { page, opened, session } = await openRefund();
  const { cursor } = await session.get();
  await visit(page, `/console/sessions/${session.id}?tab=replay`);
  const slider = page.getByRole("slider", { name: "Event" });
  await expect.poll(() => slider.getAttribute("max")).toBe(String(cursor));
  await page.getByLabel("Speed").selectOption("1");
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByText(/^Event [1-9]/).waitFor();
  await page.getByLabel("Speed").selectOption("instant");
  await page.getByText(`Event ${cursor} of ${cursor}`).waitFor();
  await page.getByRole("button", { name: "Play" }).waitFor();
  const messages = page.getByRole("list", { name: "Messages of the replay" });
  await messages.getByText("paid back").first().waitFor();
  await slider.fill("1");
  await page.getByText(`Event 1 of ${cursor}`).waitFor();
  const shown = await messages.getByRole("article").count();
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByText(`Event 0 of ${cursor}`).waitFor();

  expect(shown).toBe(1);
  expectNoMisdeeds(opened);
});

test("the decisions say who decided, and the context counts its tokens", async () => {
  const { page, opened, session } = await openRefund();
  await visit(page, `/console/sessions/${session.id}?tab=decisions`);
  const rows = page.getByRole("region", { name: "Decisions" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(3);
  const text = (await rows.allInnerTexts()).join(" ");
  await page.getByRole("tab", { name: "Context" }).click();
  const { tokens } = await session.context();
  const window = page.getByRole("region", { name: "Window" });
  await window.getByText(tokens.total.toLocaleString("en-US"), { exact: true }).waitFor();

  expect(text).toMatch(/allow[\s\S]*api key[\s\S]*ask[\s\S]*platform/);
  expectNoMisdeeds(opened);
});

test("a session is forked behind a message, and exported as its state", async () => {
  const { page, opened, session, reprise } = await openRefund();
  await visit(page, `/console/sessions/${session.id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const file = await download;
  const state = JSON.parse(await readFile(await file.path(), "utf8")) as AgentState;
  await page.getByRole("button", { name: "Fork from here" }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(session.id));
  const forkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.getByRole("list", { name: "Messages" }).getByRole("article").first().waitFor();
  const { forked_from } = await reprise.session(forkId).get();

  expect(file.suggestedFilename()).toBe(`${session.id}.json`);
  expect(state.context).toHaveLength(2);
  expect(forked_from?.session_id).toBe(session.id);
  expect(forked_from?.message_id).toBe(state.context[0]?.id);
  await expect.poll(() => page.getByRole("article").count()).toBe(1);
  expectNoMisdeeds(opened);
});

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
}

/**
 * Milliseconds of the page's longest task since the tracing began, of the processor's time: a task that waits for a busy
 * machine is not longer.
 */
async function stopTracing(browser: Browser): Promise<number> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents.filter(({ args }) => args?.name === "CrRendererMain").map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith("RunTask") && pages.has(threadOf(event)),
  );
  expect(tasks.length).toBeGreaterThan(0);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

test("a reply of 20,000 tokens is opened, and played again, without a task of more than 100 ms", async () => {
  const { reprise } = await makeTenant("Shop");
  const agent = await reprise.agents.create({ name: "Writer" });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const sentence = "Some **words** of a [long](https://shop.example/) answer, with `code`. ";
  // One paragraph: there is no place where it would be natural to parse it in parts.
  await session.reply(`/say ${sentence.repeat(1_150)}The end.`).done();
  const browser = await launch();
  const opened = await openPage(browser);
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const links = page.getByRole("article").last().locator("a");
  const options = { categories: ["toplevel", "disabled-by-default-devtools.timeline"] };
  await browser.startTracing(page, options);
  await visit(page, `/console/sessions/${session.id}`);
  await page.locator('.markdown-parts[aria-busy="false"]').waitFor();
  const openedMs = await stopTracing(browser);
  const drawn = await links.count();
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByLabel("Speed").selectOption("instant");
  await browser.startTracing(page, options);
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator('.markdown-parts[aria-busy="false"]').waitFor();
  const playedMs = await stopTracing(browser);

  expect([drawn, await links.count()]).toEqual([1_150, 1_150]);
  expect(Math.max(openedMs, playedMs)).toBeLessThan(100);
  expectNoMisdeeds(opened);
});
