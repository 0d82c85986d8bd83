// The files of a sample: the order of the draw, and a line for each verdict, so that a run that is cut off goes on.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

import type { Mutant } from "@stryker-mutator/api/core";

/** All mutants in the order of the draw. */
export interface Draw {
  readonly commit: string;
  readonly mutants: readonly string[];
}

export interface Verdict {
  readonly mutant: string;
  /** As StrykerJS names it: `Killed`, `Timeout`, `Survived`, `NoCoverage`; `Ignored` is made as a module is loaded. */
  readonly status: string;
  readonly reason?: string;
}

export class SampleFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  writeDraw(draw: Draw): void {
    writeFileSync(`${this.#folder}/draw.json`, JSON.stringify(draw));
  }

  readDraw(): Draw {
    return JSON.parse(readFileSync(`${this.#folder}/draw.json`, "utf8")) as Draw;
  }

  addVerdict(verdict: Verdict): void {
    appendFileSync(`${this.#folder}/verdicts.jsonl`, `${JSON.stringify(verdict)}\n`);
  }

  /** All of each mutant, the oldest first: one that took too long is judged twice. */
  readVerdicts(): Map<string, Verdict[]> {
    const path = `${this.#folder}/verdicts.jsonl`;
    const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    const verdicts = lines.map((line) => JSON.parse(line) as Verdict);
    return Map.groupBy(verdicts, ({ mutant }) => mutant);
  }
}

/** The same in every run over the same code. */
export function nameOf({ fileName, location, mutatorName, replacement }: Mutant): string {
  return `${relative(process.cwd(), fileName)}:${rangeOf(location)} ${mutatorName} ${replacement}`;
}

/** As StrykerJS takes it. */
function rangeOf({ start, end }: Mutant["location"]): string {
  return `${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** Each mutant has a random number by its name and the seed, so that every prefix of the order is a random sample. */
export function drawOrder(names: readonly string[], seed: string): string[] {
  const numbered = names.map((name) => {
    return { name, number: createHash("sha256").update(`${seed} ${name}`).digest("hex") };
  });
  return numbered.sort((a, b) => (a.number < b.number ? -1 : 1)).map(({ name }) => name);
}

/** One that ran out of time, which a busy machine may have taken; not one that went round a loop too often. */
export function isDoubtful(verdicts: readonly Verdict[]): boolean {
  const [only] = verdicts;
  return (
    verdicts.length === 1 && only?.status === "Timeout" && !/hit limit/i.test(only.reason ?? "")
  );
}
