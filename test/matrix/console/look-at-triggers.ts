// The states of the pages of triggers, as accessibility.test.ts looks at them.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Reprise } from "../../../sdk/index.ts";
import { visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

/** @returns Violations by state. */
export async function lookAtTriggers(
  page: Page,
  reprise: Reprise,
): Promise<Record<string, readonly string[]>> {
  const violations: Record<string, readonly string[]> = {};
  const dialog = page.getByRole("dialog");
  await visit(page, "/console/triggers");
  await page.getByText("There are no triggers yet").waitFor();
  await page.getByRole("button", { name: "New trigger" }).click();
  await dialog.getByLabel("Cron expression").waitFor();
  violations["no triggers, new trigger"] = await findViolations(page);

  const { id: agent_id } = await reprise.agents.create({ name: "Reporter" });
  const schedule = { type: "cron", expression: "0 8 * * *", timezone: "Europe/Berlin" } as const;
  const daily = await reprise.triggers.create({
    name: "Daily",
    agent_id,
    schedule,
    input: "/fail invalid_request",
  });
  const run = await reprise.triggers.runs(daily.id).create();
  const runs = reprise.triggers.runs(daily.id);
  await expect.poll(async () => (await runs.get(run.id)).status).toBe("failed");
  await reprise.triggers.pause(daily.id);
  const webhook = { form: "github" } as const;
  const issues = await reprise.triggers.create({
    name: "Issues",
    agent_id,
    webhook,
    input: "Look",
  });
  await visit(page, "/console/triggers");
  await page.getByRole("table").waitFor();
  violations["triggers"] = await findViolations(page);
  await visit(page, `/console/triggers/${daily.id}`);
  await page.getByText("It was paused by hand.").waitFor();
  await page.getByRole("table").waitFor();
  violations["trigger, paused"] = await findViolations(page);
  await visit(page, `/console/triggers/${issues.id}`);
  await page.getByText("It has not run yet").waitFor();
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await dialog.getByRole("button", { name: "I have stored it" }).waitFor();
  violations["trigger, its secret"] = await findViolations(page);
  return violations;
}
