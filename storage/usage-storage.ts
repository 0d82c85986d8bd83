import { and, asc, count, desc, eq, gte, lte, sql, sum } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Page } from "../protocol/api/common.ts";
import type { UsageGroup, UsageRow } from "../protocol/api/usage.ts";
import type { Database } from "./database.ts";
import { toPage } from "./page.ts";
import { usage } from "./schema.ts";

interface UsageRequest {
  /** Days, `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
  /** Rows that pages before this one had. */
  readonly skip: number;
  readonly limit: number;
}

export interface UsageStorage {
  /** The newest day first, then by agent and model. Costs a read of every reply of these days. */
  sum(request: UsageRequest): Promise<Page<UsageRow>>;
}

const COLUMNS = { day: usage.day, agent: usage.agent_id, model: usage.model_name };

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
          replies: count(),
          input_tokens: total(usage.input_tokens),
          output_tokens: total(usage.output_tokens),
          cache_input_tokens: total(usage.cache_input_tokens),
          cache_creation_input_tokens: total(usage.cache_creation_input_tokens),
        })
        .from(usage)
        .where(and(eq(usage.tenant_id, tenantId), gte(usage.day, from), lte(usage.day, to)))
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

function orNull(column: SQLiteColumn | null): SQL<string | null> {
  return column ? sql<string>`${column}` : sql<null>`NULL`;
}

function total(column: SQLiteColumn): SQL<number> {
  return sum(column).mapWith(Number) as SQL<number>;
}
