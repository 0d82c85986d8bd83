import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { RELEASED_AG_UI_CLIENTS } from "./released-versions.ts";
import { openPeopleDesk } from "../../sdk/people-desk.ts";

const EXAMPLE = "examples/ag-ui-client.ts";

test("docs/ag-ui.md's client is the checked file", () => {
  const page = readFileSync("docs/ag-ui.md", "utf8");
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code);

  expect(blocks.join("\n")).toBe(readFileSync(EXAMPLE, "utf8"));
});

test("docs/ag-ui.md names the clients that are run, in the versions that are installed", () => {
  const page = readFileSync("docs/ag-ui.md", "utf8");
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const rows = [...page.matchAll(/^\| `(@ag-ui\/client)` \| (\S+) \| (\S+) \|/gm)];

  expect(rows.map(([, name, version, profile]) => [name, version, profile])).toEqual(
    RELEASED_AG_UI_CLIENTS.map(({ name, version, profile }) => [name, version, profile]),
  );
  for (const { name, version, installedAs } of RELEASED_AG_UI_CLIENTS) {
    const wanted = installedAs === name ? version : `npm:${name}@${version}`;
    expect(devDependencies[installedAs]).toBe(wanted);
  }
});

test("it asks, answers what waits, and opens a page when the agent wants it", async () => {
  const { apiKey, agentId } = await openPeopleDesk();
  const environment = { API_KEY: apiKey, AGENT_ID: agentId, BASE_URL: inject("baseUrl") };

  const { stdout, stderr } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    env: { ...process.env, ...environment },
  });

  expect(stderr).toBe("");
  expect(stdout).toContain("Your shipping label: RETURN-7741");
  expect(stdout.trimEnd().endsWith("There you are.")).toBe(true);
});
