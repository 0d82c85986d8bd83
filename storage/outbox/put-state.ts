// Writes how a session stands to D1: one row for each session, which lists are read from.
import type { ReplyFailure } from "../../protocol/sessions/reply-failure.ts";
import { MAX_LISTED_FAILURE_CHARACTERS } from "../../protocol/sessions/limits.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionStatus } from "../../protocol/sessions/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

interface SessionEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly entry: number;
  readonly agent_version: number;
  readonly bytes: number;
  readonly first_words: string | null;
}

interface StateEntry extends SessionEntry {
  readonly session_status: SessionStatus;
  readonly reply_status: ReplyStatus;
  readonly reply_id: string;
  readonly error: Msg["error"];
  readonly at: string;
  readonly counted_from: string;
}

/**
 * The sum of what is known of the session's costs, read anew from `usage`, so that no order of deliveries and no older
 * version can leave it wrong. Only rows since the session was created: a named thread that was erased may have been
 * opened anew, under the same id, and the usage of the first stays. Ids of all kinds have their time at the same place.
 * Not `sum`, which fails on integer overflow.
 * @param created The parameter with the text of an id of that time, without its prefix.
 */
const costSince = (created: string) => `(SELECT CASE WHEN count(cost) > 0 THEN total(cost) END
  FROM usage WHERE tenant_id = ?2 AND session_id = ?1 AND substr(reply_id, 5) >= ${created})`;

/**
 * Only while the session is listed, so that a late delivery does not restore rows of a deleted session. Copies the
 * session's creation time, for the order of the index.
 */
const PUT_STATE = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  bytes, session_created_at, first_words, failure, cost)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, created_at, ?7, ?8, ${costSince("?9")} FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET entry = excluded.entry, status = excluded.status,
  agent_version = excluded.agent_version, bytes = excluded.bytes,
  session_created_at = excluded.session_created_at, first_words = excluded.first_words,
  failure = excluded.failure, cost = excluded.cost
  WHERE excluded.entry > session_states.entry`;

/** Without a state of replies only the size and the first words are new; a session that has had none is idle. */
const PUT_BYTES = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  bytes, session_created_at, first_words)
  SELECT ?1, ?2, 0, 'idle', ?3, ?4, created_at, ?6 FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET bytes = excluded.bytes, first_words = excluded.first_words
  WHERE ?5 > session_states.entry AND (excluded.bytes <> session_states.bytes
    OR excluded.first_words IS NOT session_states.first_words)`;

const PUT_COST = `UPDATE session_states SET cost = ${costSince("?3")}
  WHERE session_id = ?1 AND tenant_id = ?2`;

/** Behind the statements that write its usage, in the same batch. */
export function putState(database: D1Database, entry: StateEntry): D1PreparedStatement {
  return database
    .prepare(PUT_STATE)
    .bind(
      entry.session_id,
      entry.tenant_id,
      entry.entry,
      entry.session_status,
      entry.agent_version,
      entry.bytes,
      entry.first_words,
      failureOf(entry),
      entry.counted_from,
    );
}

/** As {@link putState}, for a summary that no reply has made. */
export function putCost(
  database: D1Database,
  entry: Pick<StateEntry, "tenant_id" | "session_id" | "counted_from">,
): D1PreparedStatement {
  const { session_id, tenant_id, counted_from } = entry;
  return database.prepare(PUT_COST).bind(session_id, tenant_id, counted_from);
}

export function putBytes(database: D1Database, growth: SessionEntry): D1PreparedStatement {
  const { session_id, tenant_id, agent_version, bytes, entry, first_words } = growth;
  return database
    .prepare(PUT_BYTES)
    .bind(session_id, tenant_id, agent_version, bytes, entry, first_words);
}

function failureOf({ reply_status: status, reply_id, error, at }: StateEntry): string | null {
  if (status !== "error" && status !== "exceed_max_iters") return null;
  const message = error?.message.slice(0, MAX_LISTED_FAILURE_CHARACTERS) ?? "";
  const failure: ReplyFailure = {
    reply_id,
    status,
    error: error && { ...error, message },
    failed_at: at,
  };
  return JSON.stringify(failure);
}
