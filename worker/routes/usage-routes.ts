import { UsageQuerySchema } from "../../protocol/api/tenants/usage.ts";
import { DEFAULT_USAGE_DAYS, MAX_USAGE_DAYS } from "../../protocol/limits/reads.ts";
import { decodeNumberToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { badPageToken, readQuery } from "../request/read-query.ts";

const DAY_MS = 86_400_000;

/** Sums of the requested days, newest first; by default the last 30 days, grouped by day and agent. */
const readUsage: RouteHandler = async (context) => {
  const { page, limit, group_by: groups, ...query } = readQuery(context, UsageQuerySchema);
  const skip = page === undefined ? 0 : decodeNumberToken(page);
  if (skip === null) throw badPageToken();
  const { usage } = tenantStorage(context.env.DB, tenantOf(context));
  return context.json(await usage.sum({ ...toDays(query), groups, skip, limit }));
};

function toDays(query: { readonly from?: string; readonly to?: string }) {
  const to = query.to ?? dayOf(nowTimestamp());
  const from = query.from ?? dayBefore(to, DEFAULT_USAGE_DAYS - 1);
  if (from > to) throw fieldError("validation_failed", "#/query/from", "`from` is after `to`");
  if (from <= dayBefore(to, MAX_USAGE_DAYS)) {
    const detail = `a report covers ${MAX_USAGE_DAYS} days at most`;
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

export const usageRoutes = { readUsage };
