// A recorded session replayed on another version of its agent, in Chromium against the running platform.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { CORPUS } from "./hostile-corpus.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

const ASK = { tool_name: "refund", behavior: "ask", rule_content: null, source: "agent" } as const;
const ALLOW = { ...ASK, behavior: "allow" } as const;

/** A refund with hostile text that was approved on version 1 and paid by the shop; version 2 allows refunds. */
async function openRefund() {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({
    name: "Refund desk",
    tools: [{ type: "external", name: "refund" }],
    permission: { mode: "default", rules: [ASK] },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ann" });
  const input = JSON.stringify({ order: 1, note: CORPUS.join(" ").replaceAll("\n", " ") });
  const asked = await session.replies.create(`/say ${CORPUS[1]}\n/call refund ${input}`);
  await session.confirm(asked);
  await expect.poll(async () => (await session.get()).status).toBe("awaiting_external_result");
  await session.submitToolResults(await session.get(), "paid back");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  await reprise.agents.update(agent.id, { permission: { mode: "default", rules: [ALLOW] } });
  const opened = await openPage(await launch());
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  return { ...tenant, agent, session, opened, page: opened.page };
}

async function statOf(page: Page, name: string) {
  const cards = page.locator(".stat-card");
  return cards.filter({ has: page.getByText(name, { exact: true }) }).textContent();
}

test("a session is replayed on the newest version from its own page, and what changed is shown side by side", async () => {
  const { page, opened, session, reprise } = await openRefund();
  const { cursor } = await session.get();
  await visit(page, `/console/sessions/${session.id}?tab=replay`);
  await page.getByRole("link", { name: "Replay on another version" }).click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const report = page.getByRole("region", { name: "Result of the replay" });
  await report.getByText("The reply was run to its end.").waitFor();
  const reply = report.getByRole("article", { name: "Reply 1" });
  const badges = await reply.locator(".replay-calls .badge").allTextContents();
  const sides = await reply.locator(".replay-side h3").allTextContents();

  expect(await statOf(page, "Approvals changed")).toBe("Approvals changed11 not asked any more");
  expect(await statOf(page, "Calls changed")).toBe("Calls changed01 same");
  expect(badges).toEqual(["same call", "does not ask any more", "success"]);
  expect(sides).toEqual(["Recorded, version 1", "Replayed, version 2"]);
  // Nothing of the session has changed.
  expect((await reprise.session(session.id).get()).cursor).toBe(cursor);
  expectNoMisdeeds(opened);
});

test("what is in the editor is replayed before it is saved, and a new question stops it until an answer is assumed", async () => {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({
    name: "Desk",
    tools: [{ type: "external", name: "look_up" }],
    permission: {
      mode: "default",
      rules: [{ ...ALLOW, tool_name: "look_up" }],
    },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.replies.create('/call look_up {"order": 1}');
  await session.submitToolResults(await session.get(), "here");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByText("Valid", { exact: true }).waitFor();
  const json = page.getByLabel("Definition as JSON");
  await json.fill((await json.inputValue()).replace('"allow"', '"ask"'));
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByLabel("Recorded session").selectOption(session.id);
  const on = await page.getByLabel("On", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const stop = page.getByRole("alert");
  await stop.getByText("Stopped at a call that asks").waitFor();
  await page.locator(".replay-calls [data-stop]").waitFor();
  const stopped = await page.locator(".replay-calls .badge").allTextContents();
  await page.getByLabel("A question without a recorded answer").selectOption("allow");
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByText("The reply was run to its end.").waitFor();
  const assumed = await page.locator(".replay-calls p").textContent();

  expect(on).toBe("draft");
  expect(stopped).toEqual(["same call", "newly asks", "success"]);
  expect(assumed).toBe("Answered from the record. Its question was answered as you assumed.");
  expect((await reprise.agents.get(agent.id)).version).toBe(1);
  expectNoMisdeeds(opened);
});

test("progress is shown, leaving ends the replay, and a call without a recorded result is where it stops", async () => {
  const { page, opened, agent, reprise } = await openRefund();
  const session = await reprise.sessions.create({ agent_id: agent.id, agent_version: 1 });
  const denied = await session.replies.create('/call refund {"order": 2}');
  await session.deny(denied);
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  await session.replies.create("/rate 4\n/words 400", { background: true });
  await session.interrupt();
  await visit(page, `/console/agents/${agent.id}?tab=replay&replay_session=${session.id}`);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByText("Stopped at a call that has no recorded result").waitFor();
  await page.getByLabel("On", { exact: true }).selectOption("1");
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByText("Reply 2 of 2 is run again…").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("What would another version have done?").waitFor();
  // The tenant's one replay has ended: another one is not refused.
  await page.getByLabel("From", { exact: true }).selectOption({ index: 0 });
  await page.getByLabel("On", { exact: true }).selectOption("2");
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await page.locator(".replay-report, .notice[data-tone=bad]").first().waitFor();
      return page.locator(".replay-report").count();
    })
    .toBe(1);

  expectNoMisdeeds({ page, misdeeds: opened.misdeeds.filter((one) => !/status of 409/.test(one)) });
});

test("a session of another tenant is not there, and a console that may not write is not offered replays", async () => {
  const { page, opened, agent, reprise, session } = await openRefund();
  const other = await makeTenant("Other");
  const foreign = await other.reprise.sessions.create({
    agent_id: (await other.reprise.agents.create({ name: "Theirs" })).id,
  });
  await visit(page, `/console/agents/${agent.id}?tab=replay&replay_session=${foreign.id}`);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("alert").getByText("There is no such session").waitFor();
  const reader = await openPage(await launch());
  const scopes = ["sessions:read", "agents:read"] as const;
  await signIn(reader.page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(reader.page, `/console/sessions/${session.id}?tab=replay`);
  await reader.page.getByRole("button", { name: "Play" }).waitFor();
  const offered = await reader.page.getByRole("link", { name: "Replay on another" }).count();
  await visit(reader.page, `/console/agents/${agent.id}?tab=replay`);
  await reader.page.getByRole("heading", { name: "Refund desk" }).waitFor();

  expect(offered).toBe(0);
  expect(await reader.page.getByRole("tab", { name: "Replay" }).count()).toBe(0);
  expect(page.url()).toContain(inject("baseUrl"));
  expectNoMisdeeds(reader);
  expectNoMisdeeds(opened);
});
