import { and, desc, eq, isNull, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { SessionStatus, SessionSummary } from "../../protocol/sessions/contract.ts";
import { MAX_SCANNED_SESSIONS } from "../../protocol/sessions/limits.ts";
import type { Database } from "../statements/database.ts";
import { encodePageToken, toPage } from "../statements/page.ts";
import { agentVersions } from "../agents/table.ts";
import {
  isInRange,
  queriesOf,
  type SessionFilter,
  type SessionQuery,
  type SessionRange,
} from "./session-filter.ts";
import { sessions, sessionStates } from "./table.ts";
import type { SessionPosition } from "./session-position.ts";
import { positionKey } from "./session-position.ts";

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
  title: sql<string | null>`coalesce(${sessions.title}, ${sessionStates.first_words})`,
  metadata: sessions.metadata,
  created_at: sessions.created_at,
  forked_from: sessions.forked_from,
  parent_session_id: sessions.parent_session_id,
  room_id: sessions.room_id,
  status: sql<SessionStatus>`coalesce(${sessionStates.status}, 'idle')`,
  failure: sessionStates.failure,
  cost_usd: sql<number | null>`${sessionStates.cost} / ${sql.raw(`${NANODOLLARS}.0`)}`,
};

/**
 * A page of a tenant's sessions, newest first. Each filter alone has an index in this order, which is entered at the
 * page's position, so every page costs the same ({@link queriesOf}). A minimal cost has none, because it would be written
 * with each reply: a page reads a bounded number of sessions, and may have fewer than `limit`, or none, before the list
 * ends.
 */
export async function listSessions(
  database: Database,
  tenantId: string,
  { limit, ...request }: SessionListRequest,
): Promise<Page<SessionSummary>> {
  const queries = queriesOf(tenantId, request);
  const isScan = request.min_cost_usd !== undefined;
  const downTo = isScan ? await scanEnd(database, tenantId, request) : undefined;
  const found = await readAll(database, queries, {
    range: { ...request, ...(downTo && { downTo }) },
    limit: limit + 1,
  });
  const { data, ...page } = toPage(found, limit, keyOf);
  const sessionsFound = data.map((row) => shownAs(row, request.status));
  if (page.has_more || !downTo) return { ...page, data: sessionsFound };
  const next_page = encodePageToken(positionKey(downTo));
  return { data: sessionsFound, has_more: true, next_page };
}

/** Of sessions with these ids those that the filter fits, in the order of the list. */
export async function listAmong(
  database: Database,
  tenantId: string,
  { ids, filter }: { readonly ids: readonly string[]; readonly filter: SessionFilter },
): Promise<readonly SessionSummary[]> {
  if (ids.length === 0) return [];
  const queries = queriesOf(tenantId, { ...filter, among_ids: ids });
  const found = await readAll(database, queries, { range: filter, limit: ids.length });
  return found.map((row) => shownAs(row, filter.status));
}

/** Lists know a session that runs only by its lease. */
function shownAs(
  { position_time: _, ...session }: PositionedRow,
  status: SessionFilter["status"],
): SessionSummary {
  return status === "running" ? { ...session, status } : session;
}

/** The position of the last session that a page may read; undefined where the list ends before it. */
async function scanEnd(
  database: Database,
  tenantId: string,
  { min_cost_usd: _, ...request }: Omit<SessionListRequest, "limit">,
): Promise<SessionPosition | undefined> {
  const ends = await readAll(database, queriesOf(tenantId, request), {
    range: request,
    limit: 1,
    skip: MAX_SCANNED_SESSIONS - 1,
  });
  // The newest of them: behind it, one of the queries has not been read.
  const [end] = ends;
  return end && { created_at: end.position_time, id: end.id };
}

interface ReadRequest {
  readonly range: SessionRange;
  readonly limit: number;
  readonly skip?: number;
}

type PositionedRow = SessionSummary & { readonly position_time: string };

/** The rows of all queries in the order of the list, in one round trip. */
async function readAll(
  database: Database,
  queries: readonly SessionQuery[],
  request: ReadRequest,
): Promise<readonly PositionedRow[]> {
  const [first, ...others] = queries.map((query) => select(database, query, request));
  if (!first) return [];
  if (others.length === 0) return first;
  const rows = (await database.batch([first, ...others])).flat();
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
}

function select(
  database: Database,
  { table, order, where }: SessionQuery,
  { range, limit, skip = 0 }: ReadRequest,
) {
  // With a name of its own: of two columns of one name, a batch returns one.
  const columns = { ...COLUMNS, position_time: sql<string>`${order.time}`.as("position_time") };
  const isWanted = and(where, isInRange(order, range), isNull(sessions.deleted_at));
  const from =
    table === "session_states"
      ? database
          .select(columns)
          .from(sessionStates)
          .innerJoin(sessions, eq(sessions.id, sessionStates.session_id))
      : database
          .select(columns)
          .from(sessions)
          .leftJoin(
            sessionStates,
            and(
              eq(sessionStates.session_id, sessions.id),
              eq(sessionStates.tenant_id, sessions.tenant_id),
            ),
          );
  const found = from.where(isWanted).orderBy(desc(order.time), desc(order.id)).limit(limit);
  return skip === 0 ? found : found.offset(skip);
}

function keyOf({ position_time, id }: PositionedRow): string {
  return positionKey({ created_at: position_time, id });
}
