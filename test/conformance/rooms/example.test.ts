// The example of rooms runs against the platform, and checks itself.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

test("examples/rooms.ts debates, lets a person speak, and goes on in another room", async () => {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["examples/rooms.ts"], {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "✓ the debate ends: completed",
    "✓ who spoke, in order: Ada, Bo, Judge, Ada, Bo, Judge",
    "✓ the judge has the last word: Judge: So the customer decides",
    "✓ Mia cannot speak as Ada: speaks as Mia alone",
    "✓ what Mia says is hers: Mia: I would like that.",
    "✓ states by name: Ada, Bo, Judge",
    "✓ a missing name is refused: agents of the room",
    "✓ the loaded room goes on: Judge: Closed.",
    "✓ and has what was said before: Bo: It rains, and things get lost.",
  ]);
});
