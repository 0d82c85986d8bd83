// Mutants of the pure core: `npm run test:mutation`. What was run and how it ended is in docs/testing/mutants.md.

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/core.vitest.config.ts" },
  mutate: [
    "{agent,protocol}/**/*.ts",
    // Each of its mutants would have to pass the dialect's own client over every session: minutes.
    "!protocol/dialects/ag-ui/**",
    // The pure part of the object's log.
    "durable-objects/log/{delta-form,delta-window,frame-bytes,pack-frames,unpack-frames}.ts",
    "durable-objects/log/condensed/*.ts",
    "durable-objects/bytes/{join-bytes,outline-of,piece-reader,scan-members,varints}.ts",
  ],
  // A text that is changed is a sentence for a model or a person, or the name of a kind, which the compiler checks.
  mutator: { excludedMutations: ["StringLiteral"] },
  coverageAnalysis: "perTest",
  // A mutant of what is made once, as a module is loaded, would cost every test of every file.
  ignoreStatic: true,
  concurrency: 2,
  incremental: true,
  incrementalFile: ".stryker/core/incremental.json",
  tempDirName: ".stryker/core/sandboxes",
  reporters: ["progress-append-only", "clear-text", "json", "html"],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: ".stryker/core/report.json" },
  htmlReporter: { fileName: ".stryker/core/report.html" },
  ignorePatterns: ["/bench", "/examples", "/.reprise", "/.wrangler", "/.stryker"],
  disableTypeChecks: false,
  // The compiler that would adapt tsconfig.json to the sandbox has no API any more; nothing here needs it.
  tsconfigFile: "none.json",
  allowConsoleColors: false,
};
