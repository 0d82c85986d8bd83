import { UsageQuerySchema, UsageRowSchema, type UsageRow } from "../../protocol/usage/contract.ts";
import {
  DEFAULT_USAGE_DAYS,
  MAX_USAGE_DAYS,
  USAGE_EXPORT_ROWS,
} from "../../protocol/requests/limits.ts";
import { FIRST_OUTPUT_BOUNDS_MS, WAIT_BOUNDS_MS } from "../../protocol/usage/histograms.ts";
import {
  DEFAULT_SERIES_DAYS,
  MAX_HOURLY_DAYS,
  SERIES_KEPT_DAYS,
} from "../../protocol/usage/limits.ts";
import { type UsageSeries, UsageSeriesQuerySchema } from "../../protocol/usage/series.ts";
import type { UsageStorage } from "../../storage/usage/usage-storage.ts";
import { decodeNumberToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { fieldError } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { accepts } from "../requests/accepts.ts";
import { csvLine } from "./csv-line.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { streamText } from "../requests/stream-text.ts";

const DAY_MS = 86_400_000;

/** Sums of the requested days, newest first; by default the last 30 days, grouped by day and agent. */
const readUsage: RouteHandler = async (context) => {
  const { page, limit, group_by: groups, ...query } = readQuery(context, UsageQuerySchema);
  const { agent_id, model_name, end_user_id, format } = query;
  const report = { ...toDays(query), groups, agent_id, model_name, end_user_id };
  const { usage } = tenantStorage(context.env.DB, tenantOf(context));
  const isCsv = format ? format === "csv" : accepts(context, "text/csv");
  if (isCsv) return exportReport(usage, report);
  const skip = page === undefined ? 0 : decodeNumberToken(page);
  if (skip === null) throw badPageToken();
  return context.json(await usage.sum({ ...report, skip, limit }));
};

type Report = Omit<Parameters<UsageStorage["sum"]>[0], "skip" | "limit">;

async function exportReport(usage: UsageStorage, report: Report): Promise<Response> {
  const lines = reportLines(usage, report);
  return new Response(streamText(await lines.next(), lines), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="usage-${report.from}-${report.to}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}

const COLUMNS = Object.keys(UsageRowSchema.shape) as readonly (keyof UsageRow)[];

/** Reads the sums part by part, as the client reads, newest first. */
async function* reportLines(usage: UsageStorage, report: Report): AsyncGenerator<string, void> {
  let text = csvLine(COLUMNS);
  for (const span of spansOf(report)) {
    for (let skip = 0, hasMore = true; hasMore; skip += USAGE_EXPORT_ROWS) {
      const request = { ...report, ...span, skip, limit: USAGE_EXPORT_ROWS };
      const { data, has_more } = await usage.sum(request);
      text += data.map((row) => csvLine(COLUMNS.map((name) => row[name]))).join("");
      if (text !== "") yield text;
      text = "";
      hasMore = has_more;
    }
  }
}

/** Grouped by day, a report is read a month at a time: a later part then does not sum the earlier ones again. */
function spansOf({ from, to, groups }: Report): readonly Pick<Report, "from" | "to">[] {
  if (!groups.includes("day")) return [{ from, to }];
  const start = dayBefore(to, DEFAULT_USAGE_DAYS - 1);
  if (start <= from) return [{ from, to }];
  return [{ from: start, to }, ...spansOf({ from, to: dayBefore(start, 1), groups })];
}

interface SpanBounds {
  readonly most: number;
  readonly byDefault: number;
  /** The noun for the request in its refusal. */
  readonly what: string;
}

const REPORT_BOUNDS: SpanBounds = {
  most: MAX_USAGE_DAYS,
  byDefault: DEFAULT_USAGE_DAYS,
  what: "report",
};

function toDays(
  query: { readonly from?: string; readonly to?: string },
  { most, byDefault, what } = REPORT_BOUNDS,
) {
  const to = query.to ?? dayOf(nowTimestamp());
  const from = query.from ?? dayBefore(to, byDefault - 1);
  if (from > to) throw fieldError("validation_failed", "#/query/from", "`from` is after `to`");
  if (from <= dayBefore(to, most)) {
    const detail = `a ${what} covers ${most} days at most`;
    throw fieldError("validation_failed", "#/query/from", detail);
  }
  return { from, to };
}

function dayBefore(day: string, days: number): string {
  return dayOf(new Date(Math.max(0, Date.parse(day) - days * DAY_MS)).toISOString());
}

function dayOf(time: string): string {
  return time.slice(0, "YYYY-MM-DD".length);
}

/** By default the last seven days by day, all replies in one series. */
const readUsageSeries: RouteHandler = async (context) => {
  const query = readQuery(context, UsageSeriesQuerySchema);
  const { tenant_id, from, to, interval, series_by, ...filter } = query;
  const tenantId = await namedTenant(context, tenant_id, "#/query/tenant_id");
  const nowMs = Date.now();
  const most = interval === "hour" ? MAX_HOURLY_DAYS : SERIES_KEPT_DAYS;
  const days = toDays({ from, to }, { most, byDefault: DEFAULT_SERIES_DAYS, what: "series" });
  const { usage } = tenantStorage(context.env.DB, tenantId);
  const read = { ...filter, ...days, interval, groups: series_by ?? [], nowMs };
  const series: UsageSeries = {
    interval,
    first_output_bounds_ms: [...FIRST_OUTPUT_BOUNDS_MS],
    wait_bounds_ms: [...WAIT_BOUNDS_MS],
    ...(await usage.series(read)),
  };
  return context.json(series);
};

export const usageRoutes = { readUsage, readUsageSeries };
