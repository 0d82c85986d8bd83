import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
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
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
              },
            },
            remoteBindings: false,
          }),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["./test/worker/apply-migrations.ts"],
        },
      }),
      {
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          globalSetup: ["./test/support/start-platform.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
