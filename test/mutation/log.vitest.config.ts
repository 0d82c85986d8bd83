// The suites that hold the object's log, in workerd, because it writes to an object's own SQLite.
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: { ENVIRONMENT: "local" } },
      remoteBindings: false,
    }),
  ],
  test: {
    include: ["test/worker/session/{durability,log-readers,recent-frames,session-log}.test.ts"],
    testTimeout: 3_600_000,
  },
});
