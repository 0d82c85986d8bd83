import type { OperatorHealth } from "../../../sdk/index.ts";
import type { ChartColumn } from "../../components/charts/chart-data.ts";

type HealthActivity = NonNullable<OperatorHealth["activity"]>;

const SLOT_MS = 600_000;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Ends of a reply, in the order of the bars, from below. */
export const ENDS = [
  ["completed", "Completed"],
  ["interrupted", "Stopped"],
  ["exceed_max_iters", "Too many rounds"],
  ["error", "Failed"],
] as const satisfies readonly (readonly [keyof HealthActivity["replies"], string])[];

/** A column for each slot until the report was made, also for those in which nothing was done. */
export function toSlots(activity: HealthActivity, checkedAt: string): readonly ChartColumn[] {
  const slots = new Map(activity.slots.map((slot) => [Date.parse(slot.at), slot]));
  const sinceMs = Date.parse(activity.since);
  const count = Math.max(1, Math.ceil((Date.parse(checkedAt) - sinceMs) / SLOT_MS));
  return Array.from({ length: count }, (_, index) => {
    const atMs = sinceMs + index * SLOT_MS;
    const replies = slots.get(atMs)?.replies;
    const label = CLOCK.format(atMs);
    return {
      key: String(atMs),
      label: `From ${label}`,
      shortLabel: label,
      values: ENDS.map(([end]) => replies?.[end] ?? 0),
    };
  });
}
