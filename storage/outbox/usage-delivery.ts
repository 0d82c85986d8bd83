// Writes the token usage of a session's outbox entries to D1: a row for each reply, and the sums by day that reports
// read.
import type { Usage } from "../../protocol/messages/messages.ts";
import { USAGE_SUMS } from "../usage/usage-sums.ts";
import { addToEndUsers, END_USER, IF_KNOWN } from "./add-to-end-users.ts";
import { noteSpeechHour } from "./note-speech-hour.ts";

/** The token usage of a reply, or of a summary that no reply has made, without content. */
export interface UsageEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly reply_id: string;
  /** Increases within a session: an older entry never overwrites a newer one. */
  readonly entry: number;
  /** ISO 8601, UTC; determines the day of the usage. */
  readonly at: string;
  /** Total of the reply so far; null when no model was called. */
  readonly usage: Usage | null;
  /** The price, in billionths of a US dollar; null when a part of it is not known. */
  readonly cost: number | null;
  readonly model_name: string;
  /**
   * Replies that it counts as: 0 for a summary that no reply has made, and for speech, whose id is `reply_id`; 1 when left
   * out. Speech is counted with such an entry alone: some of what a reply says is made behind its end.
   */
  readonly replies?: 0 | 1;
}

const names = USAGE_SUMS.map(({ name }) => name);
const added = USAGE_SUMS.map((sum) => `${sum.added} AS ${sum.name}`);
const stored = USAGE_SUMS.map((sum) => `-(${sum.stored})`);

/**
 * Updates the sums by the difference between an entry and the reply's stored row: adds the entry's numbers and
 * subtracts those of the row, which may belong to another day or model. No effect for an entry older than the row.
 */
const addToDays = (
  ifKnown: string,
): string => `INSERT INTO usage_days (tenant_id, day, agent_id, model_name, ${names.join(", ")})
  SELECT ?2, day, agent_id, model_name, ${names.map((name) => `sum(${name})`).join(", ")}
  FROM (SELECT ?7 AS day, ?5 AS agent_id, ?6 AS model_name, ${added.join(", ")}
    UNION ALL SELECT day, agent_id, model_name, ${stored.join(", ")}
    FROM usage WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4)
  ${ifKnown} AND NOT EXISTS (SELECT 1 FROM usage
    WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4 AND entry >= ?3)
  GROUP BY day, agent_id, model_name
  ON CONFLICT (tenant_id, day, agent_id, model_name) DO UPDATE SET
  ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}
  WHERE (${names.map((name) => `excluded.${name}`).join(", ")}) <> (${names.map(() => "0").join(", ")})`;

const putRow = (
  ifKnown: string,
  endUser: string,
): string => `INSERT INTO usage (session_id, tenant_id, entry, reply_id, agent_id, model_name,
  day, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens, cost, replies,
  audio_input_ms, audio_output_ms, audio_input_tokens, audio_output_tokens, end_user_id)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
  ${endUser} ${ifKnown}
  ON CONFLICT (tenant_id, session_id, reply_id) DO UPDATE SET entry = excluded.entry,
  agent_id = excluded.agent_id, model_name = excluded.model_name, day = excluded.day,
  input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
  cache_input_tokens = excluded.cache_input_tokens,
  cache_creation_input_tokens = excluded.cache_creation_input_tokens, cost = excluded.cost,
  replies = excluded.replies, audio_input_ms = excluded.audio_input_ms,
  audio_output_ms = excluded.audio_output_ms, audio_input_tokens = excluded.audio_input_tokens,
  audio_output_tokens = excluded.audio_output_tokens, end_user_id = excluded.end_user_id
  WHERE excluded.entry > usage.entry`;

const OF_SESSION = [
  addToEndUsers(IF_KNOWN, END_USER),
  addToDays(IF_KNOWN),
  putRow(IF_KNOWN, END_USER),
];
const NOTE_HOUR = noteSpeechHour(IF_KNOWN);

const IF_STORE = "WHERE EXISTS (SELECT 1 FROM memory_stores WHERE id = ?1 AND tenant_id = ?2)";
const OF_STORE = [addToDays(IF_STORE), putRow(IF_STORE, "NULL")];

/** Also while the room is being erased, because it is billed; nobody's from then on. */
const IF_ROOM = "WHERE EXISTS (SELECT 1 FROM rooms WHERE id = ?1 AND tenant_id = ?2)";
const SPEAKER = `(SELECT end_user_id FROM room_members JOIN rooms ON rooms.id = room_id
  WHERE room_id = ?1 AND room_members.tenant_id = ?2 AND name = ?18 AND deleted_at IS NULL)`;
