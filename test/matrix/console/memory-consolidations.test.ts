// Consolidations of a memory store in the console: begun, watched, cancelled, and what they leave, in Chromium.
import { expect, onTestFinished, test } from "vitest";

import type { Scope } from "../../../sdk/index.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

const TEA = "The customer drinks green tea in the morning.";
const MORNING = "In the morning the customer wants green tea.";
const ONE_TEA = "The customer drinks green tea each morning.";

interface StoreSettings {
  readonly definition?: object;
  readonly scopes?: readonly Scope[];
}

async function openStore({ definition = {}, scopes }: StoreSettings = {}) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({ name: "Desk", memory: {}, ...definition });
  const store = await reprise.memoryStores.create({ agent_id: agent.id, end_user_id: "ada" });
  const memories = reprise.memoryStores.memories(store.id);
  await memories.create({ content: TEA });
  await memories.create({ content: MORNING });
  const opened = await openPage(await launch(), { bypassCSP: true });
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  await visit(opened.page, `/console/memory/${store.id}?tab=consolidations`);
  return { ...tenant, store, memories, opened, page: opened.page };
}

test("a consolidation is begun with instructions and watched to its end, and says what it has taken together", async () => {
  const { page, opened, memories } = await openStore();
  await page.getByText("Nothing was consolidated yet").waitFor();
  const [other] = (await memories.list().page(null)).data.filter(
    ({ content }) => content === MORNING,
  );
  await page.getByRole("button", { name: "Consolidate" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Tokens at most").fill("many");
  await form.getByRole("button", { name: "Consolidate" }).click();
  const refused = await form.getByRole("alert").innerText();
  await form.getByLabel("Tokens at most").fill("");
  await form.getByLabel("Instructions").fill(`/merge ${TEA} | ${MORNING} => ${ONE_TEA}`);
  await form.getByRole("button", { name: "Consolidate" }).click();
  const table = page.getByRole("region", { name: "Consolidations" });
  await table.getByText("completed").waitFor();
  const row = await table.locator("tbody tr").innerText();
  const violations = await findViolations(page);
  await page.getByRole("tab", { name: "Memories" }).click();
  await page.getByRole("link", { name: ONE_TEA }).click();
  await page.getByText("written by a consolidation in place of v1").waitFor();
  const into = new URL(page.url()).pathname;
  await visit(page, into.replace(/mem_\w+$/, other?.id ?? ""));
  await page.getByText("A consolidation has taken it into").waitFor();
  await page.getByRole("link", { name: "another memory" }).click();
  await page.getByRole("article", { name: "Version 2" }).waitFor();

  expect([refused, violations]).toEqual(["The tokens are a number.", []]);
  expect(row).toMatch(/^completed\s+2 of 2\s+1\s+[\d,.]+\s/);
  expect(new URL(page.url()).pathname).toBe(into);
  expectNoMisdeeds(opened);
});

test("a consolidation whose model does not answer is cancelled behind a question, and nothing is written", async () => {
  const model = await startLoopbackServer(() => undefined);
  onTestFinished(() => model.stop());
  const { page, opened, memories, reprise, store } = await openStore({
    definition: { model: { provider: "openai", name: "slow", base_url: model.url } },
  });
  await reprise.memoryStores.consolidations(store.id).create();
  await page.getByRole("button", { name: "Cancel the consolidation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel it" }).click();
  const table = page.getByRole("region", { name: "Consolidations" });
  await table.getByText("cancelled").waitFor();

  expect((await memories.list().page(null)).data).toHaveLength(2);
  expectNoMisdeeds(opened);
});

test("who may only read sees consolidations and begins none", async () => {
  const { page, opened, reprise, store } = await openStore({
    scopes: ["sessions:read", "memories:read"],
  });
  await reprise.memoryStores.consolidations(store.id).create();
  await page.getByRole("region", { name: "Consolidations" }).getByText("completed").waitFor();

  expect(await page.getByRole("button", { name: /onsolidat/ }).count()).toBe(0);
  expectNoMisdeeds(opened);
});
