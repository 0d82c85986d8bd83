/** One bar. */
export interface ChartColumn {
  readonly key: string;
  /** Whole, for the tooltip and the table: `2026-11-21`. */
  readonly label: string;
  /** Label below the axis: `21 Nov`. */
  readonly shortLabel: string;
  /** One value of each series, from below; null when it is not known, which is not 0. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** Names of untrusted origin: names of agents, ids of end users. */
  readonly series: readonly string[];
  readonly columns: readonly ChartColumn[];
}

/** The sum of what is known, and whether that is all. */
export function addUp(values: readonly (number | null)[]): {
  readonly sum: number;
  readonly isWhole: boolean;
} {
  return {
    sum: values.reduce<number>((total, value) => total + (value ?? 0), 0),
    isWhole: !values.includes(null),
  };
}
