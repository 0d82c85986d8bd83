// Cases of every front end: a person talks to it in a browser, and the page shows what is stored.
import { expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";

import type { App } from "./open-app.ts";
import { interrupt, sessionStatus, storedLines } from "./played-thread.ts";

/** A person's acts in this front end, and its display. */
export interface Hands {
  readonly say: (page: Page, text: string) => Promise<void>;
  readonly stop: (page: Page) => Promise<void>;
  /** Shown when a run of the page has failed, and only then. */
  readonly failure: (page: Page) => Locator;
  /** Begun before the page's message; resolves when it was refused, because another tab's reply runs. */
  readonly refusal: (page: Page) => Promise<unknown>;
}

const REFUND = '/call refund_order {"order_id":"A-1001","amount":"12.00 EUR"}';
const LABEL = '/call print_label {"order_id":"A-1001"}';
/** An answer that runs until it is ended. */
export const ENDLESS = "/rate 50\n/words 20000";
/** A folder for pictures of the pages that wait for an approval. */
const PICTURES = process.env["PICTURES"];

/** @param app The app, from the first case on. */
export function playCases(name: string, app: () => App, hands: Hands): void {
  const { say, stop, failure, refusal } = hands;

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

  test("an approval that waits is there again when the page is opened again", async () => {
    const page = await app().openTab("reload");

    await say(page, `${REFUND}\n/say Paid back.`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Approve" }).click();
    await shows(page, "Paid back.");

    expect((await storedLines(app(), "reload")).slice(1)).toEqual([
      "call: refund_order",
      expect.stringMatching(/^result: success .*12\.00 EUR/),
      "assistant: Paid back.",
    ]);
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

  test("a result from outside has a form of its own, and what is typed is the result", async () => {
    const page = await app().openTab("result");

    await say(page, `${LABEL}\n/say Printed.`);
    const form = page.getByRole("form", { name: "Result" });
    await form.getByRole("button", { name: "Send the result" }).click();
    await expect.poll(() => form.count()).toBe(1);
    await form.getByRole("textbox", { name: "Result" }).fill("RETURN-7741");
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-result.png` });
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await form.getByRole("button", { name: "Send the result" }).click();
    await shows(page, "Printed.");
    await say(page, `${LABEL}\n/say No label.`);
    await form.getByRole("button", { name: "It failed" }).click();
    await shows(page, "No label.");

    expect(
      (await storedLines(app(), "result")).filter((line) => line.startsWith("result")),
    ).toEqual(["result: success RETURN-7741", "result: error It could not be done."]);
  });

  test("a question of an MCP server has its fields, and is sent, declined or cancelled", async () => {
    const page = await app().openTab("question");
    const form = page.getByRole("form", { name: "Question" });

    await say(page, "/call mcp__travel__both {}\n/say Booked.");
    await form.getByRole("textbox", { name: "Seat" }).fill("12A");
    await form.getByRole("checkbox", { name: "meal" }).check();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-question.png` });
    const address = await form.getByRole("link", { name: "Open pay.example" }).getAttribute("href");
    await form.getByRole("button", { name: "Send the answer" }).click();
    await shows(page, "Booked.");
    for (const button of ["Decline", "Cancel"]) {
      await say(page, `/call mcp__travel__both {}\n/say ${button} it is.`);
      await form.getByRole("button", { name: button }).click();
      await shows(page, `${button} it is.`);
    }

    expect(address).toBe("https://pay.example/42");
    expect(app().heard()).toMatchObject([
      {
        seat: { action: "accept", content: { seat: "12A", meal: true } },
        page: { action: "accept" },
      },
      { seat: { action: "decline" }, page: { action: "decline" } },
      { seat: { action: "cancel" }, page: { action: "cancel" } },
    ]);
  });

  test("a sign-in is refused, or finished with the code that the page at its end shows", async () => {
    const page = await app().openTab("sign-in");
    const form = page.getByRole("form", { name: "Sign-in" });
    const link = form.getByRole("link", { name: /^Open / });

    await say(page, "/call mcp__calendar__sign_in {}\n/say So be it.");
    const address = await link.getAttribute("href");
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-sign-in.png` });
    await form.getByRole("button", { name: "Do not sign in" }).click();
    await shows(page, "So be it.");
    await say(page, "/call mcp__calendar__sign_in {}\n/say You are signed in.");
    const code = await app().signIn((await link.getAttribute("href")) ?? "");
    await form.getByRole("button", { name: "Finish the sign-in" }).click();
    await form.getByRole("textbox", { name: "Code" }).fill(`${code.slice(0, -1)}?`);
    await form.getByRole("button", { name: "Finish the sign-in" }).click();
    const refusal = await form.getByRole("alert").textContent();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-sign-in-refused.png` });
    await form.getByRole("textbox", { name: "Code" }).fill(` ${code} `);
    await form.getByRole("button", { name: "Finish the sign-in" }).click();
    await shows(page, "You are signed in.");
    await form.waitFor({ state: "detached" });
    await say(page, "/say And on we go.");
    await shows(page, "And on we go.");

    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*code_challenge=/);
    expect(refusal).toMatch(/\w/);
    expect(
      (await storedLines(app(), "sign-in")).filter((line) => line.startsWith("result")),
    ).toEqual([
      "result: error The person did not sign in.",
      expect.stringMatching(/^result: success /),
    ]);
  });

  test("the stop button ends the reply on the platform, and the next question is answered", async () => {
    const page = await app().openTab("stop");

    await say(page, ENDLESS);
    await showsBeginning(page);
    expect(await sessionStatus(app(), "stop")).toBe("running");
    await stop(page);
    await expect.poll(() => sessionStatus(app(), "stop")).toBe("idle");
    await say(page, "/say Something else.");
    await shows(page, "Something else.");

    expect(await storedLines(app(), "stop")).toEqual([
      `user: ${ENDLESS}`,
      expect.stringMatching(/^assistant: a parcel left /),
      "user: /say Something else.",
      "assistant: Something else.",
    ]);
  });

  test("a cut between app and platform: the answer goes on where it broke off", async () => {
    const page = await app().openTab("cut");

    await say(page, ENDLESS);
    await showsBeginning(page);
    expect(app().platformLine.cut()).toBeGreaterThan(0);
    const shownAtCut = answerIn(await textOf(page));
    app().platformLine.restore();
    await interrupt(app(), "cut");
    const answer = await endedAnswer(app(), "cut");
    await expect.poll(() => textOf(page)).toContain(answer);

    expect(answer.startsWith(shownAtCut)).toBe(true);
    expect(await failure(page).count()).toBe(0);
    await say(page, "/say And on we go.");
    await shows(page, "And on we go.");
  });

  test("two tabs: one reply at a time, and each shows all of them when it is opened again", async () => {
    const [one, two] = await Promise.all([app().openTab("tabs"), app().openTab("tabs")]);

    await say(one, "/say First.");
    await shows(one, "First.");
    await two.reload();
    await shows(two, "First.");
    await say(one, ENDLESS);
    await showsBeginning(one);
    const isRefused = refusal(two);
    await say(two, "/say Second.");
    await isRefused;
    expect(await sessionStatus(app(), "tabs")).toBe("running");
    await interrupt(app(), "tabs");
    const answer = await endedAnswer(app(), "tabs");
    await expect.poll(() => textOf(one)).toContain(answer);
    await say(two, "/say Third.");
    await shows(two, "Third.");
    await one.reload();
    await shows(one, "Third.");

    expect(await storedLines(app(), "tabs")).toEqual([
      "user: /say First.",
      "assistant: First.",
      `user: ${ENDLESS}`,
      expect.stringMatching(/^assistant: a parcel left /),
      // The message was refused, and came with the next one.
      "user: /say Second.",
      "user: /say Third.",
      "assistant: Third.",
    ]);
    expect(await textOf(one)).toContain(answer);
  });
}

export async function shows(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).last().waitFor();
}

/** Waits for the beginning of the endless answer. */
export async function showsBeginning(page: Page): Promise<void> {
  await page.getByText("a parcel left").last().waitFor();
}

/** The thread's last answer, once it has ended. */
export async function endedAnswer(app: App, thread: string): Promise<string> {
  await expect.poll(() => sessionStatus(app, thread)).toBe("idle");
  return answerIn((await storedLines(app, thread)).at(-1)!);
}

/** The page's text, without its line breaks. */
export async function textOf(page: Page): Promise<string> {
  return ((await page.locator("main").innerText()) ?? "").replaceAll(/\s+/g, " ");
}

/** The words of the endless answer in a text. */
function answerIn(text: string): string {
  return /a parcel left[a-z ]*[a-z]/.exec(text)?.[0] ?? "";
}
