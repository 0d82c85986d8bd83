import { and, asc, desc, eq, gt, gte, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Page } from "../../protocol/api/schemas/common.ts";
import { NANODOLLARS } from "../../protocol/api/schemas/money.ts";
import type { UsageGroup, UsageRow } from "../../protocol/api/tenants/usage.ts";
import type { Database } from "../statements/database.ts";
import { toPage } from "../statements/page.ts";
import { usageDays } from "../tables/schema.ts";

interface UsageRequest {
  /** Days, `YYYY-MM-DD`, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
  /** Rows on the previous pages. */
  readonly skip: number;
  readonly limit: number;
}

export interface UsageStorage {
  /** Newest day first, then by agent and model. Reads one row per day, agent and model. */
  sum(request: UsageRequest): Promise<Page<UsageRow>>;
}

const COLUMNS = { day: usageDays.day, agent: usageDays.agent_id, model: usageDays.model_name };

export function usageStorage(database: Database, tenantId: string): UsageStorage {
  return {
    async sum({ from, to, groups, skip, limit }) {
      const column = (group: UsageGroup) => (groups.includes(group) ? COLUMNS[group] : null);
      const [day, agent, model] = [column("day"), column("agent"), column("model")];
      const rows = await database
        .select({
          day: orNull(day),
          agent_id: orNull(agent),
          model_name: orNull(model),
          replies: total(usageDays.replies),
          input_tokens: total(usageDays.input_tokens),
          output_tokens: total(usageDays.output_tokens),
          cache_input_tokens: total(usageDays.cache_input_tokens),
          cache_creation_input_tokens: total(usageDays.cache_creation_input_tokens),
          cost_usd: COST,
        })
        .from(usageDays)
        .where(
          and(
            eq(usageDays.tenant_id, tenantId),
            gte(usageDays.day, from),
            lte(usageDays.day, to),
            // A summary between replies has tokens, and is no reply. A row that all have left has neither.
            or(
              gt(usageDays.replies, 0),
              gt(usageDays.input_tokens, 0),
              gt(usageDays.output_tokens, 0),
            ),
          ),
        )
        .groupBy(...groups.map((group) => COLUMNS[group]))
        .orderBy(
          ...(day ? [desc(day)] : []),
          ...(agent ? [asc(agent)] : []),
          ...(model ? [asc(model)] : []),
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

function orNull(column: SQLiteColumn | null): SQL<string | null> {
  return column ? sql<string>`${column}` : sql<null>`NULL`;
}

/** Not `sum`, which fails on integer overflow: a model's endpoint may report any counts. */
function total(column: SQLiteColumn): SQL<number> {
  return sql<number>`total(${column})`;
}
