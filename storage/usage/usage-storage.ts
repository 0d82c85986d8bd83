import { and, asc, desc, gt, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Page } from "../../protocol/schemas/common.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { UsageGroup, UsageRow } from "../../protocol/usage/contract.ts";
import type { Database } from "../statements/database.ts";
import { toPage } from "../statements/page.ts";
import { usageDays } from "./table.ts";
import { readReplySeries, type SeriesRequest } from "./reply-series.ts";
import { USAGE_SUMS } from "./usage-sums.ts";

const DAY_MS = 86_400_000;

interface UsageRequest {
  /** Days, `YYYY-MM-DD`, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
  readonly agent_id?: string;
  readonly model_name?: string;
  readonly end_user_id?: string;
  /** Rows on the previous pages. */
  readonly skip: number;
  readonly limit: number;
}

export interface UsageStorage {
  /**
   * Newest day first, then by agent, model and end user, those without one last. Reads one row per day, agent and model;
   * of end users, where they are asked for, also one per end user.
   */
  sum(request: UsageRequest): Promise<Page<UsageRow>>;
  /** As {@link readReplySeries}. */
  series(request: SeriesRequest): ReturnType<typeof readReplySeries>;
}

const COLUMNS = {
  day: sql<string>`${usageDays.day}`,
  agent: sql<string>`${usageDays.agent_id}`,
  model: sql<string>`${usageDays.model_name}`,
  end_user: sql<string | null>`end_user_id`,
};

export function usageStorage(database: Database, tenantId: string): UsageStorage {
  return {
    series: (request) => readReplySeries(database, tenantId, request),

    async sum({ groups, skip, limit, ...filter }) {
      const column = (group: UsageGroup) => (groups.includes(group) ? COLUMNS[group] : null);
      const [day, agent, model] = [column("day"), column("agent"), column("model")];
      const endUser = column("end_user");
      const rows = await database
        .select({
          day: orNull(day),
          agent_id: orNull(agent),
          model_name: orNull(model),
          end_user_id: orNull(endUser),
          replies: total(usageDays.replies),
          input_tokens: total(usageDays.input_tokens),
          output_tokens: total(usageDays.output_tokens),
          cache_input_tokens: total(usageDays.cache_input_tokens),
          cache_creation_input_tokens: total(usageDays.cache_creation_input_tokens),
          cost_usd: COST,
          audio_input_ms: total(usageDays.audio_input_ms),
          audio_output_ms: total(usageDays.audio_output_ms),
          audio_input_tokens: total(usageDays.audio_input_tokens),
          audio_output_tokens: total(usageDays.audio_output_tokens),
        })
        .from(rowsOf(tenantId, endUser !== null, filter))
        .groupBy(...groups.map((group) => COLUMNS[group]))
        // A summary between replies has tokens, and is no reply; nor is speech. What all have left has neither.
        .having(
          or(
            gt(total(usageDays.replies), 0),
            gt(total(usageDays.input_tokens), 0),
            gt(total(usageDays.output_tokens), 0),
            gt(total(usageDays.audio_input_ms), 0),
            gt(total(usageDays.audio_output_ms), 0),
          ),
        )
        .orderBy(
          ...(day ? [desc(day)] : []),
          ...(agent ? [asc(agent)] : []),
          ...(model ? [asc(model)] : []),
          ...(endUser ? [sql`${endUser} NULLS LAST`] : []),
        )
        .limit(limit + 1)
        .offset(skip);
      return toPage(rows, limit, (_, index) => String(skip + index + 1));
    },
  };
}

/** Null when a reply among them has no known cost. */
const COST = sql<
  number | null
>`CASE WHEN total(${usageDays.unpriced}) = 0 THEN total(${usageDays.cost}) / ${NANODOLLARS} END`;

type RowFilter = Omit<UsageRequest, "groups" | "skip" | "limit">;

/** The rows to sum, under the name of the table of the sums by day. */
function rowsOf(tenantId: string, byEndUser: boolean, filter: RowFilter): SQL {
  const { from, to, end_user_id } = filter;
  const isWanted = and(sql`tenant_id = ${tenantId}`, isNamed(filter));
  if (end_user_id !== undefined) {
    // Each day is looked up, because the rows of other end users are between two days.
    return sql`(SELECT * FROM usage_end_users WHERE ${isWanted} AND end_user_id = ${end_user_id}
      AND day IN (SELECT value FROM json_each(${JSON.stringify(daysBetween(from, to))}))) AS usage_days`;
  }
  const isInSpan = and(isWanted, sql`day >= ${from}`, sql`day <= ${to}`);
  if (!byEndUser) return sql`(SELECT * FROM usage_days WHERE ${isInSpan}) AS usage_days`;
  const key = sql.raw("day, agent_id, model_name");
  const sums = USAGE_SUMS.map(({ name }) => name);
  const [plus, minus] = [sums.join(", "), sums.map((name) => `-${name}`).join(", ")];
  // The difference of the two tables is the usage that no end user's sums contain.
  return sql`(SELECT ${key}, end_user_id, ${sql.raw(plus)} FROM usage_end_users WHERE ${isInSpan}
    UNION ALL SELECT ${key}, NULL, ${sql.raw(minus)} FROM usage_end_users WHERE ${isInSpan}
    UNION ALL SELECT ${key}, NULL, ${sql.raw(plus)} FROM usage_days WHERE ${isInSpan}) AS usage_days`;
}

function isNamed({ agent_id, model_name }: RowFilter): SQL | undefined {
  return and(
    agent_id === undefined ? undefined : sql`agent_id = ${agent_id}`,
    model_name === undefined ? undefined : sql`model_name = ${model_name}`,
  );
}

function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) {
    days.push(new Date(day).toISOString().slice(0, "YYYY-MM-DD".length));
  }
  return days;
}

function orNull(column: SQL | null): SQL<string | null> {
  return column ? sql<string>`${column}` : sql<null>`NULL`;
}

/** Not `sum`, which fails on integer overflow: a model's endpoint may report any counts. */
function total(column: SQLiteColumn): SQL<number> {
  return sql<number>`total(${column})`;
}
