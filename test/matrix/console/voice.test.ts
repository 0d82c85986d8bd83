// Voice in the playground: a person speaks, is answered, interrupts, answers a call by a click, and loses the network.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { refundDeskAgent } from "../../../scripts/refund-desk-agent.ts";
import { toWav } from "../../support/voice/tone-audio.ts";
import { launch, spoil } from "./browser-pages.ts";
import {
  expectNoMisdeeds,
  makeTenant,
  openPage,
  signIn,
  visit,
  watch,
  type OpenedPage,
} from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";
import { giveMicrophone } from "./talking-person.ts";

const MODEL = { provider: "scripted", name: "refund-desk" } as const;

/** A session with a refund desk that speaks. */
async function makeSession() {
  const { reprise } = await makeTenant();
  const agent = await reprise.agents.create({
    ...refundDeskAgent(Number(new URL(inject("toolsUrl")).port)),
    model: MODEL,
    voice: { mode: "realtime", model: MODEL },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const link = (await reprise.consoleLinks.create()).url;
  return { reprise, session, link };
}

/** The page of that session, in which one talks. */
async function talk({ bypassCSP = false } = {}) {
  const desk = await makeSession();
  const opened = await openPage(await launch(), { bypassCSP });
  spoil(opened.page);
  const person = await giveMicrophone(opened.page);
  await openTalk(opened, desk);
  return { ...desk, ...opened, person };
}

async function openTalk(
  { page }: Pick<OpenedPage, "page">,
  { session, link }: Pick<Awaited<ReturnType<typeof makeSession>>, "session" | "link">,
): Promise<void> {
  await signIn(page, link);
  await visit(page, `/console/playground?session=${session.id}`);
  await page.getByRole("button", { name: "Talk" }).click();
  await untilVoice(page, "listening");
}

function voiceOf(page: Page) {
  return page.getByRole("region", { name: "Voice" });
}

function untilVoice(page: Page, state: string): Promise<void> {
  return voiceOf(page).getByRole("status").getByText(state, { exact: true }).waitFor();
}

function answersOf(page: Page) {
  return page.getByRole("article", { name: "Refund desk, assistant" });
}

function said(page: Page) {
  return page.getByRole("article", { name: /, user$/ });
}

test("a person speaks, reads what was understood, and is answered aloud", async () => {
  const { page, person, session, ...opened } = await talk();
  await person.say("Where is my order A-1001?");
  await said(page).getByText("Where is my order A-1001?").waitFor();
  await untilVoice(page, "speaking");
  await answersOf(page).getByText("Here is what I know about A-1001").waitFor();
  await untilVoice(page, "listening");
  const heard = await person.heard();

  const [question, answer] = (await session.messages.list().page()).data;
  expect(question && getTextContent(question)).toBe("Where is my order A-1001?");
  expect(heard).toBe(answer && getTextContent(answer));
  expect(await said(page).getByRole("img", { name: "spoken" }).count()).toBe(1);
  expectNoMisdeeds({ page, ...opened });
});

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(text);
  await page.keyboard.press("Enter");
}

const LONG_ANSWER =
  "The teapot was lost on its way, it was last seen in the sorting centre, and nobody there knows where it is now.";

test("speaking stops the agent, whose answer is then what was heard of it", async () => {
  const { page, person, session, ...opened } = await talk();
  await write(page, `/say ${LONG_ANSWER}`);
  await untilVoice(page, "speaking");
  await answersOf(page).getByText("knows where it is now.").waitFor();
  await person.listen(1.5);
  await person.say("Hello.");
  await said(page).getByText("Hello.").waitFor();
  await answersOf(page).getByText("Tell me the number of your order").waitFor();

  const messages = (await session.messages.list().page()).data;
  const [, cut = "", , greeting] = messages.map((message) => getTextContent(message) ?? "");
  expect([LONG_ANSWER.startsWith(cut), cut.length > 10, cut.length < 90]).toEqual([
    true,
    true,
    true,
  ]);
  expect(greeting).toContain("This is the refund desk.");
  await expect
    .poll(async () => (await answersOf(page).first().innerText()).includes(cut))
    .toBe(true);
  expect(await answersOf(page).first().getByText("knows where it is now.").count()).toBe(0);
  await voiceOf(page).getByRole("button", { name: "Interrupt" }).click();
  await untilVoice(page, "listening");
  expectNoMisdeeds({ page, ...opened });
});

test("a call is allowed by a click while the agent talks, and the answer is spoken", async () => {
  const { page, person, session, ...opened } = await talk();
  await write(
    page,
    `/say I ask a person first, and go on to talk meanwhile, as one does at a desk.
/call refund_order {"order_id": "A-1001"}
/say It is paid back.`,
  );
  const refund = page.getByRole("region", { name: "Call of refund_order" });
  await refund.getByText("Refund order A-1001?").waitFor();
  await untilVoice(page, "speaking");
  await refund.getByRole("button", { name: "Allow", exact: true }).click();
  await untilVoice(page, "speaking");
  await answersOf(page).getByText("It is paid back.").waitFor();
  await untilVoice(page, "listening");

  expect(await person.heard()).toContain("It is paid back.");
  const [decision] = (await session.decisions().page()).data.filter(
    ({ behavior }) => behavior === "allow",
  );
  expect(decision?.tool_name).toBe("refund_order");
  const [, answer] = (await session.messages.list().page()).data;
  expect(answer?.finished_reason).toBe("completed");
  expectNoMisdeeds({ page, ...opened });
});

test("a lost network ends the sound alone: the answer is there as text, and one goes on to talk", async () => {
  const { page, person, session, ...opened } = await talk();
  await write(page, `/say ${LONG_ANSWER}`);
  await untilVoice(page, "speaking");
  await person.listen(0.5);
  await page.getByRole("button", { name: "Cut the network" }).click();
  await untilVoice(page, "reconnecting");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  await person.heard();
  await page.getByRole("button", { name: "Restore the network" }).click();
  await untilVoice(page, "listening");
  await answersOf(page).getByText("knows where it is now.").waitFor();
  await page.getByText(/Resumed from seq \d+/).waitFor();
  const stale = await person.heard();
  await person.say("Where is my order A-1002?");
  await answersOf(page).getByText("Here is what I know about A-1002").waitFor();
  await untilVoice(page, "speaking");

  expect(stale).toBeNull();
  const messages = (await session.messages.list().page()).data;
  expect(messages.map((message) => getTextContent(message))).toEqual([
    `/say ${LONG_ANSWER}`,
    LONG_ANSWER,
    "Where is my order A-1002?",
    expect.stringContaining("a walnut serving board"),
  ]);
  expectNoMisdeeds({ page, ...opened });
});

test("a muted microphone is not heard, hanging up ends the connection, and no state is a violation", async () => {
  const { page, person, session, ...opened } = await talk({ bypassCSP: true });
  const violations = [...(await findViolations(page))];
  await voiceOf(page).getByRole("button", { name: "Mute" }).click();
  violations.push(...(await findViolations(page)));
  await person.say("Nobody hears this.");
  await voiceOf(page).getByRole("button", { name: "Muted" }).click();
  await person.say("Where is my order A-1001?");
  await answersOf(page).getByText("Here is what I know about A-1001").waitFor();
  violations.push(...(await findViolations(page)));
  await voiceOf(page).getByRole("button", { name: "Hang up" }).click();
  await voiceOf(page).getByRole("button", { name: "Talk" }).waitFor();
  await write(page, "/say This is text alone.");
  await answersOf(page).getByText("This is text alone.").waitFor();
  await person.heard();

  const [first] = (await session.messages.list().page()).data;
  expect(first && getTextContent(first)).toBe("Where is my order A-1001?");
  expect(violations).toEqual([]);
  expectNoMisdeeds({ page, ...opened });
});

test("what comes from the browser's own device is understood", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-voice-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "question.wav");
  writeFileSync(file, toWav("Where is my order A-1004?"));
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${file}%noloop`,
    ],
  });
  onTestFinished(() => browser.close());
  const desk = await makeSession();
  const opened = await watch(await browser.newPage());
  await openTalk(opened, desk);

  await answersOf(opened.page).getByText("Here is what I know about A-1004").waitFor();
  await said(opened.page).getByText("Where is my order A-1004?").waitFor();
  expectNoMisdeeds(opened);
});

test("an agent gets its voice by the form, and is talked to in a session that this opens", async () => {
  const { reprise } = await makeTenant();
  const agent = await reprise.agents.create({ name: "Refund desk", model: MODEL });
  const opened = await openPage(await launch());
  const { page } = opened;
  spoil(page);
  const person = await giveMicrophone(page);
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, `/console/agents/${agent.id}`);
  await voiceOf(page).getByRole("button", { name: "Set voice" }).click();
  await page
    .locator('[data-pointer="#/voice/mode"]')
    .getByRole("combobox")
    .selectOption("realtime");
  await page.getByText("Valid", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("v2", { exact: true }).waitFor();

  const { voice } = await reprise.agents.get(agent.id);
  expect(voice).toMatchObject({ mode: "realtime", model: { provider: "scripted" } });
  await visit(page, `/console/playground?agent=${agent.id}`);
  await page.getByRole("button", { name: "Talk" }).click();
  await untilVoice(page, "listening");
  await person.say("Hello.");
  await answersOf(page).getByText("This is the refund desk.").waitFor();
  expectNoMisdeeds(opened);
});

/** Sound is allowed within the handler of a click alone, as in Safari: elsewhere a loudspeaker waits without an end. */
const STRICT_SOUND = `(() => {
  const Context = window.AudioContext;
  let isInClick = false;
  window.addEventListener("click", () => { isInClick = true; }, true);
  window.addEventListener("click", () => { isInClick = false; });
  window.AudioContext = class extends Context {
    #isAllowed = false;
    constructor(options) {
      super(options);
      void super.suspend();
    }
    resume() {
      this.#isAllowed ||= isInClick;
      return this.#isAllowed ? super.resume() : new Promise(() => undefined);
    }
  };
})()`;

test("a browser that allows sound within a click alone lets one talk in a session that this opens", async () => {
  const { reprise } = await makeTenant();
  const agent = await reprise.agents.create({
    name: "Refund desk",
    model: MODEL,
    voice: { mode: "realtime", model: MODEL },
  });
  const opened = await openPage(await launch());
  const { page } = opened;
  spoil(page);
  const person = await giveMicrophone(page);
  await page.addInitScript(STRICT_SOUND);
  await signIn(page, (await reprise.consoleLinks.create()).url);
  await visit(page, `/console/playground?agent=${agent.id}`);
  await page.getByRole("button", { name: "Talk" }).click();
  await untilVoice(page, "listening");
  await person.say("Hello.");
  await answersOf(page).getByText("This is the refund desk.").waitFor();
  await untilVoice(page, "speaking");
  await untilVoice(page, "listening");

  expect(await person.heard()).toContain("This is the refund desk.");
  expectNoMisdeeds(opened);
});

test("a text that the connection did not bring before it ended is sent in writing, and is there once", async () => {
  const { page, session, ...opened } = await talk();
  await page.getByRole("button", { name: "Cut the network" }).click();
  await untilVoice(page, "reconnecting");
  await write(page, "/say It is not lost.");
  await voiceOf(page).getByRole("button", { name: "Hang up" }).click();
  await said(page).getByText("/say It is not lost.").waitFor();
  await page.getByRole("button", { name: "Restore the network" }).click();
  await answersOf(page).getByText("It is not lost.").waitFor();

  const messages = (await session.messages.list().page()).data;
  expect(messages.map((message) => getTextContent(message))).toEqual([
    "/say It is not lost.",
    "It is not lost.",
  ]);
  expectNoMisdeeds({ page, ...opened });
});
