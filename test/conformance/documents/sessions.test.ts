// The document's chapter on sessions, as its example runs it against the platform.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

test("examples/sessions-document.ts saves and loads the states of agents as `JSONSession` does", async () => {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["examples/sessions-document.ts"],
    { env: { ...process.env, ...environment } },
  );

  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "✓ the agent answers",
    "✓ the saved state is empty",
    "✓ and the agent goes on",
    "✓ a restore finds it again",
    "✓ an older state is refused",
    "✓ the loaded session is the saved one",
    "✓ also in another agent",
    "✓ two agents change places",
    "✓ the names have to be the same",
  ]);
});
