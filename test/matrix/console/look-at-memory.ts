// The states of the pages of memory and of called agents, as accessibility.test.ts looks at them.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Reprise } from "../../../sdk/index.ts";
import { visit } from "./console-browser.ts";
import { findViolations } from "./find-violations.ts";

const NOTE = "Ada lives in Berlin.";

/** @returns Violations by state. */
export async function lookAtMemory(
  page: Page,
  reprise: Reprise,
): Promise<Record<string, readonly string[]>> {
  const violations: Record<string, readonly string[]> = {};
  const dialog = page.getByRole("dialog");
  await visit(page, "/console/memory");
  await page.getByText("Nothing is remembered yet").waitFor();
  await page.getByRole("button", { name: "New store" }).click();
  await dialog.getByLabel("End user").waitFor();
  violations["no memory, new store"] = await findViolations(page);

  const helper = await reprise.agents.create({
    name: "Helper",
    tools: [{ type: "external", name: "refund" }],
  });
  const agent = await reprise.agents.create({
    name: "Rememberer",
    memory: { mode: "both" },
    tools: [
      { type: "agent", name: "helper", agent_id: helper.id, read_only: true },
      { type: "external", name: "read_mail", read_only: true, returns_untrusted: true },
    ],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "ada" });
  const note = JSON.stringify({ thinking: "", content: [NOTE] });
  const reply = await session.replies.create(
    `/call read_mail {}\n/say Read.\n/call record_to_memory ${note}\n/say Noted.`,
  );
  await session.submitToolResults(reply, "A letter.");
  await expect.poll(async () => (await session.get()).status).toBe("idle");
  const [memory] = (await session.memories.list().page(null)).data;
  const { store_id, id } = memory ?? { store_id: "", id: "" };
  await visit(page, "/console/memory");
  await page.getByRole("link", { name: "ada" }).waitFor();
  violations["memory stores"] = await findViolations(page);
  await visit(page, `/console/memory/${store_id}`);
  await page.getByText("untrusted", { exact: true }).waitFor();
  violations["memory store"] = await findViolations(page);
  await page.getByRole("button", { name: "Write a memory" }).click();
  await dialog.getByLabel("What is remembered").waitFor();
  violations["new memory"] = await findViolations(page);
  await visit(page, `/console/memory/${store_id}/${id}`);
  await page.getByRole("button", { name: "Correct" }).click();
  await reprise.memoryStores.memories(store_id).update(id, { content: "Ada lives in Bonn." });
  await dialog.getByLabel("What is remembered").fill("Ada lives in Rome.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  violations["memory, overtaken"] = await findViolations(page);
  await visit(page, `/console/sessions/${session.id}?tab=memory`);
  await page.getByText("1 memory recorded by the agent’s tool, untrusted").waitFor();
  violations["memory of a session"] = await findViolations(page);

  const message = JSON.stringify({ message: "/call refund {}\n/say Done." });
  await session.replies.create(`/call helper ${message}\n/say Thanks.`, { background: true });
  await visit(page, `/console/sessions/${session.id}`);
  await page.getByRole("region", { name: "Agent Helper" }).waitFor();
  violations["call of an agent"] = await findViolations(page);
  await visit(page, `/console/sessions/${session.id}?tab=agents`);
  await page.getByRole("region", { name: "Called agents" }).getByRole("link").first().waitFor();
  violations["called agents"] = await findViolations(page);
  await session.interrupt();
  return violations;
}
