// The states of the pages of rooms, as accessibility.test.ts looks at them.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Reprise } from "../../../sdk/index.ts";
import { visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

/** @returns Violations by state. */
export async function lookAtRooms(
  page: Page,
  reprise: Reprise,
): Promise<Record<string, readonly string[]>> {
  const violations: Record<string, readonly string[]> = {};
  const dialog = page.getByRole("dialog");
  await visit(page, "/console/rooms");
  await page.getByText("There are no rooms yet").waitFor();
  await page.getByRole("button", { name: "New room" }).click();
  await dialog.getByLabel("Turns").selectOption("moderated");
  await dialog.getByLabel("Moderator").waitFor();
  violations["no rooms, new room"] = await findViolations(page);

  const { id: agent_id } = await reprise.agents.create({
    name: "Treasurer",
    tools: [{ type: "external", name: "refund" }],
  });
  const form = { type: "object", properties: { vote: { type: "string", enum: ["yes", "no"] } } };
  const room = await reprise.rooms.create({
    title: "Council",
    participants: [
      { name: "treasurer", agent_id },
      { name: "Ada", kind: "person", awaited: true, form },
    ],
    turns: { order: "parallel" },
  });
  await room.say("Please.\n/call refund {}\n/say Paid.", { participant: "Ada" });
  await expect.poll(async () => (await room.get()).pending.length).toBe(1);
  await visit(page, "/console/rooms");
  await page.getByRole("table").waitFor();
  violations["rooms"] = await findViolations(page);
  await visit(page, `/console/rooms/${room.id}`);
  await page.getByRole("region", { name: "Question about refund" }).waitFor();
  violations["room, waiting"] = await findViolations(page);
  await page.getByRole("button", { name: "Let in" }).click();
  await dialog.getByLabel("Who").selectOption({ label: "Treasurer" });
  await dialog.getByLabel("What it is told of before").waitFor();
  violations["new participant"] = await findViolations(page);
  return violations;
}
