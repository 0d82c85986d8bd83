// One thing measured at growing sizes of another: what is flat costs the same at each.
import type { Figure, Unit } from "./cell.ts";

export interface Measure {
  readonly name: string;
  readonly unit: Unit;
  /** Absent for what is known to grow, which is shown as it is. */
  readonly maxGrowth?: number;
  measure(): Promise<number>;
}

export interface GrowthOptions {
  readonly sizes: readonly number[];
  /** Behind the number, in the heading. */
  readonly what: string;
  readonly rounds: number;
  /** All sizes are one state that grows: each is measured before the next one is made. */
  readonly isShared?: boolean;
  /** Makes the state of this size, and says what is measured of it: the same for each size. */
  open(size: number): Promise<readonly Measure[]>;
}

/** Of the times. Between runs on a quiet machine they differ by a fifth. */
export const MAX_GROWTH = 1.5;
/** Times that one value is the least of. */
const TIMES = 9;

/** Unless the state is shared, sizes take turns, so that noise meets all of them. */
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
  /** Of each measure. */
  readonly samples: readonly number[][];
}

/** The first round warms up. */
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

/** Milliseconds that something takes, the least of a few times: what it costs when nothing else runs. */
export async function timeMs(action: () => Promise<unknown>): Promise<number> {
  let leastMs = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    const startedAtMs = performance.now();
    await action();
    leastMs = Math.min(leastMs, performance.now() - startedAtMs);
  }
  return leastMs;
}
