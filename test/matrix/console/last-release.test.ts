// The page of this release, with the platform of the last one behind it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeAll, expect, test } from "vitest";

import { Reprise } from "../../../sdk/index.ts";
import { readDevFile, startProcess } from "../../support/start-process.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, openPage, signIn } from "./console-browser.ts";
import { checkOutLastRelease } from "./last-release.ts";

const platform = { baseUrl: "", apiKey: "", operatorKey: "" };

beforeAll(async () => {
  const { folder, remove } = await checkOutLastRelease();
  const state = mkdtempSync(join(tmpdir(), "reprise-last-release-state-"));
  const started = startProcess(state, "0", "node", false, {}, folder);
  await started.ready;
  if (!started.stdout()) throw new Error(`it did not start: ${started.stderr()}`);
  const dev = readDevFile(state);
  platform.baseUrl = dev.base_url;
  platform.apiKey = dev.api_key;
  platform.operatorKey = dev.operator_key;
  return async () => {
    started.kill("SIGTERM");
    await started.ended;
    rmSync(state, { recursive: true, force: true });
    remove();
  };
});

async function openConsole(kind: "tenant" | "operator") {
  const { baseUrl } = platform;
  const apiKey = kind === "tenant" ? platform.apiKey : platform.operatorKey;
  const reprise = new Reprise({ baseUrl, apiKey });
  const opened = await openPage(await launch(), { baseUrl });
  const { url } = await reprise.consoleLinks.create();
  await signIn(opened.page, url);
  return { ...opened, reprise, opened };
}

test.each(["tenant", "operator"] as const)(
  "each page of the %s opens, or says that the platform does not have it yet",
  async (kind) => {
    const { page, opened } = await openConsole(kind);
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    await links.first().waitFor();
    const failed: string[] = [];
    for (let index = 0; index < (await links.count()); index += 1) {
      await links.nth(index).click();
      await page.getByRole("main").getByRole("heading").first().waitFor();
      await page.waitForLoadState("networkidle");
      const label = await links.nth(index).innerText();
      if ((await page.getByText("There is nothing here").count()) > 0) failed.push(label);
      for (const alert of await page.getByRole("main").getByRole("alert").allInnerTexts()) {
        failed.push(`${label}: ${alert}`);
      }
    }

    expect(failed).toEqual([]);
    expect(await links.count()).toBeGreaterThan(kind === "tenant" ? 10 : 2);
    expectNoMisdeeds(opened);
  },
);

test("a refund is asked for, allowed and ended, and an agent is changed", async () => {
  const { page, opened, reprise } = await openConsole("tenant");
  const [agent] = (await reprise.agents.list().page()).data;
  await page.goto(`${platform.baseUrl}/console/playground?agent=${agent?.id}`);
  await page.getByRole("textbox", { name: "Your message" }).fill("Please refund order A-1001.");
  await page.keyboard.press("Enter");
  const refund = page.getByRole("region", { name: "Call of refund_order" });
  await refund.getByRole("button", { name: "Allow", exact: true }).click();
  const label = page.getByRole("region", { name: "Call of print_label" });
  await label.getByRole("textbox", { name: "Result" }).fill("RETURN-7741");
  await label.getByRole("button", { name: "Submit the result" }).click();
  await page.locator("header").getByRole("status").getByText("idle", { exact: true }).waitFor();
  const sessionId = new URL(page.url()).searchParams.get("session") ?? "";

  await page.goto(`${platform.baseUrl}/console/agents/${agent?.id}`);
  await page.getByLabel("Name", { exact: true }).first().fill("Desk of refunds");
  await page.getByText("Valid", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await reprise.agents.get(agent?.id ?? "")).name)
    .toBe("Desk of refunds");

  expect(await reprise.session(sessionId).get()).toMatchObject({ status: "idle", pending: [] });
  expectNoMisdeeds(opened);
});
