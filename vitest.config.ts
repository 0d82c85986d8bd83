import { availableParallelism } from "node:os";

import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

import { writeSite } from "./scripts/write-site.ts";
import { HANG_LIMITS } from "./test/support/hang-limits.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { QuietRuntime } from "./test/support/quiet-runtime.ts";
import { readSchema } from "./test/support/read-schema.ts";
import { BROAD_TAG, chosenTests, SUITES } from "./test/support/suites.ts";

const CORES = availableParallelism();
const CHOSEN = chosenTests(process.env["REPRISE_TESTS"]);

// The Worker imports the pages of /docs, which are not committed.
await writeSite();

export default defineConfig({
  test: {
    // A line a file, and what failed: how long a passed test took is no news.
    reporters: ["default", new QuietRuntime()],
    onConsoleLog: (log) =>
      // Of what was under way when the objects of a file were erased before the next one.
      !log.includes("Error: Application called deleteAllDurableObjects().") &&
      // A line for each failure of a model or a tool that a test plays; failure-lines.test.ts asserts them.
      !/^\{"log":"(?:reply|model_call|tool_call)_failed"/.test(log),
    sequence: { sequencer: LongestFirst },
    slowTestThreshold: HANG_LIMITS.testTimeout,
    tags: [BROAD_TAG],
    projects: [
      {
        test: {
          ...HANG_LIMITS,
          ...CHOSEN,
          name: "unit",
          sequence: { groupOrder: 1 },
          // They have something to do nearly all the time.
          maxWorkers: CORES + 1,
          // A process for each file, with all that it imports, cost more than its tests: see fresh-file.ts.
          isolate: false,
          include: SUITES.unit,
          setupFiles: ["./test/support/fresh-file.ts", "./test/support/property-seed.ts"],
        },
      },
      async () => ({
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ENVIRONMENT: "local",
                // Addresses of the tests that nobody calls.
                ALLOWED_SPECIAL_NAMES: "example",
                OPERATOR_KEY: "operator-key-of-the-tests",
                KEY_PEPPER: "pepper-of-the-tests",
                MASTER_KEY: btoa("master-key-of-the-tests-32-bytes"),
                CARD_KEY: btoa("card-key-of-the-tests-has-32-byt"),
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
                TEST_SCHEMA: [...readSchema("./migrations")],
                // In workerd `process.env` has the bindings alone.
                ...variablesOfTests(["REPRISE_TESTS", "PROPERTY_SEED"]),
              },
            },
            remoteBindings: false,
          }),
        ],
        test: {
          ...HANG_LIMITS,
          ...CHOSEN,
          name: "worker",
          sequence: { groupOrder: 2 },
          // They wait for alarms of objects, but not as long as for a runtime more: each loads all that is tested.
          maxWorkers: 2 * CORES,
          // Starting the runtime takes longer than most files do: see apply-migrations.ts.
          isolate: false,
          include: SUITES.worker,
          setupFiles: ["./test/worker/apply-migrations.ts", "./test/support/property-seed.ts"],
          globalSetup: [
            "./test/support/provide-webhook-receiver.ts",
            "./test/support/provide-effect-server.ts",
            "./test/support/provide-oidc-server.ts",
            "./test/support/mcp/provide-mcp-server.ts",
            "./test/support/voice/provide-voice-servers.ts",
          ],
        },
      }),
      {
        test: {
          ...HANG_LIMITS,
          ...CHOSEN,
          name: "conformance",
          // First, since it waits most: for sockets, for a platform that starts, for the shortest times of settings.
          sequence: { groupOrder: 0 },
          maxWorkers: 3 * CORES,
          // As those of the unit project.
          isolate: false,
          setupFiles: ["./test/support/fresh-file.ts"],
          // One platform serves all of them: a project of its own would start another one.
          include: SUITES.conformance,
          globalSetup: ["./test/support/start-platform.ts"],
        },
      },
    ],
  },
});

/** Variables of the environment that tests read, those that are set. */
function variablesOfTests(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
