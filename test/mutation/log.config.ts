// Mutants of the object's log, in workerd.
import core from "./core.config.ts";

const LOG = "session-log,event-table,event-stamp,frame-bytes,parts,take-page";

export default {
  ...core,
  vitest: { configFile: "test/mutation/log.vitest.config.ts" },
  mutate: [`durable-objects/{log,bytes}/{${LOG}}.ts`],
  incrementalFile: ".stryker/log/incremental.json",
  tempDirName: ".stryker/log/sandboxes",
  jsonReporter: { fileName: ".stryker/log/report.json" },
  htmlReporter: { fileName: ".stryker/log/report.html" },
};
