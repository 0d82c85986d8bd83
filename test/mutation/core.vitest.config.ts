// The suites that hold the core and what of the log is pure: fast ones, without a platform beside them.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/unit/{agent,durable-objects,protocol}/**/*.test.ts",
      "test/unit/tools/code.test.ts",
    ],
    exclude: ["test/unit/protocol/ag-ui-*.test.ts"],
    // Instrumented code is slow. A mutant that never ends is given up by the run, not by this.
    testTimeout: 300_000,
  },
});
