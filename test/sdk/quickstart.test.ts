import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { openDesk } from "./desk.ts";

const EXAMPLE = "examples/sdk-quickstart.ts";

test("README's example of the SDK is the checked file, and ten lines at most", () => {
  const [, shown] = /## SDK\n[^]*?```ts\n([^]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];
  const example = readFileSync(EXAMPLE, "utf8");

  expect(shown).toBe(example);
  expect(example.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(10);
});

test("it streams an answer and ends with its usage", async () => {
  const { apiKey, agentId, reprise } = await openDesk();
  const environment = { API_KEY: apiKey, AGENT_ID: agentId, BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    env: { ...process.env, ...environment },
  });

  const [session] = (await reprise.sessions.list().page()).data;
  const [reply] = (
    await reprise
      .session(session?.id ?? "")
      .replies.list()
      .page()
  ).data;
  const usage = reply?.usage;
  expect(stderr).toBe("");
  expect(stdout).toContain("Here is what I know about A-1001:");
  expect(stdout).toContain(`completed: {\n  input_tokens: ${usage?.input_tokens},`);
});
