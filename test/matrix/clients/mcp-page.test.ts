// docs/mcp-server.md: its client is the checked file, which runs, and the clients that it names are those installed.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { openPeopleDesk } from "../../sdk/people-desk.ts";

const EXAMPLE = "examples/mcp-client.ts";
const page = readFileSync("docs/mcp-server.md", "utf8");

test("docs/mcp-server.md's client is the checked file", () => {
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code);

  expect(blocks.join("\n")).toBe(readFileSync(EXAMPLE, "utf8"));
});

test("docs/mcp-server.md names the clients that are run, in the versions that are installed", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const rows = [...page.matchAll(/^\| `(@modelcontextprotocol\/\w+)` \| (\S+) \|/gm)];

  expect(rows.map(([, name, version]) => [name, version])).toEqual(
    ["@modelcontextprotocol/client", "@modelcontextprotocol/sdk"].map((name) => [
      name,
      devDependencies[name],
    ]),
  );
});

test("it asks, and answers what waits by forms", async () => {
  const { apiKey, agentId } = await openPeopleDesk();
  const environment = { API_KEY: apiKey, AGENT_ID: agentId, BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout).toContain("Your shipping label: RETURN-7741");
  expect(stdout).toContain("status: 'completed'");
});
