// Formats figures at increasing sizes side by side.
import type { Figure } from "../cell.ts";
import { quantile } from "../statistics.ts";
import { formatNumber, formatValue } from "./format-value.ts";
import { growthOf } from "./judge-figure.ts";

/** One row per figure after the heading: the medians, and the ratio of the last to the first. */
export function describeGrowth(figures: readonly Figure[]): readonly (readonly string[])[] {
  const sizes = figures[0]?.growth?.map(({ size }) => size) ?? [];
  const rows = figures.map((figure) => [
    figure.name,
    ...(figure.growth ?? []).map(({ samples }) => formatValue(quantile(samples, 0.5), figure.unit)),
    `${formatNumber(growthOf(figure))} ×`,
  ]);
  return [["", ...sizes, "last over first"], ...rows];
}
