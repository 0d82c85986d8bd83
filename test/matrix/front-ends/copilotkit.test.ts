// CopilotKit in Chromium: its chat, and its runtime between page and platform.
import { afterAll, beforeAll, expect, test } from "vitest";

import { playCases, type Hands } from "./front-end-cases.ts";
import { openApp, type App } from "./open-app.ts";

let app: App;

beforeAll(async () => {
  app = await openApp("copilotkit");
});

afterAll(() => app.close());

const hands: Hands = {
  async say(page, text) {
    // While a run goes on, the same button stops it.
    await page.locator('[data-testid="copilot-send-button"][disabled]').waitFor();
    const box = page.getByRole("textbox");
    await box.fill(text);
    await box.press("Enter");
  },
  stop: (page) => page.getByTestId("copilot-send-button").click(),
  failure: (page) => page.getByText("Show Details").waitFor(),
};

playCases("copilotkit", () => app, hands);

test("no request has left this machine", () => {
  expect(app.strays).toEqual([]);
});
