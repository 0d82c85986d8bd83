// The charts of the page of plots, from one answer of the API.
import type { SeriesPoint, UsageSeries } from "../../../sdk/index.ts";
import type { ChartData } from "../charts/chart-data.ts";
import type { PlotChoice } from "./plot-choice.ts";

/** Series that have a colour of their own; the rest is one more. */
const MAX_SERIES = 6;

export interface Plots {
  readonly replies: ChartData;
  readonly failures: ChartData;
  readonly firstOutput: ChartData;
  readonly waits: ChartData;
  readonly tokens: ChartData;
  readonly cost: ChartData;
  /** Calls that wait now, by how long they do: a column for each age. */
  readonly ages: ChartData;
}

type Valued = readonly (readonly [series: string, of: (point: SeriesPoint) => number | null])[];

const ENDS: Valued = [
  ["completed", ({ completed }) => completed],
  ["interrupted", ({ interrupted }) => interrupted],
  ["too many rounds", ({ exceed_max_iters }) => exceed_max_iters],
  ["error", ({ error }) => error],
];
const TOKENS: Valued = [
  ["in", ({ input_tokens }) => input_tokens],
  ["out", ({ output_tokens }) => output_tokens],
];
const COST: Valued = [["all", ({ cost_usd }) => cost_usd]];

/** @param nameOf A name for the id of an agent, or for a model. */
export function toPlots(
  answer: UsageSeries,
  { slots, by }: Pick<PlotChoice, "slots" | "by">,
  nameOf: (key: string) => string,
): Plots {
  const pointsOf = Map.groupBy(answer.points, ({ at }) => at);
  const chart = (valued: Valued): ChartData => ({
    series: valued.map(([name]) => name),
    columns: slots.map((slot) => ({
      ...slot,
      values: valued.map(([, of]) => add((pointsOf.get(slot.key) ?? []).map(of))),
    })),
  });
  const keyOf = (point: SeriesPoint) => (by === "agent" ? point.agent_id : point.model_name) ?? "";
  /** By agent or model where the page shows those, else by parts of its own. */
  const split = (parts: Valued, whole: (point: SeriesPoint) => number | null) => {
    if (by === "all") return chart(parts);
    const weights = [...Map.groupBy(answer.points, keyOf)]
      .map(([key, points]) => [key, add(points.map((point) => whole(point) ?? 0)) ?? 0] as const)
      .toSorted(([, one], [, other]) => other - one);
    const named = weights.slice(0, MAX_SERIES).map(([key]) => key);
    const others = weights.length > named.length;
    return chart([
      ...named.map((key) => of(nameOf(key), (point) => keyOf(point) === key, whole)),
      ...(others ? [of("others", (point) => !named.includes(keyOf(point)), whole)] : []),
    ]);
  };
  const { wait_bounds_ms: waitBounds, first_output_bounds_ms: firstBounds, waiting } = answer;
  return {
    replies: split(ENDS, ({ replies }) => replies),
    failures: chart(errorTypes(answer.points)),
    firstOutput: chart(buckets(firstBounds, ({ first_output }) => first_output)),
    waits: chart(
      buckets(waitBounds, ({ waits }) =>
        waits.permission.map((count, index) => count + (waits.external_result[index] ?? 0)),
      ),
    ),
    tokens: split(TOKENS, ({ input_tokens, output_tokens }) => input_tokens + output_tokens),
    cost: split(COST, ({ cost_usd }) => cost_usd),
    ages: {
      series: ["for a person", "for a result"],
      columns: bucketNames(waitBounds).map((label, index) => ({
        key: label,
        label,
        shortLabel: label,
        values: [waiting.permission[index] ?? 0, waiting.external_result[index] ?? 0],
      })),
    },
  };
}

function of(
  name: string,
  isMeant: (point: SeriesPoint) => boolean,
  value: (point: SeriesPoint) => number | null,
): Valued[number] {
  return [name, (point) => (isMeant(point) ? value(point) : 0)];
}

/** The types that there were, those with most failures first. */
function errorTypes(points: readonly SeriesPoint[]): Valued {
  const sums = new Map<string, number>();
  for (const { error_types } of points) {
    for (const [type, count] of Object.entries(error_types)) {
      sums.set(type, (sums.get(type) ?? 0) + count);
    }
  }
  const types = [...sums].toSorted(([, one], [, other]) => other - one).map(([type]) => type);
  const named = types.slice(0, MAX_SERIES - 1);
  const countOf = (point: SeriesPoint, wanted: readonly string[]) =>
    add(wanted.map((type) => point.error_types[type] ?? 0));
  const rest = types.slice(named.length);
  return [
    ...named.map((type): Valued[number] => [
      type.replaceAll("_", " "),
      (point) => countOf(point, [type]),
    ]),
    ...(rest.length > 0
      ? [["others", (point: SeriesPoint) => countOf(point, rest)] as Valued[number]]
      : []),
    ["too many rounds", ({ exceed_max_iters }) => exceed_max_iters],
  ];
}

function buckets(
  bounds: readonly number[],
  histogramOf: (point: SeriesPoint) => readonly number[],
): Valued {
  return bucketNames(bounds).map((name, index) => [
    name,
    (point) => histogramOf(point)[index] ?? 0,
  ]);
}

/** `under 250 ms`, `to 500 ms`, …, `15 s and more`. */
function bucketNames(bounds: readonly number[]): readonly string[] {
  const names = bounds.map((bound, index) => `${index === 0 ? "under" : "to"} ${span(bound)}`);
  return [...names, `${span(bounds.at(-1) ?? 0)} and more`];
}

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
  [1, "ms"],
] as const;

function span(milliseconds: number): string {
  const [size, unit] = UNITS.find(([unitMs]) => milliseconds >= unitMs) ?? [1, "ms"];
  return `${milliseconds / size} ${unit}`;
}

function add(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}
