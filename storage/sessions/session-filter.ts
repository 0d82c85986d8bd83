// Filters of the list of sessions, and the index that leads to the rows of each.
import { and, eq, gte, isNotNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { SessionFilterStatus, SessionStatus } from "../../protocol/sessions/contract.ts";
import { sessions, sessionStates } from "./table.ts";
import type { SessionPosition } from "./session-position.ts";

export interface SessionFilter {
  readonly agent_id?: string;
  /** Sessions of any of these agents. */
  readonly agent_ids?: readonly string[];
  readonly end_user_id?: string;
  readonly parent_session_id?: string;
  /** No index leads to them: with {@link among_ids}, the sessions of the room. */
  readonly room_id?: string;
  readonly status?: SessionFilterStatus;
  /** For `status: "running"`: the sessions that hold a lease. */
  readonly running_ids?: readonly string[];
  /** Only sessions with these ids. */
  readonly among_ids?: readonly string[];
  readonly min_cost_usd?: number;
  /** ISO times; `created_after` is inclusive, `created_before` exclusive. */
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Columns of an index that hold a session's position. */
interface PositionColumns {
  readonly time: SQLiteColumn;
  readonly id: SQLiteColumn;
}

const BY_SESSION: PositionColumns = { time: sessions.created_at, id: sessions.id };
const BY_STATE: PositionColumns = {
  time: sessionStates.session_created_at,
  id: sessionStates.session_id,
};

/** One query of a list. Several are merged: each is in the order of the list. */
export interface SessionQuery {
  readonly table: "sessions" | "session_states";
  readonly order: PositionColumns;
  readonly where: SQL | undefined;
}

const WAITING: readonly SessionStatus[] = ["awaiting_permission", "awaiting_external_result"];

/**
 * Of several filters one selects the index and the others filter its rows: the status comes before the calling session, that
 * before the end user, the end user before the agent. `idle`, the status of most sessions, never selects the index. Running sessions are few, and
 * found by their ids.
 */
export function queriesOf(tenantId: string, filter: SessionFilter): readonly SessionQuery[] {
  const { status, end_user_id, parent_session_id, among_ids } = filter;
  const agentIds = filter.agent_ids ?? (filter.agent_id === undefined ? null : [filter.agent_id]);
  const isRunning = status === "running";
  const isById = isRunning || among_ids !== undefined;
  const isByState = status !== undefined && status !== "idle" && !isById;
  const leadsParent = !isByState && !isById && parent_session_id !== undefined;
  const leadsPerson = !isByState && !isById && !leadsParent && end_user_id !== undefined;
  const beside = and(
    isEqual(sessions.end_user_id, end_user_id, leadsPerson),
    isEqual(sessions.parent_session_id, parent_session_id, leadsParent),
    isEqual(sessions.room_id, filter.room_id, false),
    filter.min_cost_usd === undefined
      ? undefined
      : sql`+${sessionStates.cost} >= ${Math.round(filter.min_cost_usd * NANODOLLARS)}`,
  );
  const ofAgents = agentIds === null ? undefined : isOneOf(sessions.agent_id, agentIds);
  if (isByState) {
    const where = and(
      eq(sessionStates.tenant_id, tenantId),
      isEqual(sessions.tenant_id, tenantId, false),
      ofAgents,
      beside,
    );
    return statesOf(status).map((state) => {
      return { table: "session_states", order: BY_STATE, where: and(state, where) };
    });
  }
  const query = (where: SQL | undefined): SessionQuery => {
    return { table: "sessions", order: BY_SESSION, where: and(where, beside) };
  };
  const isIdle = sql`coalesce(${sessionStates.status}, 'idle') = 'idle'`;
  if (isById) {
    const running = new Set(filter.running_ids);
    const ids =
      among_ids?.filter((id) => !isRunning || running.has(id)) ?? filter.running_ids ?? [];
    const isOurs = isEqual(sessions.tenant_id, tenantId, false);
    const isInState =
      status === undefined || isRunning
        ? undefined
        : status === "idle"
          ? isIdle
          : or(...statesOf(status));
    return [query(and(isAmong(sessions.id, ids), isOurs, ofAgents, isInState))];
  }
  const isOurs = and(eq(sessions.tenant_id, tenantId), status === "idle" ? isIdle : undefined);
  if (leadsParent || leadsPerson || agentIds === null) return [query(and(isOurs, ofAgents))];
  return agentIds.map((id) => query(and(isOurs, isEqual(sessions.agent_id, id, true))));
}

/** Any of them; each alone has an index. */
function statesOf(status: Exclude<SessionFilterStatus, "idle" | "running">): readonly SQL[] {
  if (status === "failed") return [isNotNull(sessionStates.failure)];
  return (status === "waiting" ? WAITING : [status]).map((one) => eq(sessionStates.status, one));
}

/**
 * @param leads Whether SQLite is to use the filter's index. Without a hint it may prefer the index of the whole tenant;
 *   a unary plus excludes a column from all indexes.
 */
function isEqual(column: SQLiteColumn, value: string | undefined, leads: boolean): SQL | undefined {
  if (value === undefined) return undefined;
  return leads ? sql`unlikely(${column} = ${value})` : sql`+${column} = ${value}`;
}

/** Not by an index of the column. */
function isOneOf(column: SQLiteColumn, values: readonly string[]): SQL | undefined {
  const [value] = values;
  if (values.length === 1) return isEqual(column, value, false);
  return sql`+${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function isAmong(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

export interface SessionRange extends Pick<SessionFilter, "created_after" | "created_before"> {
  readonly before?: SessionPosition;
  /** The last position of the range, inclusive. */
  readonly downTo?: SessionPosition;
}

export function isInRange(
  { time, id }: PositionColumns,
  { created_after, downTo, ...ends }: SessionRange,
): SQL | undefined {
  const end = earlierEnd(ends);
  return and(
    created_after === undefined ? undefined : gte(time, created_after),
    downTo && sql`(${time}, ${id}) >= (${downTo.created_at}, ${downTo.id})`,
    // A row value comparison, so that the index is entered at the position.
    end && sql`(${time}, ${id}) < (${end.created_at}, ${end.id})`,
  );
}

/** The lower of the two bounds: given both, SQLite might enter the index at the higher one. */
function earlierEnd({
  before,
  created_before,
}: Pick<SessionRange, "before" | "created_before">): SessionPosition | undefined {
  if (created_before === undefined) return before;
  const isBefore = before !== undefined && before.created_at < created_before;
  return isBefore ? before : { created_at: created_before, id: "" };
}
