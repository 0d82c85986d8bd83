// The playground: the refund desk from a fresh start, a cut, a reload, and long answers, in Chromium.
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { refundDeskAgent } from "../../../scripts/refund-desk-agent.ts";
import { launch } from "./browser-pages.ts";
import {
  expectNoMisdeeds,
  makeTenant,
  openPage,
  signIn,
  visit,
  type OpenedPage,
} from "./console-browser.ts";
import { LONG_TASK, watchTasks } from "./watch-tasks.ts";

/** The refund desk of a tenant of its own, in a playground that is signed in. */
async function openDesk(): Promise<
  OpenedPage & {
    readonly reprise: Awaited<ReturnType<typeof makeTenant>>["reprise"];
    readonly sessionOf: () => string;
  }
> {
  const { reprise } = await makeTenant();
  await reprise.agents.create(refundDeskAgent(Number(new URL(inject("toolsUrl")).port)));
  const opened = await openPage(await launch());
  await signIn(opened.page, (await reprise.consoleLinks.create()).url);
  await visit(opened.page, "/console/playground");
  await opened.page.getByRole("heading", { name: "Talk to an agent" }).waitFor();
  const sessionOf = () => new URL(opened.page.url()).searchParams.get("session") ?? "";
  return { ...opened, reprise, sessionOf };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(text);
  await page.keyboard.press("Enter");
}

function untilStatus(page: Page, status: string): Promise<void> {
  return page.locator("header").getByRole("status").getByText(status, { exact: true }).waitFor();
}

test("the refund desk from a fresh start: it streams, is allowed with an edit, and gets a result from outside", async () => {
  const desk = await openDesk();
  const { page, reprise } = desk;
  await say(page, "Please refund order A-1001.");
  const refund = page.getByRole("region", { name: "Call of refund_order" });
  await refund.getByText("Refund order A-1001?").waitFor();
  await refund.getByText("Asks because").waitFor();

  await refund.getByRole("button", { name: "Edit…" }).click();
  const allow = refund.getByRole("button", { name: "Allow with these arguments" });
  await refund.getByRole("button", { name: "JSON", exact: true }).click();
  const input = refund.getByRole("textbox", { name: "Arguments" });
  await input.fill("{");
  await refund.getByText(/no JSON|not JSON/).waitFor();
  await expect.poll(() => allow.isDisabled()).toBe(true);
  await input.fill('{"order_id": "A-1001"}');
  await refund.getByRole("button", { name: "Form", exact: true }).click();
  await refund.getByLabel("Amount").fill("12.50 EUR");
  await allow.click();
  const label = page.getByRole("region", { name: "Call of print_label" });
  await label.getByRole("textbox", { name: "Result" }).fill("RETURN-7741");
  await label.getByRole("button", { name: "Submit the result" }).click();
  await untilStatus(page, "idle");

  const [, answer] = (await reprise.session(desk.sessionOf()).messages.list().page()).data;
  const stored = JSON.stringify(answer);
  expect(stored).toContain('\\"amount\\":\\"12.50 EUR\\"');
  expect(stored).toContain("RETURN-7741");
  await page.getByText("RETURN-7741").last().waitFor();
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("button", { name: "TypeScript" }).click();
  const code = page.getByRole("region", { name: "Code of the last request" });
  await code.getByText("session.submitToolResults").waitFor();
  await page.getByRole("button", { name: "AG-UI" }).click();
  await code.getByText("interruptId").waitFor();
  await page.getByRole("tab", { name: "Context" }).click();
  await page.getByText(/of [\d,]+ tokens/).waitFor();
  await page.getByRole("tab", { name: "State" }).click();
  await page.getByText("Nothing has changed it yet.").waitFor();
  expectNoMisdeeds(desk);
});

test("a cut in the middle of a reply is resumed from its seq, and a reload goes on in the same session", async () => {
  const desk = await openDesk();
  const { page, reprise } = desk;
  await say(page, "/rate 60\n/words 300");
  const words = page.getByRole("article", { name: "Refund desk, assistant" });
  await words.getByText("harbour").waitFor();

  await page.getByRole("button", { name: "Cut the network" }).click();
  await page.getByText(/The network of this page is cut at seq \d+/).waitFor();
  await untilStatus(page, "offline");
  const session = reprise.session(desk.sessionOf());
  const cutAt = Number(/seq (\d+)/.exec(await page.locator(".resume-notice").innerText())?.[1]);
  // The platform goes on meanwhile.
  await expect.poll(async () => (await session.get()).cursor).toBeGreaterThan(cutAt + 20);
  await page.getByRole("button", { name: "Restore the network" }).click();
  const notice = page.getByText(/Resumed from seq \d+: \d+ events replayed, none missed\./);
  await notice.waitFor();
  const [, from, replayed] = /seq (\d+): (\d+)/.exec(await notice.innerText()) ?? [];
  expect(Number(from)).toBe(cutAt);
  expect(Number(replayed)).toBeGreaterThan(20);
  const url = page.url();
  await page.reload();
  await words.getByText("harbour").waitFor();
  await untilStatus(page, "idle");

  expect(page.url()).toBe(url);
  const [, answer] = (await session.messages.list().page()).data;
  const [block] = answer?.content ?? [];
  const shown = await words.locator(".growing-text").innerText();
  expect(shown.split(/\s+/)).toEqual(block?.type === "text" ? block.text.split(/\s+/) : []);
  const { cursor } = await session.get();
  await page.getByText(`${cursor} events`).waitFor();
  await page.getByLabel("deltas").uncheck();
  await page.getByText(new RegExp(`\\d+ of ${cursor} events`)).waitFor();
  expectNoMisdeeds(desk);
});

