// The suites that hold the object's log, in workerd, because it writes to an object's own SQLite.
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

import { BROAD_TAG } from "../support/suites.ts";

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: { ENVIRONMENT: "local", ALLOWED_SPECIAL_NAMES: "example" } },
      remoteBindings: false,
    }),
  ],
  test: {
    tags: [BROAD_TAG],
    include: [
      "test/worker/log/{condensing-steps,durability,large-messages,log,log-readers,outsized-messages,packed-rows,recent-frames,session-log,staged-messages}.test.ts",
      "test/worker/{recovery/recovery,streams/streams,usage/last-usage}.test.ts",
    ],
    testTimeout: 3_600_000,
  },
});
