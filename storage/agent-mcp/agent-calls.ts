// Calls that agents are sent over MCP, as their cancellations name them: by a connection and a request's id, which may
// reach another machine than the call did. A row for each call, for a day; and one for each connection with the ids of
// cancellations that were here before their calls, for a minute. Each request is one batch, so one of two that race
// finds what the other has written.
import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";

import {
  MAX_EARLY_CANCELLATIONS,
  MCP_EARLY_CANCELLATION_MS,
} from "../../protocol/agent-mcp/limits.ts";
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_PURGED_ROWS } from "../../protocol/requests/limits.ts";
import { openDatabase, type Database } from "../statements/database.ts";
import { idempotencyKeys } from "../requests/table.ts";

/** The value in place of a request's hash. */
const OF_CALL = "mcp-call";
const OF_CANCELLATIONS = "mcp-cancelled";

/** A connection to an agent's MCP endpoint: only requests by it find the rows of its calls. */
export interface AgentConnection {
  readonly tenant_id: string;
  readonly path: string;
  readonly connection: string;
  /** Null for an API key. */
  readonly end_user_id: string | null;
}

/** Of JSON-RPC. */
type CallId = string | number;

export interface StartedReply {
  readonly session_id: string;
  readonly reply_id: string;
}

/**
 * Notes which reply the call has started; the first call keeps its id for a day.
 * @returns whether a cancellation of the call was here before.
 */
export async function noteAgentCall(
  binding: D1Database,
  of: AgentConnection,
  id: CallId,
  started: StartedReply,
): Promise<boolean> {
  const database = openDatabase(binding);
  const nowMs = Date.now();
  const fresh = {
    fingerprint: OF_CALL,
    claim_id: crypto.randomUUID(),
    leased_until: nowMs,
    answer: JSON.stringify({ status: 200, body: started }),
    expires_at: nowMs + IDEMPOTENCY_KEPT_MS,
  };
  const [, , [early]] = await database.batch([
    deleteExpired(database, nowMs),
    database
      .insert(idempotencyKeys)
      .values({ tenant_id: of.tenant_id, path: of.path, key: keyOf(of, id), ...fresh })
      .onConflictDoUpdate({
        target: [idempotencyKeys.tenant_id, idempotencyKeys.path, idempotencyKeys.key],
        set: fresh,
        setWhere: lte(idempotencyKeys.expires_at, nowMs),
      }),
    database
      .select({ answer: idempotencyKeys.answer })
      .from(idempotencyKeys)
      .where(and(isIn(of, [earlyKeyOf(of)]), gt(idempotencyKeys.expires_at, nowMs))),
  ]);
  const ids = JSON.parse(early?.answer ?? "[]") as readonly string[];
  return ids.includes(JSON.stringify(id));
}

/**
 * The replies of the calls that are known. Ids of others are kept for their calls: the newest of a connection alone, in
 * its one row.
 */
export async function findCancelledCalls(
  binding: D1Database,
  of: AgentConnection,
  ids: readonly CallId[],
): Promise<readonly StartedReply[]> {
  const database = openDatabase(binding);
  const nowMs = Date.now();
  const keys = ids.map((id) => keyOf(of, id));
  const named = JSON.stringify(ids.map((id) => ({ key: keyOf(of, id), id: JSON.stringify(id) })));
  const { tenant_id, path } = of;
  const [, known] = await database.batch([
    deleteExpired(database, nowMs),
    database
      .select({ answer: idempotencyKeys.answer })
      .from(idempotencyKeys)
      .where(and(isIn(of, keys), gt(idempotencyKeys.expires_at, nowMs))),
    database
      .insert(idempotencyKeys)
      // The columns in the order of the table.
      .select(
        sql`SELECT ${tenant_id}, ${path}, ${earlyKeyOf(of)}, ${OF_CANCELLATIONS},
          ${crypto.randomUUID()}, ${nowMs}, unknown.ids, ${nowMs + MCP_EARLY_CANCELLATION_MS}
        FROM (
          SELECT json_group_array(json_extract(named.value, '$.id')) AS ids, count(*) AS count
          FROM json_each(${named}) AS named
          WHERE NOT EXISTS (
            SELECT 1 FROM idempotency_keys AS call
            WHERE call.tenant_id = ${tenant_id} AND call.path = ${path}
              AND call.key = json_extract(named.value, '$.key') AND call.expires_at > ${nowMs}
          )
        ) AS unknown
        WHERE unknown.count > 0`,
      )
      .onConflictDoUpdate({
        target: [idempotencyKeys.tenant_id, idempotencyKeys.path, idempotencyKeys.key],
        set: {
          answer: sql`(
            SELECT json_group_array(id) FROM (
              SELECT id FROM (
                SELECT value AS id, 0 AS age, key AS place FROM json_each(excluded.answer)
                UNION ALL
                SELECT value, 1, key FROM json_each(idempotency_keys.answer)
                WHERE idempotency_keys.expires_at > ${nowMs}
              )
              GROUP BY id ORDER BY min(age), min(place) LIMIT ${MAX_EARLY_CANCELLATIONS}
            )
          )`,
          expires_at: sql`excluded.expires_at`,
        },
      }),
  ]);
  return known.flatMap(({ answer }) =>
    answer === null ? [] : [(JSON.parse(answer) as { readonly body: StartedReply }).body],
  );
}

/** Some of them: what one request may leave behind is less. */
function deleteExpired(database: Database, nowMs: number) {
  const over = database
    .select({ rowid: sql`rowid` })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expires_at, nowMs))
    .limit(IDEMPOTENCY_PURGED_ROWS);
  return database.delete(idempotencyKeys).where(inArray(sql`rowid`, over));
}

function isIn({ tenant_id, path }: AgentConnection, keys: readonly string[]) {
  return and(
    eq(idempotencyKeys.tenant_id, tenant_id),
    eq(idempotencyKeys.path, path),
    inArray(idempotencyKeys.key, [...keys]),
  );
}

function keyOf({ connection, end_user_id }: AgentConnection, id: CallId): string {
  return JSON.stringify([connection, end_user_id, id]);
}

function earlyKeyOf({ connection, end_user_id }: AgentConnection): string {
  return JSON.stringify([connection, end_user_id]);
}
