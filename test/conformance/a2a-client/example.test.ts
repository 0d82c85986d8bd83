/** @module-tag broad */
// The example of agents of other systems runs against the platform, and checks itself.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

test("examples/a2a/main.ts finds an agent in each of the document's ways, and chats with it", async () => {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

  const program = ["examples/a2a/main.ts"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program, {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "✓ a card made by hand: You say: Good morning",
    "✓ a well-known address: You say: Good morning",
    "✓ a file of the deployment: You say: Good morning",
    "✓ a registry: You say: Good morning",
    "✓ the chat begins: You say: Hello Friday",
    "✓ and goes on in its conversation: Before, you said: Hello Friday",
    "✓ a fork begins anew: Hello!",
  ]);
});
