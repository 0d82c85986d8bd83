// assistant-ui in Chromium: its thread, and its adapter for AG-UI, with a client token.
import { beforeAll, expect, test } from "vitest";

import { playCases, type Hands } from "./front-end-cases.ts";
import { openApp, type App } from "./open-app.ts";

let app: App;

beforeAll(async () => {
  app = await openApp("assistant-ui");
  return () => app.close();
});

const hands: Hands = {
  say: async (page, text) => {
    await page.getByRole("button", { name: "Send" }).waitFor();
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill(text);
    // Until the page can send, Enter does nothing.
    await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
    await box.press("Enter");
  },
  stop: (page) => page.getByRole("button", { name: "Stop" }).click(),
  failure: (page) => page.getByRole("alert").filter({ hasText: /./ }),
  refusal: (page) => page.getByText("reply_running").waitFor(),
};

playCases("assistant-ui", () => app, hands);

test("no request has left this machine", () => {
  expect(app.strays).toEqual([]);
});
