// MCP's own conformance suite: an agent's endpoint is the server of its scenarios for servers, and the platform is the
// client in those for clients.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { openMcpDesk } from "../../support/mcp-desk.ts";
import { createTenant } from "../../support/platform-client.ts";
import { CLIENT_EXCLUDED, CLIENT_RUNS } from "./client-scenarios.ts";
import {
  listScenarios,
  runScenario,
  versionsOf,
  type Check,
  type Scenario,
} from "./conformance-suite.ts";
import type { Runs } from "./scenario-lists.ts";
import { SERVER_EXCLUDED, SERVER_RUNS } from "./server-scenarios.ts";
import { startStandInProxy, type StandInProxy } from "./stand-in-proxy.ts";

const SCENARIOS = await listScenarios();

/** Each scenario that applies, in each version that it is run in. */
function runsOf(of: Scenario["of"], runs: Runs) {
  return SCENARIOS.filter((scenario) => scenario.of === of && scenario.name in runs).flatMap(
    (scenario) =>
      versionsOf(scenario).map((version) => ({
        scenario,
        version,
        title: `${scenario.name} in ${version}`,
        exceptions: runs[scenario.name] ?? {},
      })),
  );
}

/** The checks that did not pass, by id, with what they say. */
function failuresOf(checks: readonly Check[]): Readonly<Record<string, string>> {
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return Object.fromEntries(
    failed.map(({ id, status, errorMessage, details }) => [
      id,
      `${status}: ${errorMessage ?? JSON.stringify(details)}`,
    ]),
  );
}

function expectPassed(
  { checks, output }: { readonly checks: readonly Check[]; readonly output: string },
  exceptions: Readonly<Record<string, string>>,
): void {
  const failures = failuresOf(checks);
  const unexpected = Object.entries(failures).filter(([id]) => !(id in exceptions));
  expect(unexpected, output).toEqual([]);
  // A check that passes by now is an exception no longer. A check of one era alone is in no other one's list.
  const emitted = new Set(checks.map(({ id }) => id));
  const passed = Object.keys(exceptions).filter((id) => emitted.has(id) && !(id in failures));
  expect(passed).toEqual([]);
  // The suite itself knows in which scenarios a client may give up.
  expect(output).not.toContain("CLIENT EXITED WITH ERROR");
  const succeeded = checks.filter(({ status }) => status === "SUCCESS");
  expect(succeeded.length, output).toBeGreaterThan(0);
}

describe("every scenario", () => {
  it("of the suite is in exactly one list, and no list has one that the suite lacks", () => {
    const namesOf = (runs: Runs, excluded: typeof SERVER_EXCLUDED) =>
      [...Object.keys(runs), ...excluded.flatMap(({ scenarios }) => scenarios)].toSorted();
    const listed = (of: readonly Scenario["of"][]) =>
      SCENARIOS.filter((scenario) => of.includes(scenario.of))
        .map(({ name }) => name)
        .toSorted();

    expect(namesOf(SERVER_RUNS, SERVER_EXCLUDED)).toEqual(
      listed(["server", "authorization server"]),
    );
    expect(namesOf(CLIENT_RUNS, CLIENT_EXCLUDED)).toEqual(listed(["client"]));
  });

  it("that does not apply is in docs/testing/mcp-conformance.md with its reason", () => {
    const path = fileURLToPath(
      new URL("../../../docs/testing/mcp-conformance.md", import.meta.url),
    );
    const rows = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => /^\| (?:server|client) \|/.test(line));

    const rowOf = (role: string, subject: string, reason: string) =>
      `| ${role} | ${subject} | ${reason} |`;
    const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
    const lists = [
      { role: "server", runs: SERVER_RUNS, excluded: SERVER_EXCLUDED },
      { role: "client", runs: CLIENT_RUNS, excluded: CLIENT_EXCLUDED },
    ];
    const expected = lists.flatMap(({ role, runs, excluded }) => [
      ...excluded.map(({ scenarios, reason }) => rowOf(role, quoted(scenarios), reason)),
      ...Object.entries(runs).flatMap(([name, exceptions]) =>
        Object.entries(exceptions).map(([id, reason]) =>
          rowOf(role, `\`${name}\`, its check \`${id}\``, reason),
        ),
      ),
    ]);
    expect(rows).toEqual(expected);
  });
});

/** The suite gives an answer half a second, whatever else the machine does; a fault of ours fails each time. */
const OWN_LIMITS_OF_TIME = { retry: 3 };

describe("an agent's endpoint passes", OWN_LIMITS_OF_TIME, () => {
  let proxy: StandInProxy;
  beforeAll(async () => {
    const { url, key } = await openMcpDesk();
    proxy = await startStandInProxy(url, key, "ask_desk");
  });
  afterAll(() => proxy.stop());

  it.each(runsOf("server", SERVER_RUNS))("$title", async ({ scenario, version, exceptions }) => {
    expectPassed(await runScenario(scenario, version, ["--url", proxy.url]), exceptions);
  });
});

describe("the platform, as a client, passes", OWN_LIMITS_OF_TIME, () => {
  const command = `${process.execPath} ${fileURLToPath(new URL("drive-client.ts", import.meta.url))}`;

  it.each(runsOf("client", CLIENT_RUNS))("$title", async ({ scenario, version, exceptions }) => {
    const { key } = await createTenant();
    const environment = { REPRISE_BASE_URL: inject("baseUrl"), REPRISE_API_KEY: key };
    const run = await runScenario(scenario, version, ["--command", command], environment);
    expectPassed(run, exceptions);
  });
});
