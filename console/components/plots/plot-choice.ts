// Settings of the page of plots, from the address.
import type { UsageSeriesFilter } from "../../../sdk/index.ts";
import type { ChartColumn } from "../charts/chart-data.ts";

const SPANS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
type Span = keyof typeof SPANS;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface PlotChoice {
  readonly by: "all" | "agent" | "model";
  readonly filter: UsageSeriesFilter;
  /** Every hour or day of the span, oldest first, by the time that points have. */
  readonly slots: readonly Pick<ChartColumn, "key" | "label" | "shortLabel">[];
}

const HOUR = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** @param nowMs The end of the span. */
export function readPlotChoice(
  values: Readonly<Record<string, string>>,
  nowMs: number,
): PlotChoice {
  const { agent_id, model_name } = values;
  const span: Span = Object.hasOwn(SPANS, values["span"] ?? "") ? (values["span"] as Span) : "7d";
  const by = (["agent", "model"] as const).find((one) => one === values["by"]) ?? "all";
  const isHours = span === "24h";
  const stepMs = isHours ? HOUR_MS : DAY_MS;
  const count = isHours ? 24 : SPANS[span];
  const lastMs = nowMs - (nowMs % stepMs);
  const slots = Array.from({ length: count }, (_, index) => {
    const time = new Date(lastMs - (count - 1 - index) * stepMs);
    const key = time.toISOString();
    return {
      key,
      label: isHours ? `${key.slice(0, 16).replace("T", " ")}` : key.slice(0, 10),
      shortLabel: (isHours ? HOUR : DAY).format(time),
    };
  });
  return {
    by,
    slots,
    filter: {
      interval: isHours ? "hour" : "day",
      from: slots[0]?.key.slice(0, 10),
      to: new Date(nowMs).toISOString().slice(0, 10),
      ...(by !== "all" && { series_by: by }),
      ...(agent_id !== undefined && { agent_id }),
      ...(model_name !== undefined && { model_name }),
    },
  };
}
