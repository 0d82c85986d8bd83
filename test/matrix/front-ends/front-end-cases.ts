// What every front end is put through: a person talks to it in a browser, and what the page shows is what is stored.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";

import type { App } from "./open-app.ts";
import { interrupt, sessionStatus, storedLines } from "./played-thread.ts";

/** How a person uses this front end. */
export interface Hands {
  say(page: Page, text: string): Promise<void>;
  stop(page: Page): Promise<void>;
  /** What the page shows when a run of it has failed. */
  failure(page: Page): Promise<void>;
}

const REFUND = '/call refund_order {"order_id":"A-1001","amount":"12.00 EUR"}';
/** An answer that runs until it is ended. */
const ENDLESS = "/rate 50\n/words 20000";
/** Of the filler, which begins with these words. */
const PICTURES = process.env["PICTURES"];

/** @param app The app, from the first case on. */
export function playCases(name: string, app: () => App, { say, stop, failure }: Hands): void {
  test("chat: two questions in one thread are answered, and stored once each", async () => {
    const page = await app().openTab("chat");

    await say(page, "/say Good morning.");
    await shows(page, "Good morning.");
    await say(page, "/say And good night.");
    await shows(page, "And good night.");

    expect(await storedLines(app(), "chat")).toEqual([
      "user: /say Good morning.",
      "assistant: Good morning.",
      "user: /say And good night.",
      "assistant: And good night.",
    ]);
  });

  test("a tool of the page runs in the page, and the model goes on with its result", async () => {
    const page = await app().openTab("tool");
    const script = '/call open_page {"page":"returns"}\n/say There you are.';

    await say(page, script);
    await shows(page, "There you are.");

    expect(await page.getByRole("heading").textContent()).toBe("The shop: returns");
    expect(await storedLines(app(), "tool")).toEqual([
      `user: ${script}`,
      "call: open_page",
      "result: success The page is open: returns",
      "assistant: There you are.",
    ]);
  });

  test("an approval: the call runs once, after the person's click", async () => {
    const page = await app().openTab("approval");
    const script = `${REFUND}\n/say Paid back.`;

    await say(page, script);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
    expect(await storedLines(app(), "approval")).toEqual([`user: ${script}`, "call: refund_order"]);
    await page.getByRole("button", { name: "Approve" }).click();
    await shows(page, "Paid back.");

    expect(await storedLines(app(), "approval")).toEqual([
      `user: ${script}`,
      "call: refund_order",
      expect.stringMatching(/^result: success .*12\.00 EUR/),
      "assistant: Paid back.",
    ]);
    await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" });
    await say(page, "/say And on we go.");
    await shows(page, "And on we go.");
  });

  test("a denial: the call does not run, and the model is told", async () => {
    const page = await app().openTab("denial");
    const script = `${REFUND}\n/say As you wish.`;

    await say(page, script);
    await page.getByRole("button", { name: "Deny" }).click();
    await shows(page, "As you wish.");

    expect(await storedLines(app(), "denial")).toEqual([
      `user: ${script}`,
      "call: refund_order",
      expect.stringMatching(/^result: denied /),
      "assistant: As you wish.",
    ]);
    await page.getByRole("button", { name: "Deny" }).waitFor({ state: "detached" });
    await say(page, "/say And on we go.");
    await shows(page, "And on we go.");
  });

  test("the stop button ends the reply on the platform, and the next question is answered", async () => {
    const page = await app().openTab("stop");

    await say(page, ENDLESS);
    await page
      .getByText(/\w+ \w+ \w+ \w+ \w+ \w+ \w+ \w+ \w+ \w+/)
      .last()
      .waitFor();
    await expect.poll(() => sessionStatus(app(), "stop")).toBe("running");
    await stop(page);
    await expect.poll(() => sessionStatus(app(), "stop")).toBe("idle");
    await say(page, "/say Something else.");
    await shows(page, "Something else.");

    const [question, cut, ...rest] = await storedLines(app(), "stop");
    expect([question, ...rest]).toEqual([
      `user: ${ENDLESS}`,
      "user: /say Something else.",
      "assistant: Something else.",
    ]);
    expect(await textOf(page)).toContain(plain(cut!.replace("assistant: ", "")).slice(0, 40));
  });
}

export async function shows(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).last().waitFor();
}

/** What the page shows, without its line breaks. */
export async function textOf(page: Page): Promise<string> {
  return plain(await page.locator("main").innerText());
}

export function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
