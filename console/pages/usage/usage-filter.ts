// Settings of a report of usage, from the address.
import type { UsageFilter } from "../../../sdk/index.ts";

const SERIES = ["agent", "model", "end_user"] as const;
export type SeriesBy = (typeof SERIES)[number];
const MEASURES = ["tokens", "money", "replies"] as const;
export type Measure = (typeof MEASURES)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export interface UsageChoice {
  readonly by: SeriesBy;
  readonly measure: Measure;
  /** Filter with both days: the chart's days are the days of the sums. */
  readonly filter: UsageFilter & { readonly from: string; readonly to: string };
}

/** @param nowMs For the days that the address leaves out: the last thirty, in UTC. */
export function readChoice(values: Readonly<Record<string, string>>, nowMs: number): UsageChoice {
  const { agent_id, model_name, end_user_id } = values;
  const to = dayIn(values["to"]) ?? toDay(nowMs);
  const from = dayIn(values["from"]) ?? toDay(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  return {
    by: SERIES.find((one) => one === values["by"]) ?? "agent",
    measure: MEASURES.find((one) => one === values["measure"]) ?? "tokens",
    filter: {
      from,
      to,
      ...(agent_id !== undefined && { agent_id }),
      ...(model_name !== undefined && { model_name }),
      ...(end_user_id !== undefined && { end_user_id }),
    },
  };
}

/** All days of a report, oldest first. */
export function daysOf(from: string, to: string): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    toDay(Date.parse(from) + index * DAY_MS),
  );
}

function dayIn(text: string | undefined): string | null {
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
