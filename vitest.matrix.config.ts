// What needs a browser, or drives the running platform by a released client of others: `npm run test:matrix`.
import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

import { HANG_LIMITS } from "./test/support/hang-limits.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SUITES } from "./test/support/suites.ts";

export default defineConfig({
  test: {
    ...HANG_LIMITS,
    name: "matrix",
    include: SUITES.matrix,
    // They wait for sockets and for the platform's own times.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    slowTestThreshold: HANG_LIMITS.testTimeout,
    // One platform serves all of them.
    globalSetup: ["./test/support/start-platform.ts"],
  },
});
