// The tools of a session in the console: groups and single tools that people switch, and the session's own, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

type Scopes = readonly (
  | "sessions:read"
  | "sessions:write"
  | "agents:read"
  | "replies:read"
  | "replies:write"
)[];

async function openClerk({
  scopes,
  meta_tool = true,
}: { scopes?: Scopes; meta_tool?: boolean } = {}) {
  const tenant = await makeTenant("Shop");
  const { reprise } = tenant;
  const agent = await reprise.agents.create({
    name: "Clerk",
    tools: ["lookup", "open_page", "refund"].map((name) => ({ type: "external", name }) as const),
    tool_groups: [
      {
        name: "web",
        description: "Reads pages.",
        notes: "Name the page.",
        tools: ["open_page"],
      },
      { name: "money", description: "Moves money.", active: true, tools: ["refund"] },
    ],
    meta_tool,
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  await visit(opened.page, `/console/sessions/${session.id}?tab=tools`);
  return { ...tenant, agent, session, opened, page: opened.page };
}

const group = (page: Page, name: string) => page.getByRole("region", { name: `Group ${name}` });

test("groups and single tools are switched between replies, what the agent switches is seen, and all is taken back", async () => {
  const { page, opened, session } = await openClerk();
  await group(page, "web").getByText("Name the page.").waitFor();
  await page.getByLabel("Switch the group web").selectOption("on");
  await group(page, "web").getByRole("listitem").getByText("active", { exact: true }).waitFor();
  await page.getByLabel("Switch the tool lookup").selectOption("off");
  const basic = page.getByRole("region", { name: "Tools in no group" });
  await basic.getByText("not active").waitFor();
  const switched = await session.toolGroups.get();
  await session.reply('/call reset_equipped_tools {"money": true}\n/then\n/say Put away.').done();
  await group(page, "web").getByText("not active").first().waitFor();
  await page.getByRole("tab", { name: "Events" }).click();
  const events = page.getByRole("region", { name: "Events" });
  await events.getByText("Tools switched by a person, active groups: web, money").first().waitFor();
  await events.getByText("Tools switched by the agent, active groups: money").waitFor();
  await page.getByRole("tab", { name: "Tools" }).click();
  await page.getByRole("button", { name: "Take all switches back" }).click();
  await page.getByRole("button", { name: "Take all switches back" }).waitFor({ state: "detached" });
  const { groups, tools } = await session.toolGroups.get();

  expect(switched.tools.map(({ name, active }) => [name, active])).toEqual([
    ["lookup", false],
    ["open_page", true],
    ["refund", true],
  ]);
  expect(groups.map((one) => [one.name, one.switched, one.active])).toEqual([
    ["web", null, false],
    ["money", null, true],
  ]);
  expect(tools.every((tool) => tool.switched === null)).toBe(true);
  expectNoMisdeeds(opened);
});

test("a switch over what another person has switched meanwhile is refused in words, and then shows what holds", async () => {
  const { page, opened, session } = await openClerk();
  await group(page, "web").waitFor();
  // The page reads anew when the session's cursor moves: what comes between is what the version is for.
  await page.route("**/tool-groups", (route) =>
    route.request().method() === "PUT"
      ? session.toolGroups
          .set({ groups: [{ name: "money", switched: "off" }] })
          .then(() => route.continue())
      : route.continue(),
  );
  await page.getByLabel("Switch the group web").selectOption("on");
  const said = await page.getByRole("alert").innerText();
  await group(page, "money").getByText("not active").first().waitFor();
  const { groups } = await session.toolGroups.get();

  expect(said).toMatch(/another person has switched something meanwhile, so nothing was changed/);
  expect(groups.map((one) => one.switched)).toEqual([null, "off"]);
  expectNoMisdeeds({ ...opened, misdeeds: opened.misdeeds.filter((text) => !/ 412 /.test(text)) });
});

test("a session gets a tool of its own, a taken name is refused in words, and it is taken away", async () => {
  const { page, opened, session } = await openClerk();
  await page.getByRole("button", { name: "Add a tool" }).click();
  const form = page.getByRole("dialog", { name: "Give this session a tool" });
  const definition = form.getByLabel("Definition as JSON");
  await definition.fill("{");
  await form.getByText("This is not JSON").first().waitFor();
  await definition.fill('{"type": "external", "name": "refund"}');
  await form.getByRole("button", { name: "Add" }).click();
  const refused = await form.getByRole("alert").innerText();
  await definition.fill(
    '{"type": "external", "name": "ask_colleague", "description": "<b>Asks</b>"}',
  );
  await form.getByRole("button", { name: "Add" }).click();
  await form.waitFor({ state: "hidden" });
  const own = page.getByRole("region", { name: "The session's own tools" });
  const name = own.locator("summary").getByText("ask_colleague");
  await name.click();
  await own.getByText("<b>Asks</b>").waitFor();
  await page
    .getByRole("region", { name: "Tools in no group" })
    .getByText("ask_colleague")
    .waitFor();
  const added = (await session.toolGroups.get()).session_tools?.map(({ name }) => name);
  await own.getByRole("button", { name: "Take ask_colleague away" }).click();
  const question = page.getByRole("alertdialog", { name: "Take the tool ask_colleague away?" });
  await question.getByRole("button", { name: "Take it away" }).click();
  await name.waitFor({ state: "detached" });

  expect(refused).toMatch(/the agent has a tool of this name/);
  expect(added).toEqual(["ask_colleague"]);
  await expect.poll(async () => (await session.toolGroups.get()).session_tools).toEqual([]);
  expectNoMisdeeds(opened);
});

test("a console switches what its scopes allow: all, the groups that the agent could switch, or nothing", async () => {
  const reads = ["sessions:read", "agents:read", "replies:read"] as const;
  const { page, opened, session } = await openClerk({ scopes: [...reads, "replies:write"] });
  await page.getByLabel("Switch the group web").selectOption("on");
  await group(page, "web").getByRole("listitem").getByText("active", { exact: true }).waitFor();
  const ofReplies = await page.getByRole("tabpanel").getByRole("combobox").count();
  const fixed = await openClerk({ scopes: [...reads, "replies:write"], meta_tool: false });
  await group(fixed.page, "web").waitFor();
  const ofFixed = await fixed.page.getByRole("tabpanel").getByRole("combobox").count();
  const other = await openClerk({ scopes: reads });
  await group(other.page, "web").waitFor();
  const ofReader = await other.page.getByRole("tabpanel").locator("select, button").count();
  await visit(other.page, `/console/sessions/${session.id}?tab=tools`);
  await other.page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect([ofReplies, ofFixed, ofReader]).toEqual([2, 0, 0]);
  expectNoMisdeeds(opened);
  expectNoMisdeeds(other.opened);
});

test("on a phone each view of a session is chosen from a list, by keyboard too, and is in the address", async () => {
  const { session, reprise } = await openClerk();
  const phone = await openPage(await launch(), { width: 375 });
  await signIn(phone.page, (await reprise.consoleLinks.create()).url);
  await visit(phone.page, `/console/sessions/${session.id}`);
  const views = phone.page.getByRole("combobox", { name: "Views of the session" });
  await views.focus();
  await phone.page.keyboard.press("End");
  await phone.page.getByRole("group", { name: "session" }).waitFor();
  const { searchParams } = new URL(phone.page.url());
  await views.selectOption({ label: "Tools" });
  await group(phone.page, "web").waitFor();
  const [tabs, wide] = [
    await phone.page.getByRole("tab").count(),
    await phone.page.evaluate<boolean>(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    ),
  ];

  expect([searchParams.get("tab"), tabs, wide]).toEqual(["data", 0, false]);
  expectNoMisdeeds(phone);
});
