import { and, desc, eq, gte, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { Page } from "../../protocol/schemas/common.ts";
import type { SessionStatus, SessionSummary } from "../../protocol/sessions/contract.ts";
import type { Database } from "../statements/database.ts";
import { toPage } from "../statements/page.ts";
import { agentVersions } from "../agents/table.ts";
import { sessions, sessionStates } from "./table.ts";
import type { SessionPosition } from "./session-position.ts";
import { positionKey } from "./session-position.ts";

interface SessionFilter {
  readonly agent_id?: string;
  readonly end_user_id?: string;
  readonly status?: SessionStatus;
  /** ISO times; `created_after` is inclusive, `created_before` exclusive. */
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface SessionListRequest extends SessionFilter {
  /** Sessions after this position; undefined starts with the newest. */
  readonly before?: SessionPosition;
  /** Maximum number of sessions on the page. */
  readonly limit: number;
}

const COLUMNS = {
  id: sessions.id,
  agent_id: sessions.agent_id,
  // The outbox reports the version that the last reply of a session used which follows the newest one, or has lost a
  // retired one.
  agent_version: sql<number>`iif(${sessions.follows_latest} OR EXISTS (SELECT 1 FROM ${agentVersions}
    WHERE ${agentVersions.agent_id} = ${sessions.agent_id}
    AND ${agentVersions.version} = ${sessions.agent_version}
    AND ${agentVersions.retired_at} IS NOT NULL), max(${sessions.agent_version},
    coalesce(${sessionStates.agent_version}, 0)), ${sessions.agent_version})`,
  follows_latest: sessions.follows_latest,
  end_user_id: sessions.end_user_id,
  metadata: sessions.metadata,
  created_at: sessions.created_at,
  forked_from: sessions.forked_from,
  status: sql<SessionStatus>`coalesce(${sessionStates.status}, 'idle')`,
};

/** The columns of an index that hold a session's position. */
const BY_SESSION = { time: sessions.created_at, id: sessions.id };
const BY_STATE = { time: sessionStates.session_created_at, id: sessionStates.session_id };

/**
 * A page of a tenant's sessions, newest first. Each filter alone has an index in this order, which is entered at the
 * page's position, so every page costs the same. Of several filters one selects the index and the others filter its
 * rows: the status comes before the end user, the end user before the agent. `idle`, the status of most sessions, never
 * selects the index.
 */
export async function listSessions(
  database: Database,
  tenantId: string,
  { agent_id, end_user_id, status, limit, ...range }: SessionListRequest,
): Promise<Page<SessionSummary>> {
  // Few sessions are not idle: an index finds those. Idle sessions are found by scanning the list.
  const leadsStatus = status !== undefined && status !== "idle";
  const leadsPerson = !leadsStatus && end_user_id !== undefined;
  const index = leadsStatus ? BY_STATE : BY_SESSION;
  const where = and(
    isInRange(index, range),
    isNull(sessions.deleted_at),
    isEqual(sessions.end_user_id, end_user_id, leadsPerson),
    isEqual(sessions.agent_id, agent_id, !leadsStatus && !leadsPerson),
  );
  const columns = { ...COLUMNS, position_time: sql<string>`${index.time}` };
  const found = leadsStatus
    ? database
        .select(columns)
        .from(sessionStates)
        .innerJoin(sessions, eq(sessions.id, sessionStates.session_id))
        .where(
          and(
            eq(sessionStates.tenant_id, tenantId),
            eq(sessionStates.status, status),
            isEqual(sessions.tenant_id, tenantId, false),
            where,
          ),
        )
    : database
        .select(columns)
        .from(sessions)
        .leftJoin(
          sessionStates,
          and(eq(sessionStates.session_id, sessions.id), eq(sessionStates.tenant_id, tenantId)),
        )
        .where(
          and(
            eq(sessions.tenant_id, tenantId),
            status === undefined ? undefined : eq(COLUMNS.status, status),
            where,
          ),
        );
  const rows = await found.orderBy(desc(index.time), desc(index.id)).limit(limit + 1);
  const { data, ...page } = toPage(rows, limit, ({ position_time, id }) =>
    positionKey({ created_at: position_time, id }),
  );
  return { ...page, data: data.map(({ position_time: _, ...session }) => session) };
}

/**
 * @param leads Whether SQLite is to use the filter's index. Without a hint it may prefer the index of the whole tenant;
 *   a unary plus excludes a column from all indexes.
 */
function isEqual(column: SQLiteColumn, value: string | undefined, leads: boolean): SQL | undefined {
  if (value === undefined) return undefined;
  return leads ? sql`unlikely(${column} = ${value})` : sql`+${column} = ${value}`;
}

function isInRange(
  { time, id }: typeof BY_SESSION | typeof BY_STATE,
  {
    created_after,
    ...ends
  }: Pick<SessionListRequest, "before" | "created_after" | "created_before">,
): SQL | undefined {
  const end = earlierEnd(ends);
  return and(
    created_after === undefined ? undefined : gte(time, created_after),
    // A row value comparison, so that the index is entered at the position.
    end && sql`(${time}, ${id}) < (${end.created_at}, ${end.id})`,
  );
}

/** The lower of the two bounds: given both, SQLite might enter the index at the higher one. */
function earlierEnd({
  before,
  created_before,
}: Pick<SessionListRequest, "before" | "created_before">): SessionPosition | undefined {
  if (created_before === undefined) return before;
  const isBefore = before !== undefined && before.created_at < created_before;
  return isBefore ? before : { created_at: created_before, id: "" };
}
