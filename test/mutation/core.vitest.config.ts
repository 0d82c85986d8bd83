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
    // Whatever room a test of the pure code is in; the others start servers, or are of other folders.
    include: ["test/unit/**/*.test.ts"],
    exclude: [
      "test/unit/{bench,boundary,console,golden,models/*,mutation,openapi,outgoing,runtime,scripts,sdk,support,webhooks}/**",
      "test/unit/ag-ui/ag-ui-*.test.ts",
      "test/unit/mcp/{*-bounds,*-sign-in,*secret*,forgotten*,mangled,mcp-link,odd-*,progress,side-stream}.test.ts",
      "test/unit/tools/{exchange,http*,redact,unanswered,with-room}.test.ts",
    ],
    // As in vitest.config.ts: a process for all files of a mutant, which must be told apart from the code by the same draws.
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    setupFiles: ["./test/support/fresh-file.ts", "./test/support/property-seed.ts"],
    // Instrumented code is slow, and a run at low priority may be stopped for a while. A mutant that never ends is given up
    // by the run, not by this.
    testTimeout: 3_600_000,
  },
});
