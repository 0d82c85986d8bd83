// The example of memory runs against the platform, and checks itself.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

test("examples/memory.ts records and recalls by tools and around replies", async () => {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["examples/memory.ts"], {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "✓ record_to_memory: Recorded as mem_",
    "✓ what the input recalls: The user is allergic to nuts.",
    "✓ what the input recalls: I prefer window seats",
    "✓ retrieve_from_memory: The user is allergic to nuts.",
    "✓ another user's conversation recalls nothing of it",
  ]);
});