test("a denial tells the model why, a rule ends the asking, and what comes meanwhile is queued or stopped", async () => {
  const desk = await openDesk();
  const { page, reprise } = desk;
  await say(page, "Please refund order A-1001.");
  const refunds = page.getByRole("region", { name: "Call of refund_order" });
  await refunds.getByRole("button", { name: "Deny…" }).click();
  await refunds.getByLabel("Reason, for the model").fill("Too late for that.");
  await refunds.getByRole("button", { name: "Deny", exact: true }).click();
  await refunds.getByText("Too late for that.").waitFor();
  await untilStatus(page, "idle");

  await say(page, "Please refund order A-1002.");
  await refunds
    .last()
    .getByRole("button", { name: /^Always allow/ })
    .click();
  const label = page.getByRole("region", { name: "Call of print_label" });
  await say(page, "/rate 20\n/words 2000");
  await page.getByText("Queued: the agent answers it").waitFor();
  await label.getByLabel("Outcome").selectOption("error");
  await label.getByRole("textbox", { name: "Result" }).fill("The printer is on fire.");
  await label.getByRole("button", { name: "Submit the result" }).click();
  await page.getByRole("article").last().getByText("harbour").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("interrupted").first().waitFor();
  await untilStatus(page, "idle");

  const session = reprise.session(desk.sessionOf());
  const rules = (await session.permissionRules.list().page()).data;
  expect(rules.filter(({ scope }) => scope === "session")).toMatchObject([
    { tool_name: "refund_order", behavior: "allow" },
  ]);
  const messages = (await session.messages.list().page()).data;
  expect(messages.map(({ finished_reason }) => finished_reason)).toEqual([
    null,
    "completed",
    null,
    "completed",
    null,
    "interrupted",
  ]);
  expectNoMisdeeds(desk);
});

/** A picture of one red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

test("a photo is sent and shown, an answer fits a schema, and the address of another tenant's session is none", async () => {
  const desk = await openDesk();
  const { page, reprise } = desk;
  await page.getByLabel("Files to attach").setInputFiles({
    name: "cup.png",
    mimeType: "image/png",
    buffer: Buffer.from(PIXEL, "base64"),
  });
  await page.getByRole("list", { name: "Attached files" }).getByText("cup.png").waitFor();
  await page.getByRole("button", { name: "Structured output" }).click();
  const schema = page.getByRole("textbox", { name: "JSON Schema of the answer" });
  const whole = await schema.inputValue();
  await schema.fill("[]");
  await say(page, "This cup of A-1001 is broken.");
  await page.getByText("This has to be a JSON object").waitFor();
  await schema.fill(whole);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("region", { name: "Structured output" }).getByText("order_ids").waitFor();
  await page.getByRole("img", { name: "cup.png" }).first().waitFor();
  await page.getByRole("tab", { name: "Files" }).click();
  await page.getByText("cup.png image/png").waitFor();

  const { data } = await reprise.session(desk.sessionOf()).messages.list().page();
  expect(data[0]?.content.map(({ type }) => type)).toEqual(["text", "data"]);
  expect(data[1]?.structured_output).toMatchObject({ order_ids: ["A-1001"] });
  const other = await makeTenant("Elsewhere");
  const agent = await other.reprise.agents.create({ name: "Theirs" });
  const theirs = await other.reprise.sessions.create({ agent_id: agent.id });
  await visit(page, `/console/playground?session=${theirs.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await visit(page, `/console/playground?agent=${agent.id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  expectNoMisdeeds(desk);
});

/** Some 20,000 tokens each: 66 paragraphs, and a single one. */
const LONG = [
  ["paragraphs", Array.from({ length: 66 }, () => "/words 200").join("\n/say \n")],
  ["one paragraph", "/words 13400"],
] as const;

test.each(LONG)("an answer of 20,000 tokens in %s makes no long task", async (_, script) => {
  const desk = await openDesk();
  const { page, reprise } = desk;
  await say(page, "/say Ready.");
  await page.getByText("Ready.", { exact: true }).waitFor();
  await untilStatus(page, "idle");
  const session = reprise.session(desk.sessionOf());
  const stopWatch = await watchTasks(page);
  await session.replies.create(`/rate 0\n${script}`, { background: true });
  await page.getByRole("article").nth(3).waitFor();
  await untilStatus(page, "idle");
  const tasks = await stopWatch();

  const answer = (await session.messages.list().page()).data.at(-1);
  expect(answer?.usage?.output_tokens).toBeGreaterThan(19_000);
  const letters = (text: string) => text.replaceAll(/\s/g, "");
  const shown = await page.getByRole("article").last().locator(".growing-text").allTextContents();
  expect(letters(shown.join(""))).toBe(letters(getTextContent(answer as Msg) ?? ""));
  expect(tasks.count).toBeGreaterThan(50);
  expect(tasks.longest).toBeLessThan(LONG_TASK);
  expectNoMisdeeds(desk);
});
