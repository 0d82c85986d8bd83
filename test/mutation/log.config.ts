// Mutants of the object's log, in workerd.
import core from "./core.config.ts";

const LOG = "session-log,event-table,event-stamp,frames-between,next-reservation,recent-frames";
const BYTES = "parts,take-page";

export default {
  ...core,
  vitest: { configFile: "test/mutation/log.vitest.config.ts" },
  mutate: [`durable-objects/log/{${LOG}}.ts`, `durable-objects/bytes/{${BYTES}}.ts`],
  incrementalFile: ".stryker/log/incremental.json",
  tempDirName: ".stryker/log/sandboxes",
  jsonReporter: { fileName: ".stryker/log/report.json" },
  htmlReporter: { fileName: ".stryker/log/report.html" },
};