const OF_SPEAKER = [addToEndUsers(IF_ROOM, SPEAKER), putRow(IF_ROOM, SPEAKER)] as const;
const OF_ROOM = addToDays(IF_ROOM);
const NOTE_ROOM_HOUR = noteSpeechHour(IF_ROOM);

/** Writes only the usage of the entries. @throws when D1 fails or refuses a row. */
export async function deliverUsage(
  database: D1Database,
  entries: readonly UsageEntry[],
): Promise<void> {
  const statements = entries.flatMap((entry) => putUsage(database, entry));
  if (statements.length > 0) await database.batch(statements);
}

/**
 * Statements for one transaction, in this order: the sums, which read the stored row, then the row. None for a reply
 * without model calls.
 */
export function putUsage(database: D1Database, entry: UsageEntry): readonly D1PreparedStatement[] {
  const { usage } = entry;
  const isSpeech = entry.replies === 0 && usage?.audio !== undefined;
  const note = isSpeech
    ? [database.prepare(NOTE_HOUR).bind(...valuesOf(entry, usage), hourOf(entry))]
    : [];
  return [...note, ...statementsOf(database, OF_SESSION, entry)];
}

/**
 * Writes what a job of a memory store has used so far, its id in the place of a session's. It is the tenant's usage, of no
 * end user: a key has ordered it. Also while the store is being erased, because it is billed.
 * @throws when D1 fails or refuses a row.
 */
export async function deliverStoreUsage(
  database: D1Database,
  {
    store_id,
    ...entry
  }: Omit<UsageEntry, "session_id" | "replies"> & { readonly store_id: string },
): Promise<void> {
  const job: UsageEntry = { ...entry, session_id: store_id, replies: 0 };
  const statements = statementsOf(database, OF_STORE, job);
  if (statements.length > 0) await database.batch([...statements]);
}

/** The speech of a person in a room, which stands in the place of the session and of the agent. */
export interface RoomSpeech extends Pick<
  UsageEntry,
  "tenant_id" | "reply_id" | "at" | "cost" | "model_name"
> {
  readonly room_id: string;
  readonly participant: string;
  readonly usage: Usage;
}

/**
 * Writes the speech of people in rooms, each turn once: an entry that is there stays as it is.
 * @throws when D1 fails or refuses a row.
 */
export async function deliverRoomSpeech(
  database: D1Database,
  entries: readonly RoomSpeech[],
): Promise<void> {
  const statements = entries.flatMap(({ room_id, participant, ...speech }) => {
    const owner = { session_id: room_id, agent_id: room_id };
    const entry: UsageEntry = { ...speech, ...owner, entry: 1, replies: 0 };
    const values = valuesOf(entry, speech.usage);
    const [addToEndUser, putSpeech] = OF_SPEAKER;
    return [
      database.prepare(NOTE_ROOM_HOUR).bind(...values, hourOf(entry)),
      database.prepare(addToEndUser).bind(...values, participant),
      database.prepare(OF_ROOM).bind(...values),
      database.prepare(putSpeech).bind(...values, participant),
    ];
  });
  if (statements.length > 0) await database.batch(statements);
}

function hourOf({ at }: Pick<UsageEntry, "at">): string {
  return at.slice(0, "YYYY-MM-DDTHH".length);
}

function statementsOf(
  database: D1Database,
  queries: readonly string[],
  entry: UsageEntry,
): readonly D1PreparedStatement[] {
  if (!entry.usage) return [];
  const values = valuesOf(entry, entry.usage);
  return queries.map((query) => database.prepare(query).bind(...values));
}

function valuesOf({ replies = 1, ...entry }: UsageEntry, usage: Usage): (string | number | null)[] {
  const audio = replies === 0 ? usage.audio : undefined;
  return [
    entry.session_id,
    entry.tenant_id,
    entry.entry,
    entry.reply_id,
    entry.agent_id,
    entry.model_name,
    entry.at.slice(0, "YYYY-MM-DD".length),
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_input_tokens,
    usage.cache_creation_input_tokens,
    entry.cost,
    replies,
    audio?.input_ms ?? 0,
    audio?.output_ms ?? 0,
    audio?.input_tokens ?? 0,
    audio?.output_tokens ?? 0,
  ];
}
