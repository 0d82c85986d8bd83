// Sums of a usage report for its chart, its cards and its table.
import type { UsageRow } from "../../../sdk/index.ts";
import type { ChartData } from "../../components/charts/chart-data.ts";
import { daysOf, type Measure, type SeriesBy, type UsageChoice } from "./usage-filter.ts";

/** Series that have a colour of their own; the rest is one more. */
const MAX_SERIES = 6;
/** Parts of a dollar that are an error of floating point numbers, and no money. */
const SMALLEST_DOLLARS = 1e-9;
const SHORT_DAY = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

export interface UsageSum {
  /** Null for what belongs to none, such as to no end user. */
  readonly key: string | null;
  readonly replies: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Milliseconds of speech. */
  readonly heardMs: number;
  readonly saidMs: number;
  /** Null when a part of it is not known. */
  readonly cost: number | null;
  /** The part of it that is known. */
  readonly knownCost: number;
}

function keyOf(row: UsageRow, by: SeriesBy): string | null {
  if (by === "agent") return row.agent_id;
  return by === "model" ? row.model_name : row.end_user_id;
}

/** One sum over all rows. */
export function sumRows(key: string | null, rows: readonly UsageRow[]): UsageSum {
  const add = (of: (row: UsageRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const isKnown = rows.every(({ cost_usd }) => cost_usd !== null);
  const knownCost = add(({ cost_usd }) => cost_usd ?? 0);
  return {
    key,
    replies: add(({ replies }) => replies),
    input: add(({ input_tokens }) => input_tokens),
    output: add(({ output_tokens }) => output_tokens),
    cached: add(({ cache_input_tokens }) => cache_input_tokens),
    heardMs: add(({ audio_input_ms }) => audio_input_ms),
    saidMs: add(({ audio_output_ms }) => audio_output_ms),
    cost: isKnown ? knownCost : null,
    knownCost,
  };
}

/** A sum for each agent, model or end user; those with most tokens first. */
export function sumBySeries(rows: readonly UsageRow[], by: SeriesBy): readonly UsageSum[] {
  const groups = Map.groupBy(rows, (row) => keyOf(row, by));
  return [...groups]
    .map(([key, members]) => sumRows(key, members))
    .toSorted((a, b) => b.input + b.output - (a.input + a.output) || b.replies - a.replies);
}

/**
 * @param totals One row a day: the whole of it.
 * @param rows One row a day and series, newest day first; days whose rows were not read are in "others" as a whole.
 */
export function toChart(
  totals: readonly UsageRow[],
  rows: readonly UsageRow[],
  { by, measure, filter }: UsageChoice,
  nameOf: (key: string | null) => string,
): ChartData {
  const sums = sumBySeries(rows, by).toSorted(
    (a, b) => weightOf(b, measure) - weightOf(a, measure),
  );
  const named = sums.slice(0, MAX_SERIES).map(({ key }) => key);
  const days = daysOf(filter.from, filter.to);
  const totalOf = new Map(totals.map((row) => [row.day, valueOf(row, measure)]));
  const partsOf = Map.groupBy(rows, ({ day }) => day);
  const columns = days.map((day) => {
    const parts = partsOf.get(day) ?? [];
    const own = named.map((key) =>
      addValues(parts.filter((row) => keyOf(row, by) === key).map((row) => valueOf(row, measure))),
    );
    const others = parts.filter((row) => !named.includes(keyOf(row, by)));
    return {
      key: day,
      label: day,
      shortLabel: SHORT_DAY.format(new Date(day)),
      values: [...own, restOf(totalOf.get(day) ?? null, totalOf.has(day), own, others, measure)],
    };
  });
  const hasOthers = columns.some(({ values }) => values.at(-1) !== 0);
  return {
    series: [...named.map(nameOf), ...(hasOthers ? ["others"] : [])],
    columns: hasOthers
      ? columns
      : columns.map((column) => ({ ...column, values: column.values.slice(0, -1) })),
  };
}

/** Rest of a day beside its named series: by its total where that is known, else by the rows. */
function restOf(
  total: number | null,
  hasTotal: boolean,
  own: readonly (number | null)[],
  others: readonly UsageRow[],
  measure: Measure,
): number | null {
  const known = addValues(own);
  if (total !== null && known !== null) {
    const rest = total - known;
    return rest > SMALLEST_DOLLARS ? rest : 0;
  }
  // Nothing but the total was read of this day, and that is not known.
  if (hasTotal && others.length === 0 && known === 0) return null;
  return addValues(others.map((row) => valueOf(row, measure)));
}

function valueOf(row: UsageRow, measure: Measure): number | null {
  if (measure === "money") return row.cost_usd;
  return measure === "replies" ? row.replies : row.input_tokens + row.output_tokens;
}

function weightOf(sum: UsageSum, measure: Measure): number {
  if (measure === "money") return sum.knownCost;
  return measure === "replies" ? sum.replies : sum.input + sum.output;
}

function addValues(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}
