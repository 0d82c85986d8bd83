import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/**
 * For hangs only, never for how fast something is: what takes this long would take for ever. A look that fails for
 * this long says what it saw, so it ends before its test does.
 */
const LIMITS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};

export default defineConfig({
  test: {
    // A core that is left free would be free all the time: the suites wait for sockets and timers.
    maxWorkers: "100%",
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
          // One platform serves all of them: a project of its own would start another one.
          include: ["test/{browser,conformance,hostile,sdk}/**/*.test.ts"],
          globalSetup: ["./test/support/start-platform.ts"],
        },
      },
    ],
  },
});
