// Memory stores in the console: found, read, written, corrected by two people at once, redacted and forgotten, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import type { Scope } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { CORPUS, WHOLE } from "./hostile-corpus.ts";
import { LONG_TASK, watchTasks } from "./watch-tasks.ts";

interface ShopSettings {
  readonly scopes?: readonly Scope[];
  readonly width?: number;
  readonly texts?: readonly string[];
}

/** A shop whose agent remembers something of Ada. */
async function openShop({ scopes, width, texts = [] }: ShopSettings = {}) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({ name: "Refund desk", memory: { mode: "both" } });
  const store = await reprise.memoryStores.create({ agent_id: agent.id, end_user_id: "ada" });
  const memories = reprise.memoryStores.memories(store.id);
  for (const content of texts) await memories.create({ content });
  const opened = await openPage(await launch(), width === undefined ? {} : { width });
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, agent, store, memories, opened, page: opened.page };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

const rowsOf = (page: Page, name: string) =>
  page.getByRole("region", { name, exact: true }).locator("tbody tr:not(.table-space)");
const dialogOf = (page: Page) => page.getByRole("dialog");
const versionsOf = ({ memories }: Shop, memory_id: string) =>
  memories.versions({ memory_id }).page(null);

test("stores are found by agent and end user, with what they hold, and lead to a memory and back", async () => {
  const shop = await openShop({ texts: ["Ada lives in Berlin.", "Ada likes tea."] });
  const { page, opened, reprise, agent, store } = shop;
  await reprise.memoryStores.create({ agent_id: agent.id });
  await visit(page, "/console/memory");
  await expect.poll(() => rowsOf(page, "Memory stores").allInnerTexts()).toHaveLength(2);
  const [shared = "", own = ""] = await rowsOf(page, "Memory stores").allInnerTexts();
  await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Refund desk" });
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Enter");
  await expect.poll(() => rowsOf(page, "Memory stores").count()).toBe(1);
  const address = new URL(page.url()).searchParams;
  await page.getByRole("link", { name: "ada" }).click();
  await page.getByRole("heading", { name: "Memory of ada" }).waitFor();
  await page.getByText("2 of 10,000").waitFor();
  await page.getByRole("link", { name: "Ada likes tea." }).click();
  await page.getByRole("article", { name: "Version 1" }).getByText("recorded").waitFor();
  const detail = new URL(page.url()).pathname;
  await page.getByRole("link", { name: "Its store" }).click();
  await expect.poll(() => rowsOf(page, "Memories").count()).toBe(2);
  await visit(page, "/console/memory?end_user_id=nobody");
  await page.getByRole("heading", { name: "No store fits these filters" }).waitFor();

  expect(shared).toMatch(/^all its end users\s+Refund desk\s+0\s/);
  expect(own).toMatch(/^ada\s+Refund desk\s+2\s/);
  expect(Object.fromEntries(address)).toEqual({ agent_id: agent.id, end_user_id: "ada" });
  expect(detail).toMatch(new RegExp(`^/console/memory/${store.id}/mem_`));
  expectNoMisdeeds(opened);
});

