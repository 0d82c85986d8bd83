// Writes a session's outbox entries to D1. Plain SQL, because each statement checks that the session still exists and
// that the stored row is older.
import type { PendingCall, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionStatus } from "../../protocol/sessions/contract.ts";
import type { ReplyTimings } from "../../protocol/usage/histograms.ts";
import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { WebhookCall } from "../../protocol/replies/webhooks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { putA2aTask, type TaskState } from "../a2a/put-a2a-task.ts";
import { noteActivity } from "../operator/note-activity.ts";
import { noteReplyHour } from "./note-reply-hour.ts";
import { putDecisions, type ListedDecision } from "./put-decisions.ts";
import { putPending } from "./put-pending.ts";
import { putBytes, putCost, putState } from "./put-state.ts";
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
  /** The times of a reply that has ended; null of one that goes on. */
  readonly timings: ReplyTimings | null;
  /** The first words of the conversation; null when it has none. */
  readonly first_words: string | null;
  /** The usage that counts in the session's cost begins here: the text of an id without its prefix. */
  readonly counted_from: string;
  /** Of a reply that is a task of A2A. */
  readonly a2a?: TaskState;
}

/** A summary that no reply has made: there is only its usage to deliver. */
export interface SummaryEntry extends UsageEntry, Pick<OutboxEntry, "counted_from"> {
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
  | "tenant_id"
  | "session_id"
  | "agent_id"
  | "agent_version"
  | "entry"
  | "at"
  | "bytes"
  | "first_words"
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
      ...putUsage(database, entry),
      ...(isReplyEntry(entry) ? putReply(database, entry) : [putCost(database, entry)]),
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
    ...noteReplyHour(database, entry),
    putState(database, entry),
    ...putPending(database, entry),
    ...putDecisions(database, entry),
    ...putA2aTask(database, entry),
  ];
}
