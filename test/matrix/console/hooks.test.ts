// Hooks of a session in the console: added, signed, moved, removed, and what they did, in Chromium.
import { expect, onTestFinished, test } from "vitest";

import { webhooks } from "../../../sdk/index.ts";
import { startHookServer, type AskedHook } from "../../support/hook-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openDesk(
  answerHook: (asked: AskedHook) => unknown,
  scopes?: readonly ["sessions:read", "agents:read", "replies:read"],
) {
  const server = await startHookServer(answerHook);
  onTestFinished(() => server.stop());
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({
    name: "Desk",
    tools: [{ type: "external", name: "refund" }],
    hooks: [{ name: "agents_own", point: "post_observe", type: "http", url: server.url }],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  await visit(opened.page, `/console/sessions/${session.id}?tab=hooks`);
  return { ...tenant, server, agent, session, opened, page: opened.page };
}

const at = (name: string, url: string) =>
  ({ name, point: "pre_acting", type: "http", url }) as const;

test("a person adds a signed hook, whose secret is shown once, and what it did is in the events and the timeline", async () => {
  const { page, opened, session, server } = await openDesk(({ point }) =>
    point === "pre_acting" ? { action: "block", reason: "Not today." } : undefined,
  );
  await page.getByRole("region", { name: "Hooks of the agent" }).getByText("agents_own").waitFor();
  await page.getByRole("button", { name: "Add a hook" }).click();
  const form = page.getByRole("dialog", { name: "Add a hook to this session" });
  await form.getByLabel("Name").fill("guard");
  await form.getByLabel("URL").fill(`${server.url}/guard`);
  await form.getByLabel("Signed with").selectOption("a new secret, shown once");
  await form.getByLabel("Timeout in milliseconds").fill("2000");
  await form.getByLabel("Without an answer").selectOption("open");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByText("It is not shown again").waitFor();
  const secret = await form.locator("code").innerText();
  await form.getByRole("button", { name: "I have stored it" }).click();
  const own = page.getByRole("region", { name: "Hooks of this session" });
  await own.getByText(`${server.url}/guard`).waitFor();
  const { hooks, version } = await session.hooks.get();
  await session.reply('/call refund {"order": 1}\n/say Through.').done();
  const asked = server.requests.find(({ path }) => path === "/guard");
  const question = await webhooks.unwrap<AskedHook>(
    asked?.text ?? "",
    asked?.headers ?? {},
    secret,
  );
  const words = "Hook guard blocked before a tool call: Not today.";
  await page.getByRole("link", { name: "events", exact: true }).click();
  await page.getByRole("region", { name: "Events" }).getByText(words).waitFor();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.getByRole("list", { name: "Timeline" }).getByText(words).waitFor();
  const pageText = await page.locator("body").innerText();

  expect([version, hooks]).toMatchObject([
    1,
    [{ name: "guard", point: "pre_acting", timeout_ms: 2_000, on_failure: "open" }],
  ]);
  expect(secret).toMatch(/^whsec_/);
  expect(question).toMatchObject({ hook: "guard", input: { tool_call: { name: "refund" } } });
  expect(pageText).not.toContain(secret);
  expectNoMisdeeds(opened);
});

test("hooks are moved, changed and removed one by one, and all at once; the agent's stay", async () => {
  const { page, opened, session, server } = await openDesk(() => undefined);
  await session.hooks.set([at("first", server.url), at("second", server.url)]);
  await page.reload();
  await page.getByRole("button", { name: "Move second up" }).click();
  await page.getByRole("button", { name: "Move second up", disabled: true }).waitFor();
  const moved = (await session.hooks.get()).hooks.map(({ name }) => name);
  await page.getByRole("button", { name: "Change first" }).click();
  const form = page.getByRole("dialog", { name: "Change the hook first" });
  await form.getByLabel("Point").selectOption("post_acting");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "hidden" });
  const changed = (await session.hooks.get()).hooks.map(({ name, point }) => [name, point]);
  await page.getByRole("button", { name: "Remove second" }).click();
  await page.getByRole("button", { name: "Remove second" }).waitFor({ state: "detached" });
  const removed = (await session.hooks.get()).hooks.map(({ name }) => name);
  await page.getByRole("button", { name: "Remove all" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove all hooks of this session?" });
  await question.getByRole("button", { name: "Remove all" }).click();
  // The page behind a dialog has no roles meanwhile.
  await question.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Hooks of this session" }).waitFor({ state: "detached" });
  const { hooks, agent_hooks: ofAgent } = await session.hooks.get();

  expect(moved).toEqual(["second", "first"]);
  expect(changed).toEqual([
    ["second", "pre_acting"],
    ["first", "post_acting"],
  ]);
  expect([removed, hooks, ofAgent.map(({ name }) => name)]).toEqual([
    ["first"],
    [],
    ["agents_own"],
  ]);
  expectNoMisdeeds(opened);
});

test("a refused address is said at its field and leaves no credential, and a list that was changed meanwhile is not written over", async () => {
  const { page, opened, session, server, reprise } = await openDesk(() => undefined);
  await page.getByRole("button", { name: "Add a hook" }).click();
  const form = page.getByRole("dialog", { name: "Add a hook to this session" });
  await form.getByLabel("Name").fill("guard");
  await form.getByLabel("URL").fill("http://shop.example/guard");
  await form.getByLabel("Signed with").selectOption("a new secret, shown once");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByRole("alert").waitFor();
  const refused = await form
    .locator(".field", { hasText: "URL" })
    .locator(".field-error")
    .innerText();
  const { data: credentials } = await reprise.credentials.list().page(null);
  await session.hooks.set([at("theirs", server.url)]);
  await form.getByLabel("URL").fill(server.url);
  await form.getByLabel("Signed with").selectOption("nothing");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByText(/version/).waitFor();
  const { hooks } = await session.hooks.get();

  expect(refused).toMatch(/https/);
  expect(credentials).toEqual([]);
  expect(hooks.map(({ name }) => name)).toEqual(["theirs"]);
  expectNoMisdeeds({ ...opened, misdeeds: opened.misdeeds.filter((text) => !/ 412 /.test(text)) });
});

test("a console that only reads shows hooks without buttons, and nothing of another tenant's", async () => {
  const { page, opened, session, server } = await openDesk(
    () => undefined,
    ["sessions:read", "agents:read", "replies:read"],
  );
  await session.hooks.set([at("guard", server.url)]);
  await page.reload();
  await page.getByRole("region", { name: "Hooks of this session" }).waitFor();
  const buttons = await page.getByRole("tabpanel").getByRole("button").count();
  const other = await openDesk(() => undefined);
  await visit(page, `/console/sessions/${other.session.id}?tab=hooks`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(buttons).toBe(0);
  expectNoMisdeeds(opened);
});

test("a hook that asks what the agent's own asks too is warned of in the list", async () => {
  const { page, opened, session, server } = await openDesk(() => undefined);
  await session.hooks.set([{ name: "twin", point: "post_observe", type: "http", url: server.url }]);
  await visit(page, `/console/sessions/${session.id}?tab=hooks`);
  const own = page.getByRole("region", { name: "Hooks of this session" });

  const text = await own.getByRole("status").textContent();

  expect(text).toContain("twin hook 0 of the agent asks this address at post_observe too");
  expectNoMisdeeds(opened);
});
