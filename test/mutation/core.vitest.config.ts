// The suites that hold the core and what of the log is pure: fast ones, without a platform beside them.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { BROAD_TAG } from "../support/suites.ts";

/** The quickest tests first: they find most mutants, and end their run. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

export default defineConfig({
  test: {
    tags: [BROAD_TAG],
    include: [
      "test/unit/{agent,durable-objects,protocol}/**/*.test.ts",
      "test/unit/tools/code.test.ts",
      "test/unit/worker/{api-key-format,utf8,words}.test.ts",
    ],
    exclude: ["test/unit/protocol/ag-ui-*.test.ts"],
    // As in vitest.config.ts: a process for all files of a mutant, which must be told apart from the code by the same draws.
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    setupFiles: ["./test/support/fresh-file.ts", "./test/support/property-seed.ts"],
    // Instrumented code is slow, and a run at low priority may be stopped for a while. A mutant that never ends is given up
    // by the run, not by this.
    testTimeout: 3_600_000,
  },
});
