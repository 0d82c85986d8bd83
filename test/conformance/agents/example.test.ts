// The example of called agents runs against the platform, and checks itself.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { createTenant } from "../../support/platform-client.ts";

test(
  "examples/agents.ts shows a called agent and answers it from its caller's session",
  BROAD,
  async () => {
    const { key } = await createTenant();
    const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };

    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["examples/agents.ts"], {
      env: { ...process.env, ...environment },
    });

    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual([
      "✓ the page shows: Order desk: I look it up.",
      "✓ it asks: refund",
      "✓ the called agent: completed: I look it up. It is paid.",
      "✓ the concierge: Your money comes.",
    ]);
  },
);
