import type { Unit } from "../cell.ts";

/** A number with its unit, with suitable precision. */
export function formatValue(value: number, unit: Unit): string {
  return unit === "count" ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

/** Three significant digits, thousands grouped. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}
