// docs/a2a.md: its client is the checked file, which runs, in the version of the SDK that the page names.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { refundDeskAgent } from "../../../scripts/refund-desk-agent.ts";
import { createTenant, request } from "../../support/platform-client.ts";

const EXAMPLE = "examples/a2a-client.ts";
const page = readFileSync("docs/a2a.md", "utf8");

test("docs/a2a.md's client is the checked file", () => {
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code);

  expect(blocks.join("\n")).toBe(readFileSync(EXAMPLE, "utf8"));
});

test("docs/a2a.md names the SDK in the version that is installed", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };

  expect(page).toContain(`\`@a2a-js/sdk\` ${devDependencies["@a2a-js/sdk"]}`);
});

test("it asks, allows what waits, and gets the end of the task", async () => {
  const { key } = await createTenant();
  const agent = refundDeskAgent(Number(new URL(inject("toolsUrl")).port));
  const model = { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 0 } };
  const { body } = await request<{ id: string }>("POST", "/v1/agents", {
    key,
    body: { ...agent, model, a2a: { enabled: true } },
  });
  const environment = { API_KEY: key, AGENT_ID: body.id, BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout).toContain("TASK_STATE_INPUT_REQUIRED");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("TASK_STATE_COMPLETED");
});
