// What needs a browser, or drives the running platform by a released client of others: `npm run test:matrix`.
import { availableParallelism } from "node:os";

import { configDefaults, defineConfig } from "vitest/config";

import { HANG_LIMITS } from "./test/support/hang-limits.ts";
import { RELEASED_AG_UI_CLIENTS } from "./test/matrix/clients/released-versions.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SUITES } from "./test/support/suites.ts";

/** Run once for each released client of AG-UI. */
const OF_EACH_CLIENT = ["test/matrix/clients/ag-ui-client-*.test.ts"];

export default defineConfig({
  test: {
    // They wait for sockets and for the platform's own times.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...HANG_LIMITS,
          name: "matrix",
          // Files of a worker share its browser: see browser-pages.ts.
          isolate: false,
          setupFiles: ["./test/support/fresh-file.ts"],
          include: SUITES.matrix,
          // The packages of the front ends have tests of their own.
          exclude: [...configDefaults.exclude, ...OF_EACH_CLIENT],
        },
      },
      ...RELEASED_AG_UI_CLIENTS.map((agUiClient) => {
        const name = `${agUiClient.name} ${agUiClient.version}`;
        const provide = { agUiClient };
        return { test: { ...HANG_LIMITS, name, include: OF_EACH_CLIENT, provide } };
      }),
    ],
    slowTestThreshold: HANG_LIMITS.testTimeout,
    // One platform serves all of them.
    globalSetup: ["./test/support/start-platform.ts"],
  },
});
