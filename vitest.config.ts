import { availableParallelism } from "node:os";

import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

import { LongestFirst } from "./test/support/longest-first.ts";
import { QuietRuntime } from "./test/support/quiet-runtime.ts";

/**
 * For hangs only, never for how fast something is: what takes this long would take for ever. A look that fails for
 * this long says what it saw, so it ends before its test does.
 */
const LIMITS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

export default defineConfig({
  test: {
    // No core is left free.
    maxWorkers: "100%",
    // A line a file, and what failed: how long a passed test took is no news.
    reporters: ["default", new QuietRuntime()],
    // Of what was under way when the objects of a file were erased before the next one.
    onConsoleLog: (log) => !log.includes("Error: Application called deleteAllDurableObjects()."),
    sequence: { sequencer: LongestFirst },
    slowTestThreshold: LIMITS.testTimeout,
    projects: [
      {
        test: {
          ...LIMITS,
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
        },
      },
      async () => ({
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ENVIRONMENT: "local",
                OPERATOR_KEY: "operator-key-of-the-tests",
                KEY_PEPPER: "pepper-of-the-tests",
                MASTER_KEY: btoa("master-key-of-the-tests-32-bytes"),
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
              },
            },
            remoteBindings: false,
          }),
        ],
        test: {
          ...LIMITS,
          name: "worker",
          // Starting the runtime takes longer than most files do: see apply-migrations.ts.
          isolate: false,
          include: ["test/worker/**/*.test.ts", "test/tenancy/**/*.test.ts"],
          setupFiles: ["./test/worker/apply-migrations.ts"],
          globalSetup: [
            "./test/support/provide-webhook-receiver.ts",
            "./test/support/provide-effect-server.ts",
          ],
        },
      }),
      {
        test: {
          ...LIMITS,
          name: "conformance",
          // They wait for sockets and for the platform's own times, and come when the others have had the cores.
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 1 },
          // One platform serves all of them: a project of its own would start another one.
          include: ["test/{conformance,hostile,matrix,sdk}/**/*.test.ts"],
          globalSetup: ["./test/support/start-platform.ts"],
        },
      },
    ],
  },
});
