// The document's custom agent (`AgentBase`: reply, observe, handle_interrupt) on a server of its own, and the example of it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

test("examples/custom-agent.ts replies, observes and handles an interrupt as the document's MyAgent does", async () => {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["examples/custom-agent.ts"],
    { env: { ...process.env, ...environment } },
  );

  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "✓ reply: Hello! I have heard the news.",
    "✓ a turn of the model: So it says: 42",
    "✓ a call: I have looked it up.",
    "✓ handle_interrupt: Interrupted.",
  ]);
});
