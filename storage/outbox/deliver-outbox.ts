// Writes a session's outbox entries to D1. Plain SQL, because each statement checks that the session still exists and
// that the stored row is older.
import type { PendingCall, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionStatus } from "../../protocol/sessions/contract.ts";
import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { WebhookCall } from "../../protocol/replies/webhooks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { noteActivity } from "../operator/note-activity.ts";
import { putDecisions, type ListedDecision } from "./put-decisions.ts";
import { putPending } from "./put-pending.ts";
import { putUsage, type UsageEntry } from "./usage-delivery.ts";

/** The state of a reply when it ended, began to wait or was answered. */
export interface OutboxEntry extends UsageEntry {
  readonly agent_version: number;
  readonly end_user_id: string | null;
  readonly reply_status: ReplyStatus;
  readonly session_status: SessionStatus;
  /** Calls that wait for a confirmation or an external result now. */
  readonly pending: readonly PendingCall[];
  /** The calls that waited when the entry was written, for webhooks; some may have been answered since. */
  readonly calls: readonly WebhookCall[];
  /** Questions, refusals and answers since the last entry; some may have been delivered before. */
  readonly decisions: readonly ListedDecision[];
  /** `https://host`, the origin of callback URLs; null when the session does not know it. */
  readonly origin: string | null;
  readonly cursor: number;
  /** Size of the object's database. */
  readonly bytes: number;
  /** The error of a failed reply. */
  readonly error: Msg["error"];
}

/** A summary that no reply has made: there is only its usage to deliver. */
export interface SummaryEntry extends UsageEntry {
  readonly replies: 0;
}

/** A change of an ability's state: D1 keeps nothing of it, webhooks are told. */
export interface AnnouncementEntry extends Pick<
  OutboxEntry,
  "tenant_id" | "session_id" | "agent_id" | "agent_version" | "end_user_id" | "entry" | "at"
> {
  /** Null for a change by people between replies. */
  readonly reply_id: string | null;
  readonly announcement: Announcement;
}

/** The size of a session's object after something was stored without a reply. */
export type GrowthEntry = Pick<
  OutboxEntry,
  "tenant_id" | "session_id" | "agent_id" | "agent_version" | "entry" | "at" | "bytes"
>;

/** An entry that an outbox delivers. */
export type OutboxDelivery = OutboxEntry | SummaryEntry | AnnouncementEntry | GrowthEntry;

export function isReplyEntry(entry: OutboxDelivery): entry is OutboxEntry {
  return "reply_status" in entry;
}

export function isAnnouncementEntry(entry: OutboxDelivery): entry is AnnouncementEntry {
  return "announcement" in entry;
}

function isGrowthEntry(entry: OutboxDelivery): entry is GrowthEntry {
  return "bytes" in entry && !isReplyEntry(entry);
}

/** The entries that say what was used. */
export function usedEntries(
  entries: readonly OutboxDelivery[],
): readonly (OutboxEntry | SummaryEntry)[] {
  return entries.filter(
    (entry): entry is OutboxEntry | SummaryEntry =>
      !isAnnouncementEntry(entry) && !isGrowthEntry(entry),
  );
}

/**
 * Only while the session is listed, so that a late delivery does not restore rows of a deleted session. Copies the
 * session's creation time, for the order of the index.
 */
const PUT_STATE = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  bytes, session_created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, created_at FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET entry = excluded.entry, status = excluded.status,
  agent_version = excluded.agent_version, bytes = excluded.bytes,
  session_created_at = excluded.session_created_at
  WHERE excluded.entry > session_states.entry`;

/** Without a state of replies only the size is new; a session that has had none is idle. */
const PUT_BYTES = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  bytes, session_created_at)
  SELECT ?1, ?2, 0, 'idle', ?3, ?4, created_at FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET bytes = excluded.bytes
  WHERE ?5 > session_states.entry AND excluded.bytes <> session_states.bytes`;

/**
 * Writes the entries in order, all or none, in one batch (one transaction, one call). Repeated and out-of-order
 * deliveries have no effect. Of a session whose deletion has begun only the usage is written.
 * @param read Run behind them in the same batch. @returns Its rows.
 * @throws when D1 fails or refuses a row.
 */
export async function deliverOutbox<Row>(
  database: D1Database,
  entries: readonly OutboxDelivery[],
  read?: D1PreparedStatement,
): Promise<readonly Row[]> {
  const writes = [
    ...usedEntries(entries).flatMap((entry) => [
      ...(isReplyEntry(entry) ? putReply(database, entry) : []),
      ...putUsage(database, entry),
    ]),
    ...entries.filter(isGrowthEntry).map((entry) => putBytes(database, entry)),
  ];
  const statements = read ? [...writes, read] : writes;
  if (statements.length === 0) return [];
  const results = await database.batch<Row>(statements);
  return read ? (results.at(-1)?.results ?? []) : [];
}

function putReply(database: D1Database, entry: OutboxEntry): readonly D1PreparedStatement[] {
  return [
    ...noteActivity(database, entry),
    putState(database, entry),
    ...putPending(database, entry),
    ...putDecisions(database, entry),
  ];
}

function putBytes(database: D1Database, growth: GrowthEntry): D1PreparedStatement {
  const { session_id, tenant_id, agent_version, bytes, entry } = growth;
  return database.prepare(PUT_BYTES).bind(session_id, tenant_id, agent_version, bytes, entry);
}

function putState(database: D1Database, entry: OutboxEntry): D1PreparedStatement {
  return database
    .prepare(PUT_STATE)
    .bind(
      entry.session_id,
      entry.tenant_id,
      entry.entry,
      entry.session_status,
      entry.agent_version,
      entry.bytes,
    );
}
