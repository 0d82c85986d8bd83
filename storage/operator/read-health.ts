// The deployment's health in D1, without any tenant's content. Every query reads a bounded number of rows of an index.
import type { Backlog, OperatorHealth } from "../../protocol/operator/contract.ts";
import { ReplyEndSchema, type ReplyEnd } from "../../protocol/replies/reply-end.ts";
import {
  ACTIVITY_KEPT_MS,
  ACTIVITY_MS,
  MAX_COUNTED_BACKLOG,
  MAX_LISTED_TENANTS,
} from "../../protocol/requests/limits.ts";
import { slotOf } from "../quotas/slot-of.ts";

type DatabaseHealth = Pick<OperatorHealth, "queues" | "activity" | "tenants">;

/** `?1` is the present time, `?2` how many rows are counted, `?3` the first slot. */
type Query = `SELECT ${string}`;

/** Counts rows whose column has a time, and those whose time is over. */
function backlogOf(table: string, column: string): Query {
  const rows = (condition: string) =>
    `SELECT ${column} FROM ${table} WHERE ${column} ${condition} ORDER BY ${column} LIMIT ?2`;
  return `SELECT (SELECT count(*) FROM (${rows("IS NOT NULL")})) AS pending,
    (SELECT count(*) FROM (${rows("< ?1")})) AS overdue,
    (SELECT ${column} FROM ${table} WHERE ${column} < ?1 ORDER BY ${column} LIMIT 1) AS overdue_since`;
}

export const HEALTH_QUERIES = {
  webhook_deliveries: backlogOf("webhook_deliveries", "overdue_at"),
  // Deliveries that wait for a lease or a circuit have no time.
  waiting_deliveries: `SELECT count(*) AS pending FROM (
    SELECT 1 FROM webhook_deliveries WHERE waits = 1 LIMIT ?2)`,
  session_removals: backlogOf("sessions", "removal_due_at"),
  tenant_removals: backlogOf("tenants", "removal_due_at"),
  file_removals: backlogOf("files", "due_at"),
  activity: `SELECT slot, kind, error_type, count FROM activity WHERE slot >= ?3 ORDER BY slot`,
  suspended: `SELECT id FROM tenants WHERE status = 'suspended' ORDER BY id LIMIT ${MAX_LISTED_TENANTS}`,
} as const satisfies Readonly<Record<string, Query>>;

interface ActivityRow {
  readonly slot: string;
  readonly kind: string;
  readonly error_type: string;
  readonly count: number;
}

/** One call of D1. @throws when D1 fails. */
export async function readHealth(database: D1Database, nowMs: number): Promise<DatabaseHealth> {
  const now = new Date(nowMs).toISOString();
  const since = slotOf(new Date(nowMs - ACTIVITY_MS).toISOString());
  const results = await database.batch(
    Object.values(HEALTH_QUERIES).map((query) => {
      const values = [now, MAX_COUNTED_BACKLOG, since];
      return database.prepare(query).bind(...values.slice(0, countParameters(query)));
    }),
  );
  const names = Object.keys(HEALTH_QUERIES);
  const rowsOf = <Row>(name: keyof typeof HEALTH_QUERIES): readonly Row[] =>
    (results[names.indexOf(name)]?.results ?? []) as Row[];
  const backlog = (name: keyof typeof HEALTH_QUERIES): Backlog => {
    const [row] = rowsOf<Backlog>(name);
    return row ?? { pending: 0, overdue: 0, overdue_since: null };
  };
  const deliveries = backlog("webhook_deliveries");
  const { pending: waiting } = backlog("waiting_deliveries");
  const removals = backlog("tenant_removals");
  return {
    queues: {
      webhook_deliveries: { ...deliveries, pending: deliveries.pending + waiting },
      session_removals: backlog("session_removals"),
      tenant_removals: removals,
      file_removals: backlog("file_removals"),
    },
    activity: { since: timeOf(since), ...toActivity(rowsOf<ActivityRow>("activity")) },
    tenants: {
      suspended: rowsOf<{ id: string }>("suspended").map(({ id }) => id),
      closing: removals.pending,
    },
  };
}

/** Deletes the counters that no report reads any more. */
export async function purgeActivity(database: D1Database, nowMs: number): Promise<void> {
  const before = slotOf(new Date(nowMs - ACTIVITY_KEPT_MS).toISOString());
  await database.prepare("DELETE FROM activity WHERE slot < ?").bind(before).run();
}

/** D1 refuses more values than a statement has parameters. */
function countParameters(query: string): number {
  return Math.max(0, ...Array.from(query.matchAll(/\?(\d)/g), ([, number]) => Number(number)));
}

type Activity = Omit<NonNullable<OperatorHealth["activity"]>, "since">;

function toActivity(rows: readonly ActivityRow[]): Activity {
  const slots = [...new Set(rows.map(({ slot }) => slot))];
  const errors = new Map<string, number>();
  for (const { error_type, count } of rows) {
    if (error_type !== "") errors.set(error_type, (errors.get(error_type) ?? 0) + count);
  }
  return {
    ...countKinds(rows),
    errors: Array.from(errors, ([type, replies]) => ({ type, replies })).toSorted(
      (one, other) => other.replies - one.replies,
    ),
    slots: slots.map((slot) => ({
      at: timeOf(slot),
      ...countKinds(rows.filter((row) => row.slot === slot)),
    })),
  };
}

function countKinds(rows: readonly ActivityRow[]): Pick<Activity, "sessions_opened" | "replies"> {
  const countOf = (kind: string) =>
    rows.filter((row) => row.kind === kind).reduce((sum, { count }) => sum + count, 0);
  const replies = ReplyEndSchema.options.map((end) => [end, countOf(end)] as const);
  return {
    sessions_opened: countOf("session"),
    replies: Object.fromEntries(replies) as Record<ReplyEnd, number>,
  };
}

function timeOf(slot: string): string {
  return `${slot}:00.000Z`;
}
