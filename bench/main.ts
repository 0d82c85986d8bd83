// `npm run bench`: measures, prints Markdown tables and stores those of a complete run; with --check it fails when a
// target is missed.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Figure } from "./cell.ts";
import { readOptions } from "./read-options.ts";
import { describeCell } from "./report/describe-cell.ts";
import { describeMachine, describeVersions } from "./report/describe-machine.ts";
import { judgeFigure } from "./report/judge-figure.ts";
import { startBench } from "./start-bench.ts";

const RESULTS = fileURLToPath(new URL("results", import.meta.url));

const options = readOptions(process.argv.slice(2));
const date = new Date().toISOString().slice(0, 10);
// Stops everything that was started, however this process ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(1));
}

const bench = await startBench(options);
const heading = [
  `# ${date}`,
  `${describeVersions()}; ${describeMachine()}. Medians of ${options.rounds} rounds; behind × the ratio to the floor in the same round, with the least and the greatest of the rounds.`,
  ...(options.isQuick
    ? [
        "A quick run: steady replies have 100 tokens, which share the rows of a reply's beginning and end, and slow peers have shorter ones at full speed, which makes them look slower than they are.",
      ]
    : []),
  ...bench.missing.map(
    (name) => `${name} is left out: \`npm ci --prefix bench\` installs what it needs.`,
  ),
].join("\n\n");
const measured: Figure[] = [];
const texts = [heading];
try {
  console.log(`${heading}\n`);
  for (const cell of options.cells) {
    const startedAtMs = performance.now();
    const figures = await cell.run(bench);
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
    console.error(`${cell.name}: ${seconds} s`);
    const text = describeCell(cell, figures);
    measured.push(...figures);
    texts.push(text);
    console.log(`${text}\n`);
  }
} finally {
  await bench.stop();
}

if (options.isWhole && bench.missing.length === 0) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}/${date}.md`, `${texts.join("\n\n")}\n`);
}
if (options.isChecked) {
  const verdicts = measured.flatMap(judgeFigure).filter(({ isMet }) => isMet !== true);
  for (const { text } of verdicts) console.error(text);
  // A figure that could not be measured, without a peer or Linux, is not a failure.
  if (verdicts.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}
