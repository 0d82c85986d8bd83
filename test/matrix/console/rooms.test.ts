// Rooms in the console: opened, spoken in by two people at once, stopped, joined, asked by a tool, and deleted, in Chromium.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import type { Scope } from "../../../sdk/index.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { WHOLE } from "./hostile-corpus.ts";

interface HouseSettings {
  readonly scopes?: readonly Scope[];
  readonly tools?: readonly object[];
}

/** A tenant with two agents, Ada and Bob. */
async function openHouse({ scopes, tools = [] }: HouseSettings = {}) {
  const tenant = await makeTenant("House");
  const { reprise } = tenant;
  const ada = await reprise.agents.create({ name: "Ada", tools: tools as never });
  const bob = await reprise.agents.create({ name: "Bob" });
  const opened = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, ada, bob, opened, page: opened.page };
}

type House = Awaited<ReturnType<typeof openHouse>>;

async function openRoom({ reprise, ada, bob }: House, settings: object = {}) {
  const room = await reprise.rooms.create({
    title: "Debate",
    participants: [
      { name: "Ada", agent_id: ada.id },
      { name: "Bob", agent_id: bob.id },
      { name: "Carol", kind: "person" },
    ],
    ...settings,
  });
  return room;
}

const articles = (page: Page) => page.getByRole("list", { name: "Messages" }).getByRole("article");

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("What Carol says").fill(text);
  await page.getByRole("button", { name: "Say", exact: true }).click();
}

test("a room is opened with two agents and a person, who all speak in their turns", async () => {
  const house = await openHouse();
  const { page, opened, reprise } = house;
  await visit(page, "/console/rooms");
  await page.getByRole("heading", { name: "There are no rooms yet" }).waitFor();
  await page.getByRole("button", { name: "New room" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Debate");
  await dialog.getByLabel("Ada").check();
  await dialog.getByLabel("Bob").check();
  await dialog.getByLabel("People").fill("Carol");
  await dialog.getByRole("button", { name: "Open" }).click();
  await page.getByRole("heading", { name: "Debate" }).waitFor();
  await say(page, "Hello.\n/say Good morning.");
  await expect.poll(() => articles(page).count()).toBe(3);
  await expect.poll(() => page.getByText("Everybody has had a turn.").count()).toBe(1);
  const names = await articles(page).locator("strong").allInnerTexts();
  const { data } = await reprise.rooms.list().page(null);

  expect(names).toEqual(["Carol", "Ada", "Bob"]);
  expect(data.map(({ title, participants }) => [title, participants.length])).toEqual([
    ["Debate", 3],
  ]);
  expectNoMisdeeds(opened);
});

test("two people see each other's words, and hostile names and texts are text", async () => {
  const house = await openHouse();
  const { page, opened, reprise } = house;
  const room = await openRoom(house, { title: "Two people" });
  const other = await openPage(await launch());
  const { url } = await reprise.consoleLinks.create();
  await signIn(other.page, url);
  await visit(page, `/console/rooms/${room.id}`);
  await visit(other.page, `/console/rooms/${room.id}`);
  await say(page, WHOLE);
  await expect.poll(() => articles(other.page).count()).toBe(3);
  await say(other.page, "And I say this.");
  await expect.poll(() => articles(page).count()).toBe(6);

  expect(await articles(page).first().innerText()).toContain("Carol");
  expectNoMisdeeds(opened);
  expectNoMisdeeds(other);
});

test("a call that asks is allowed in the room, and its agent goes on", async () => {
  const tools = [{ type: "external", name: "refund" }];
  const house = await openHouse({ tools });
  const { page, opened } = house;
  const room = await openRoom(house);
  await visit(page, `/console/rooms/${room.id}`);
  await say(page, "Please.\n/call refund {}\n/say Refunded.");
  const question = page.getByRole("region", { name: "Question about refund" });
  await question.getByRole("button", { name: "Allow" }).click();
  await expect.poll(async () => (await room.get()).pending[0]?.kind).toBe("external_result");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop" }).click();
  await expect.poll(async () => (await room.get()).last_end?.reason).toBe("interrupted");
  await page.getByText("It was interrupted.").waitFor();

  expectNoMisdeeds(opened);
});

test("members join and leave, and a room is deleted", async () => {
  const house = await openHouse();
  const { page, opened, reprise } = house;
  const room = await openRoom(house);
  await visit(page, `/console/rooms/${room.id}`);
  await page.getByRole("button", { name: "Let in" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name in the room").fill("Dan Brown");
  await dialog.getByRole("button", { name: "Let in" }).click();
  const participants = page.getByRole("region", { name: "Participants" });
  await participants.getByText("Dan-Brown").waitFor();
  await participants.getByRole("button", { name: "Take Bob out" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Take out" }).click();
  await participants.getByText("Bob").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "There are no rooms yet" }).waitFor();

  expect((await reprise.rooms.list().page(null)).data).toEqual([]);
  expectNoMisdeeds(opened);
});

test("who may read rooms alone neither speaks nor changes them, and another tenant's room is not found", async () => {
  const house = await openHouse({ scopes: ["rooms:read", "agents:read"] });
  const other = await openHouse();
  const { page, opened } = house;
  const room = await openRoom(house);
  const foreign = await openRoom(other);
  await visit(page, `/console/rooms/${room.id}`);
  await page.getByRole("region", { name: "Participants" }).getByText("Ada").waitFor();
  const buttons = page.getByRole("button", { name: /^(Say|Let in|Delete|Stop|Take .*)$/ });
  await expect.poll(() => buttons.count()).toBe(0);
  await visit(page, `/console/rooms/${foreign.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expectNoMisdeeds(opened);
});
