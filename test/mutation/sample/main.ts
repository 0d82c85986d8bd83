// `npm run test:mutation:sample`: judges mutants drawn at random, and says what share of all of them is found.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";

import { Stryker } from "@stryker-mutator/core";

import core from "../core.config.ts";
import log from "../log.config.ts";
import { listMutants } from "./list-mutants.ts";
import { drawOrder, isDoubtful, nameOf, SampleFiles } from "./sample-files.ts";
import type { SampleOptions } from "./sample-plugin.ts";
import { judgedPrefix, scoreSample, type Score } from "./score-sample.ts";

const CONFIGS = { core, log };

const { values } = parseArgs({
  options: {
    config: { type: "string", default: "core" },
    seed: { type: "string", default: "1" },
    /** Mutants that are drawn in all. */
    count: { type: "string", default: "1500" },
    /** Mutants that StrykerJS is given at a time: each time all tests run first, and copies of the files are made. */
    batch: { type: "string", default: "300" },
    /** Judges nothing. */
    score: { type: "boolean", default: false },
  },
});
const config = CONFIGS[values.config as keyof typeof CONFIGS];
const folder = `.stryker/${values.config}/sample-${values.seed}`;
const files = new SampleFiles(folder);

if (!values.score) {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const mutants = drawOrder((await listMutants(config)).map(nameOf), values.seed);
  files.writeDraw({ commit, mutants });
  const drawn = mutants.slice(0, Number(values.count));
  for (let rest = unjudged(drawn); rest.length > 0; rest = unjudged(drawn)) {
    await judge(rest.slice(0, Number(values.batch)), 2);
    if (unjudged(drawn).length === rest.length) break;
  }
  const doubtful = [...files.readVerdicts()].filter(([, verdicts]) => isDoubtful(verdicts));
  if (doubtful.length > 0)
    await judge(
      doubtful.map(([name]) => name),
      1,
    );
}
printScore();
process.exit();

function unjudged(drawn: readonly string[]): string[] {
  const verdicts = files.readVerdicts();
  return drawn.filter((name) => !verdicts.has(name));
}

/** By ranges of files: what is not changed runs as fast as ever. */
async function judge(drawn: readonly string[], concurrency: number): Promise<void> {
  const sample: SampleOptions = { folder, drawn };
  await new Stryker({
    ...config,
    mutate: drawn.map((name) => name.slice(0, name.indexOf(" "))),
    appendPlugins: ["./test/mutation/sample/sample-plugin.ts"],
    reporters: ["sample", "progress-append-only"],
    incremental: false,
    // A machine with other work is slow: what only took long is not found.
    timeoutFactor: 5,
    dryRunTimeoutMinutes: 60,
    concurrency,
    sample,
  } as ConstructorParameters<typeof Stryker>[0]).runMutationTest();
}

function printScore(): void {
  const draw = files.readDraw();
  const verdicts = files.readVerdicts();
  const all = scoreSample(draw, verdicts, () => true);
  const looked = judgedPrefix(draw, verdicts);
  const statics = looked.filter((name) => verdicts.get(name)?.at(-1)?.status === "Ignored").length;
  console.log(`
Seed ${values.seed}, commit ${draw.commit}: of ${all.mutants} mutants ${looked.length} were looked at, ${statics} of which are made as a module is
loaded and do not count. Of ${all.drawn} that do, ${all.found} were found and ${all.unreached} reached by no test: ${percent(all.share)}, 95 % interval ${interval(all)}.

| Part | Mutants | Drawn | Reached by no test | Found | Score | 95 % interval |
|---|---:|---:|---:|---:|---:|---|`);
  const parts = new Set(draw.mutants.map(partOf));
  for (const part of [...parts].sort()) {
    const score = scoreSample(draw, verdicts, (mutant) => partOf(mutant) === part);
    const { mutants, drawn, unreached, found, share } = score;
    const cells = [part, mutants, drawn, unreached, found, percent(share), interval(score)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** A folder of the second level, or what is beside such folders. */
function partOf(mutant: string): string {
  const path = mutant.slice(0, mutant.indexOf(":")).split("/");
  return `${path.slice(0, Math.min(2, path.length - 1)).join("/")}/`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${(100 * share).toFixed(1)} %`;
}

function interval({ low, high, drawn }: Score): string {
  return drawn === 0 ? "" : `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}
