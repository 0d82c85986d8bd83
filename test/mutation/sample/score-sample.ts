// The score of all mutants as a sample of them has it.
import type { Draw, Verdict } from "./sample-files.ts";

export interface Score {
  /** In all, with those that turn out to have no verdict. */
  readonly mutants: number;
  /** Drawn ones that count. */
  readonly drawn: number;
  /** Of them: those that no test reaches, and those that were found. */
  readonly unreached: number;
  readonly found: number;
  readonly share: number;
  /** Both ends of the 95 % interval. */
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;
const FOUND = new Set(["Killed", "Timeout"]);
/** Mutants that break the run, or what is made as a module is loaded, do not count. */
const JUDGED = new Set([...FOUND, "Survived", "NoCoverage"]);

/** The drawn ones up to the first that has no verdict yet: only a prefix is a random sample. */
export function judgedPrefix(
  { mutants }: Draw,
  verdicts: ReadonlyMap<string, readonly Verdict[]>,
): string[] {
  const end = mutants.findIndex((name) => !verdicts.has(name));
  return mutants.slice(0, end < 0 ? undefined : end);
}

/** @param counts Which mutants count. */
export function scoreSample(
  draw: Draw,
  verdicts: ReadonlyMap<string, readonly Verdict[]>,
  counts: (mutant: string) => boolean,
): Score {
  const mutants = draw.mutants.filter(counts).length;
  const looked = judgedPrefix(draw, verdicts).filter(counts);
  const statuses = looked.map((name) => verdicts.get(name)?.at(-1)?.status ?? "");
  const drawn = statuses.filter((status) => JUDGED.has(status)).length;
  const found = statuses.filter((status) => FOUND.has(status)).length;
  const unreached = statuses.filter((status) => status === "NoCoverage").length;
  // Of those that were not looked at, as many are no mutants as of those that were.
  const total = looked.length === 0 ? 0 : (mutants * drawn) / looked.length;
  const [low, high] = wilson(found, drawn, total);
  return { mutants, drawn, unreached, found, share: found / drawn, low, high };
}

/** Wilson's interval for a share; what is drawn of a finite number is worth more, and all of it is certain. */
function wilson(found: number, drawn: number, total: number): [number, number] {
  if (drawn === 0) return [0, 1];
  const share = found / drawn;
  if (drawn >= total) return [share, share];
  const worth = (drawn * (total - 1)) / (total - drawn);
  const centre = share + Z ** 2 / (2 * worth);
  const spread = Z * Math.sqrt((share * (1 - share)) / worth + Z ** 2 / (4 * worth ** 2));
  const scale = 1 + Z ** 2 / worth;
  return [(centre - spread) / scale, (centre + spread) / scale];
}