test("a memory is written, contradicted, corrected, redacted and deleted, and its history says so", async () => {
  const shop = await openShop();
  const { page, opened, store, memories } = shop;
  await visit(page, `/console/memory/${store.id}`);
  await page.getByText("Nothing is remembered here").waitFor();
  const write = async (text: string) => {
    await page.getByRole("button", { name: "Write a memory" }).click();
    await dialogOf(page).getByLabel("What is remembered").fill(text);
    await dialogOf(page).getByRole("button", { name: "Write" }).click();
    const said = await dialogOf(page).getByRole("status").innerText();
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    return said;
  };
  const said = [
    await write("The customer lives in Berlin."),
    await write("the customer lives in berlin"),
    await write("The customer lives in Munich now."),
  ];
  await page.getByRole("link", { name: "The customer lives in Munich now." }).click();
  await page.getByRole("button", { name: "Correct" }).click();
  await dialogOf(page).getByLabel("What is remembered").fill("The customer lives in Hamburg.");
  await dialogOf(page).getByLabel("Path").fill("profile/city");
  await dialogOf(page).getByRole("button", { name: "Save" }).click();
  const history = page.getByRole("list", { name: "Versions of this memory" });
  await history.getByText("corrected in place of v2").waitFor();
  await history.getByText("says otherwise in place of v1").waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const corrected = await memories.get(id);
  await page.getByRole("button", { name: "Redact" }).click();
  const question = page.getByRole("alertdialog", { name: "Redact this memory?" });
  await question.getByText("The texts of its 3 versions are taken out").waitFor();
  await question.getByRole("button", { name: "Redact" }).click();
  await page.getByText("Its words were redacted").waitFor();
  const left = (await versionsOf(shop, id)).data.map(({ content }) => content);
  const buttons = await page.getByRole("button", { name: "Correct" }).count();
  await page.getByRole("link", { name: "Its store" }).click();
  await page.getByText("Nothing is remembered here").waitFor();
  await page.getByRole("tab", { name: "History" }).click();
  await expect.poll(() => rowsOf(page, "Versions").count()).toBe(3);
  await page.getByRole("tab", { name: "Memories" }).click();
  await write("The customer likes tea.");
  await page.getByRole("link", { name: "The customer likes tea." }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing is remembered here").waitFor();

  expect(said).toEqual([
    "It is remembered:",
    "The store says this already:",
    "It takes the place of what was there, as version 2:",
  ]);
  expect(corrected).toMatchObject({
    content: "The customer lives in Hamburg.",
    path: "profile/city",
    version: 3,
  });
  expect([left, buttons]).toEqual([[null, null, null], 0]);
  expect((await memories.list().page(null)).data).toEqual([]);
  expectNoMisdeeds(opened);
});

test("who corrects a memory that another has corrected meanwhile is shown that, and writes over it knowingly", async () => {
  const { page, opened, store, memories } = await openShop({ texts: ["Ada lives in Berlin."] });
  const [memory] = (await memories.list().page(null)).data;
  const id = memory?.id ?? "";
  await visit(page, `/console/memory/${store.id}/${id}`);
  await page.getByRole("button", { name: "Correct" }).click();
  const form = dialogOf(page);
  await form.getByLabel("What is remembered").fill("Ada lives in Bonn.");
  await memories.update(id, { content: "Ada lives in Rome." }, { ifVersion: 1 });
  await form.getByRole("button", { name: "Save" }).click();
  const told = await form.getByRole("alert").innerText();
  await form.getByRole("region", { name: "Version 2" }).getByText("Ada lives in Rome.").waitFor();
  const typed = await form.getByLabel("What is remembered").inputValue();
  const meanwhile = await memories.get(id);
  await form.getByRole("button", { name: "Write over version 2" }).click();
  await page.getByRole("article", { name: "Version 3" }).waitFor();
  const written = await memories.get(id);
  // Deleted elsewhere while the form is open.
  await page.getByRole("button", { name: "Correct" }).click();
  await form.getByLabel("What is remembered").fill("Ada lives in Kiel.");
  await memories.delete(id);
  await form.getByRole("button", { name: "Save" }).click();
  const gone = await form.getByRole("alert").innerText();

  expect(told).toBe("It was changed meanwhile: version 2 is above. Nothing of yours was saved.");
  expect([typed, meanwhile.content]).toEqual(["Ada lives in Bonn.", "Ada lives in Rome."]);
  expect([written.content, written.version]).toEqual(["Ada lives in Bonn.", 3]);
  expect(gone).toMatch(/there is no such memory|not/i);
  expectNoMisdeeds({ ...opened, misdeeds: opened.misdeeds.filter((text) => !/ 412 /.test(text)) });
});

test("a search finds words of any script, and says what it did not find and what it cannot look for", async () => {
  const { page, opened, store } = await openShop({
    texts: ["顾客住在北京市。", "Die Krankenversicherung zahlt.", "Ada likes tea."],
  });
  await visit(page, `/console/memory/${store.id}`);
  await expect.poll(() => rowsOf(page, "Memories").count()).toBe(3);
  const search = page.getByLabel("Search the memories");
  await page.keyboard.press("/");
  await search.fill("北京");
  await expect.poll(() => rowsOf(page, "Memories").count()).toBe(1);
  const chinese = await rowsOf(page, "Memories").innerText();
  await search.fill("Versicherung");
  await page.getByRole("link", { name: "Die Krankenversicherung zahlt." }).waitFor();
  await search.fill("zeppelin");
  await page.getByRole("heading", { name: "No memory has “zeppelin”" }).waitFor();
  const note = await page.getByText("No memory has any of these words: zeppelin.").count();
  await search.fill("?!");
  await page.getByText("Type a letter, a digit or a picture to search for.").waitFor();
  await expect.poll(() => rowsOf(page, "Memories").count()).toBe(3);
  await page.route("**/memories?*search=tea*", async (route) => {
    const problem = {
      status: 400,
      code: "validation_failed",
      detail: "too many words",
      errors: [],
    };
    await route.fulfill({ status: 400, contentType: "application/problem+json", json: problem });
  });
  await search.fill("tea");
  await page.getByRole("heading", { name: "That cannot be searched for" }).waitFor();
  const refusal = await page.getByText("Too many words.").count();

  expect(chinese).toContain("顾客住在北京市。");
  expect([note, refusal]).toEqual([1, 1]);
  expectNoMisdeeds(opened);
});

test("who may only read sees memories and their history, no button, and nothing of another tenant's", async () => {
  const shop = await openShop({
    scopes: ["sessions:read", "agents:read", "memories:read"],
    texts: ["Ada likes tea."],
  });
  const { page, opened, store } = shop;
  const other = await openShop({ texts: ["Theirs."] });
  const [theirs] = (await other.memories.list().page(null)).data;
  await visit(page, "/console/memory");
  await page.getByRole("link", { name: "ada" }).click();
  await page.getByText("Memories are not written or corrected here").waitFor();
  const onStore = await page.getByRole("button").allInnerTexts();
  await page.getByRole("link", { name: "Ada likes tea." }).click();
  await page.getByRole("article", { name: "Version 1" }).waitFor();
  const onMemory = await page.getByRole("main").getByRole("button").count();
  for (const path of [
    other.store.id,
    `${other.store.id}/${theirs?.id}`,
    `${store.id}/${theirs?.id}`,
    "memstore_none",
  ]) {
    await visit(page, `/console/memory/${path}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }

  expect(onStore.filter((text) => /Write|Forget/.test(text))).toEqual([]);
  // The id is copied.
  expect(onMemory).toBe(1);
  expectNoMisdeeds(opened);
});

test("a full store is marked, says what it still takes, refuses a new memory in words, and is forgotten by its name", async () => {
  const { id, page, opened, operator, store, reprise } = await openShop({
    texts: ["Ada likes tea."],
  });
  await operator.tenants.update(id, { quotas: { memories_per_store: 1 } });
  await visit(page, "/console/memory");
  await page.getByRole("cell", { name: "full 1" }).waitFor();
  await page.getByRole("link", { name: "ada" }).click();
  await page.getByText("This store is full").waitFor();
  await page.getByRole("button", { name: "Write a memory" }).click();
  await dialogOf(page).getByLabel("What is remembered").fill("Ada has a dog.");
  await dialogOf(page).getByRole("button", { name: "Write" }).click();
  const refused = await dialogOf(page).getByRole("alert").innerText();
  const kept = await dialogOf(page).getByLabel("What is remembered").inputValue();
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Forget all" }).click();
  const question = page.getByRole("alertdialog");
  const isOff = await question.getByRole("button", { name: "Forget all" }).isDisabled();
  await question.getByLabel("Type the name to go on: ada").fill("ada");
  await question.getByRole("button", { name: "Forget all" }).click();
  await page.getByText("Nothing is remembered yet").waitFor();

  expect(refused).toMatch(/memory store is full/);
  expect([kept, isOff]).toEqual(["Ada has a dog.", true]);
  await expect(reprise.memoryStores.get(store.id)).rejects.toMatchObject({ code: "not_found" });
  expectNoMisdeeds({
    ...opened,
    misdeeds: opened.misdeeds.filter((text) => !/ 4\d\d /.test(text)),
  });
});

test("hostile memories, paths and end users are shown as the texts that they are", async () => {
  const { page, opened, reprise, agent } = await openShop();
  const [script = "", picture = ""] = CORPUS;
  const store = await reprise.memoryStores.create({ agent_id: agent.id, end_user_id: picture });
  const memories = reprise.memoryStores.memories(store.id);
  const { id } = await memories.create({ content: WHOLE, path: "p" });
  await memories.update(id, { content: `${script}\n${WHOLE}` });
  await visit(page, "/console/memory");
  await page.getByRole("link", { name: picture }).click();
  await page.getByRole("heading", { name: picture }).waitFor();
  await page.getByRole("link", { name: script }).click();
  await page.getByRole("article", { name: "Version 2" }).getByText(picture).first().waitFor();
  await page.getByRole("button", { name: "Correct" }).click();
  const typed = await dialogOf(page).getByLabel("What is remembered").inputValue();
  const elements = await page.locator(":is(main, dialog) :is(img, iframe, script, style)").count();

  expect([typed, elements]).toEqual([`${script}\n${WHOLE}`, 0]);
  expectNoMisdeeds(opened);
});

test("10,000 memories are drawn as far as they are in view, down to the last, without a long task", async () => {
  const { page, opened, store } = await openShop();
  const [total, perPage] = [10_000, 1_000];
  const memory = (index: number) => ({
    id: `mem_${String(total - index).padStart(26, "0")}`,
    store_id: store.id,
    path: null,
    content: `Fact ${index} of Ada. ${"It is long. ".repeat(40)}`,
    content_sha256: "sha256:0",
    source: null,
    untrusted: index % 3 === 0 ? { tool_name: "read_mail", tool_call_id: "call_1" } : null,
    supersedes: null,
    version: 1,
    version_id: `memver_${index}`,
    created_at: "2026-11-21T09:30:00.000Z",
    updated_at: "2026-11-21T09:30:00.000Z",
  });
  await page.route("**/memories?*", async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get("page") ?? 0);
    const next = from === 0 ? 100 : Math.min(from + perPage, total);
    const data = Array.from({ length: next - from }, (_, index) => memory(from + index));
    const next_page = next < total ? String(next) : null;
    await route.fulfill({ json: { data, has_more: next_page !== null, next_page, note: null } });
  });
  await visit(page, `/console/memory/${store.id}`);
  const region = page.getByRole("region", { name: "Memories", exact: true });
  await region.getByText("Fact 0 of Ada.").waitFor();
  const stopWatch = await watchTasks(page);
  const drawn: number[] = [];
  await expect
    .poll(async () => {
      await region.press("End");
      drawn.push(await rowsOf(page, "Memories").count());
      return region.getByText(`Fact ${total - 1} of Ada.`).count();
    })
    .toBe(1);
  const tasks = await stopWatch();

  expect(Math.max(...drawn)).toBeLessThan(100);
  expect(tasks.longest).toBeLessThan(LONG_TASK);
  expectNoMisdeeds(opened);
});

test("on a phone and with the keyboard alone a memory is found, corrected and left again", async () => {
  const { page, opened, store, memories } = await openShop({
    width: 375,
    texts: ["Ada likes tea."],
  });
  await visit(page, `/console/memory/${store.id}`);
  const row = page.getByRole("link", { name: "Ada likes tea." });
  await row.waitFor();
  const widths = [await page.evaluate<number>("document.documentElement.scrollWidth")];
  await row.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Version 1" }).waitFor();
  widths.push(await page.evaluate<number>("document.documentElement.scrollWidth"));
  await page.getByRole("button", { name: "Correct" }).focus();
  await page.keyboard.press("Enter");
  await dialogOf(page).getByLabel("What is remembered").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Ada likes coffee.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Version 2" }).waitFor();
  const focused = await page.evaluate<string>("document.activeElement.textContent");

  expect((await memories.list().page(null)).data.map(({ content }) => content)).toEqual([
    "Ada likes coffee.",
  ]);
  expect([widths, focused]).toEqual([[375, 375], "Correct"]);
  expectNoMisdeeds(opened);
});
