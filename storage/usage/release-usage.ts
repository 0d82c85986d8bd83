import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

import type { Database } from "../statements/database.ts";
import { usage, usageEndUsers } from "./table.ts";
import { USAGE_SUMS } from "./usage-sums.ts";

interface ReleasedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  /** The condition under which anything is changed. */
  readonly when: SQL;
}

const KEY = sql.raw("tenant_id, day, end_user_id, agent_id, model_name");
/**
 * Statements that take a session's usage out of its end user's sums, which then contain nothing of the session; a trigger
 * deletes sums that are empty. The sums of the tenant stay: the usage is reported without an end user from then on.
 */
export function releaseUsage(
  database: Database,
  { tenantId, sessionId, when }: ReleasedSession,
): readonly BatchItem<"sqlite">[] {
  const isCounted = and(
    eq(usage.tenant_id, tenantId),
    eq(usage.session_id, sessionId),
    isNotNull(usage.end_user_id),
    when,
  );
  // Not `sum`, which fails on integer overflow: a model's endpoint may report any counts.
  const negative = sql.raw(
    ["-count(*)", ...USAGE_SUMS.map(({ stored }) => `-total(${stored})`)].join(),
  );
  const set = ["entries", ...USAGE_SUMS.map(({ name }) => name)].map(
    (name) => [name, sql.raw(`${name} + excluded.${name}`)] as const,
  );
  return [
    database
      .insert(usageEndUsers)
      .select(sql`SELECT ${KEY}, ${negative} FROM ${usage} WHERE ${isCounted} GROUP BY ${KEY}`)
      .onConflictDoUpdate({
        target: [
          usageEndUsers.tenant_id,
          usageEndUsers.day,
          usageEndUsers.end_user_id,
          usageEndUsers.agent_id,
          usageEndUsers.model_name,
        ],
        set: Object.fromEntries(set),
      }),
    database.update(usage).set({ end_user_id: null }).where(isCounted),
  ];
}
