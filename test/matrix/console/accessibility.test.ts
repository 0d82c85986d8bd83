// axe on every page of the console, in light and dark, and in each state that a page has.
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { launch, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

/** Serious and critical violations of the page as it is, with the elements. */
async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

test.each(["light", "dark"] as const)(
  "no page has a serious violation in %s",
  async (colorScheme) => {
    const { reprise, operator } = await makeTenant();
    const empty = await makeTenant("Empty");
    const agent = await reprise.agents.create({
      name: "Refund desk",
      permission: { mode: "default", rules: [] },
      tools: [{ type: "http", name: "refund", url: "http://127.0.0.1:9/refund" }],
    });
    const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ann" });
    await session.reply('/think Hm.\n/say # Hello\n/call refund {"order": 1}').done();
    const browser = await launch();
    // The policy would stop axe itself, which is evaluated as text.
    const options = { colorScheme, bypassCSP: true };
    const violations: Record<string, readonly string[]> = {};

    const { page } = await openPage(browser, options);
    await page.goto((await empty.reprise.consoleLinks.create()).url);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    violations["sign-in"] = await findViolations(page);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No sessions yet").waitFor();
    violations["no sessions"] = await findViolations(page);
    await page.getByRole("button", { name: "Account and appearance" }).click();
    await page.getByRole("menu").waitFor();
    violations["menu"] = await findViolations(page);
    await page.keyboard.press("Escape");
    await visit(page, "/console/nowhere");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    violations["not found"] = await findViolations(page);

    await signIn(page, (await reprise.consoleLinks.create()).url);
    await page.getByRole("table").getByRole("link").first().waitFor();
    violations["sessions"] = await findViolations(page);
    await visit(page, "/console/agents");
    await page.getByRole("cell", { name: "Refund desk" }).waitFor();
    violations["agents"] = await findViolations(page);
    await visit(page, `/console/sessions/${session.id}`);
    await page.getByRole("region", { name: "Call of refund" }).waitFor();
    violations["conversation"] = await findViolations(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").waitFor();
    violations["dialog"] = await findViolations(page);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("region", { name: "Events" }).getByRole("button").first().click();
    await page.getByRole("group", { name: /^event \d+$/ }).waitFor();
    violations["events"] = await findViolations(page);
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByRole("group", { name: "session" }).waitFor();
    violations["data"] = await findViolations(page);

    const phone = await openPage(browser, { ...options, width: 375 });
    await signIn(phone.page, (await operator.consoleLinks.create()).url);
    await phone.page.getByRole("table").waitFor();
    await phone.page.getByRole("button", { name: "Open the navigation" }).click();
    await phone.page.getByRole("dialog").waitFor();
    violations["drawer"] = await findViolations(phone.page);
    await phone.page.keyboard.press("Escape");
    violations["tenants"] = await findViolations(phone.page);

    expect(Object.values(violations).flat()).toEqual([]);
    expect(Object.keys(violations)).toHaveLength(12);
  },
);
