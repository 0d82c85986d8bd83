// Measures the cost of an operation at increasing sizes of the state.
import type { Figure, Unit } from "./cell.ts";

export interface Measure {
  readonly name: string;
  readonly unit: Unit;
  /** Absent for costs that are known to grow, which are only shown. */
  readonly maxGrowth?: number;
  measure(): Promise<number>;
}

export interface GrowthOptions {
  readonly sizes: readonly number[];
  /** The unit of the size, for the heading. */
  readonly what: string;
  readonly rounds: number;
  /** The sizes are one growing state: each is measured before the next is created. */
  readonly isShared?: boolean;
  /** Creates the state of this size and returns its measurements, the same for each size. */
  open(size: number): Promise<readonly Measure[]>;
}

/** Allowed growth of times. They differ by a fifth between runs on a quiet machine. */
export const MAX_GROWTH = 1.5;
/** Repetitions, of which the minimum is taken. */
const TIMES = 9;

/** Sizes are measured in turn, unless the state is shared, so that noise affects all of them. */
export async function measureGrowth(options: GrowthOptions): Promise<readonly Figure[]> {
  const { sizes, what, rounds, isShared = false } = options;
  const states: State[] = [];
  for (const size of sizes) {
    const measures = await options.open(size);
    const state = { measures, samples: measures.map((): number[] => []) };
    states.push(state);
    if (isShared) await measureRounds([state], rounds);
  }
  if (!isShared) await measureRounds(states, rounds);
  const [first, last] = [states.at(0), states.at(-1)];
  return (first?.measures ?? []).map(({ name, unit, maxGrowth }, place) => ({
    name,
    unit,
    samples: { reprise: last?.samples[place] ?? [] },
    growth: sizes.map((size, index) => ({
      size: `${size.toLocaleString("en-US")} ${what}`,
      samples: states[index]?.samples[place] ?? [],
    })),
    ...(maxGrowth !== undefined && { targets: [{ type: "flat", max: maxGrowth }] }),
  }));
}

interface State {
  readonly measures: readonly Measure[];
  /** By measurement. */
  readonly samples: readonly number[][];
}

/** The first round is a warm-up. */
async function measureRounds(states: readonly State[], rounds: number): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    for (const { measures, samples } of states) {
      for (const [place, measure] of measures.entries()) {
        const value = await measure.measure();
        if (round > 0) samples[place]?.push(value);
      }
    }
  }
}

/** The minimum duration of a few runs in milliseconds: its cost without interference. */
export async function timeMs(action: () => Promise<unknown>): Promise<number> {
  let leastMs = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    const startedAtMs = performance.now();
    await action();
    leastMs = Math.min(leastMs, performance.now() - startedAtMs);
  }
  return leastMs;
}
