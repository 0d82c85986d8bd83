// Agents of other systems in the console: their cards, what waits at them, and hostile cards, in Chromium.
import { expect, onTestFinished, test } from "vitest";

import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { waitFor } from "../../support/wait-for.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";
import { CORPUS, WHOLE } from "./hostile-corpus.ts";

async function openDesk(play: Play) {
  const remote = await startSdkAgent(play, { streaming: false });
  onTestFinished(() => remote.stop());
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const opened = await openPage(await launch(), { bypassCSP: true });
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  return { remote, reprise, opened, page: opened.page };
}

test("their cards are shown with the task that waits, and one that is gone says why", async () => {
  const { remote, reprise, opened, page } = await openDesk(async (turn) => {
    turn.task();
    await new Promise(() => undefined);
  });
  const tools = [
    { type: "a2a", name: "play", read_only: true, card: { url: remote.url } },
    { type: "a2a", name: "gone", card: { url: "http://127.0.0.1:9/agent" } },
  ];
  const agent = await reprise.agents.create({ name: "Desk", tools: tools as never });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const replied = session.reply('/call play {"message":"Go"}\n/say Done.').done();
  await waitFor(async () => expect(await session.tasks.list()).toHaveLength(1));
  await visit(page, `/console/agents/${agent.id}?tab=others`);
  const cards = page.getByRole("list", { name: "Cards" });
  await cards.getByText("Played agent").waitFor();
  const words = await cards.innerText();
  const tasks = page.getByRole("region", { name: "Open tasks" });
  await tasks.getByText("working").waitFor();
  const violations = await findViolations(page);
  await page.getByRole("button", { name: "Look again" }).click();
  await tasks.getByRole("link", { name: "Session" }).click();
  await page.getByRole("region", { name: "Tasks" }).getByText("working").waitFor();

  expect(words).toContain("Does what a test plays.");
  expect(words).toContain("A2A 1.0 by JSONRPC · version 1 · no key is pinned");
  expect(words).toContain("tool gone");
  expect(violations).toEqual([]);
  expectNoMisdeeds(opened);
  await session.interrupt();
  await replied;
});

test("an agent without them has no such view, and hostile cards are text", async () => {
  const { reprise, opened, page } = await openDesk(() => undefined);
  const [script = "", picture = ""] = CORPUS;
  const card = {
    name: picture,
    description: WHOLE,
    version: script,
    supportedInterfaces: [
      { url: "http://127.0.0.1:9/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    capabilities: {},
    skills: CORPUS.map((text) => ({ id: text, name: text, description: text, tags: [] })),
  };
  const tools = [{ type: "a2a", name: "danger", description: WHOLE, card: { inline: card } }];
  const agent = await reprise.agents.create({ name: "Desk", tools: tools as never });
  const plain = await reprise.agents.create({ name: "Plain" });
  await visit(page, `/console/agents/${plain.id}`);
  await page.getByRole("tab", { name: "Connect" }).waitFor();
  const others = await page.getByRole("tab", { name: "Other agents" }).count();
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByRole("tab", { name: "Other agents" }).click();
  const cards = page.getByRole("list", { name: "Cards" });
  await cards.getByText(picture).first().waitFor();
  await cards.getByText(script).first().waitFor();
  const elements = await page.locator("main :is(img, iframe, script, style)").count();

  expect([others, elements]).toEqual([0, 0]);
  expectNoMisdeeds(opened);
});
