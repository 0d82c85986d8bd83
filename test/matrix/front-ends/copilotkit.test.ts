// CopilotKit in Chromium: its chat, and its runtime between page and platform.
import { beforeAll, expect, test } from "vitest";

import {
  endedAnswer,
  ENDLESS,
  playCases,
  shows,
  showsBeginning,
  textOf,
  type Hands,
} from "./front-end-cases.ts";
import { openApp, type App } from "./open-app.ts";
import { interrupt } from "./played-thread.ts";

let app: App;

beforeAll(async () => {
  app = await openApp("copilotkit");
  return () => app.close();
});

const hands: Hands = {
  say: async (page, text) => {
    // While a run goes on, the same button stops it.
    await page.locator('[data-testid="copilot-send-button"][disabled]').waitFor();
    const box = page.getByRole("textbox");
    await box.fill(text);
    // Until the page has heard of its agent, Enter does nothing.
    await page.locator('[data-testid="copilot-send-button"]:not([disabled])').waitFor();
    await box.press("Enter");
  },
  stop: (page) => page.getByTestId("copilot-send-button").click(),
  failure: (page) => page.getByText("Show Details"),
  // CopilotKit's runtime answers with 200 and nothing, so the page shows a message without an answer, and no failure.
  refusal: async (page) => {
    const response = await page.waitForResponse((answer) => answer.url().endsWith("/run"));
    expect(await response.text()).toBe("");
  },
};

playCases("copilotkit", () => app, hands);

test("a cut between page and app: the page says so, and has the whole answer when it is opened again", async () => {
  const page = await app.openTab("page-cut");

  await hands.say(page, ENDLESS);
  await showsBeginning(page);
  expect(app.pageLine.cut()).toBeGreaterThan(0);
  await hands.failure(page).waitFor();
  app.pageLine.restore();
  await interrupt(app, "page-cut");
  const answer = await endedAnswer(app, "page-cut");
  await page.reload();
  await expect.poll(() => textOf(page)).toContain(answer);

  await hands.say(page, "/say And on we go.");
  await shows(page, "And on we go.");
});

test("no request has left this machine", () => {
  expect(app.strays).toEqual([]);
});
