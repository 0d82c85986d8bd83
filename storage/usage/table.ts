// The tables of usage.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Speech that was heard and said: milliseconds, and the tokens among the others that were audio. */
const audio = () => ({
  audio_input_ms: integer().notNull().default(0),
  audio_output_ms: integer().notNull().default(0),
  audio_input_tokens: integer().notNull().default(0),
  audio_output_tokens: integer().notNull().default(0),
});

/** The tokens that one reply has used so far. Written together with the sums in `usage_days`. WITHOUT ROWID. */
export const usage = sqliteTable(
  "usage",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    reply_id: text().notNull(),
    entry: integer().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** `YYYY-MM-DD` in UTC, from the time of the entry. */
    day: text().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    /** Billionths of a US dollar; null when it is not known. */
    cost: integer(),
    /** 0 for a summary that no reply has made, and for speech. */
    replies: integer().notNull().default(1),
    ...audio(),
    /** In whose sums of `usage_end_users` the row is counted; null when in none, as after the session's deletion. */
    end_user_id: text(),
  },
  // The tenant is first, so that a tenant's rows are found without another index.
  (table) => [primaryKey({ columns: [table.tenant_id, table.session_id, table.reply_id] })],
);

/** The sums of `usage`, in the order in which a report reads them. WITHOUT ROWID. */
export const usageDays = sqliteTable(
  "usage_days",
  {
    tenant_id: text().notNull(),
    day: text().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** Zero when all of them were moved to another day or model. */
    replies: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    /** Of the replies whose cost is known, in billionths of a US dollar. */
    cost: integer().notNull().default(0),
    /** The replies whose cost is not known. */
    unpriced: integer().notNull().default(0),
    ...audio(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.day, table.agent_id, table.model_name] }),
  ],
);

/**
 * The part of the sums in `usage_days` that belongs to end users. What is in none of these rows (sessions without an end
 * user, deleted sessions, replies from before the table) is the difference of the two. WITHOUT ROWID.
 */
export const usageEndUsers = sqliteTable(
  "usage_end_users",
  {
    tenant_id: text().notNull(),
    day: text().notNull(),
    end_user_id: text().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** The rows of `usage` that are summed: those of replies and of summaries. At zero, a trigger deletes the sums. */
    entries: integer().notNull(),
    replies: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    cost: integer().notNull(),
    unpriced: integer().notNull(),
    ...audio(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant_id, table.day, table.end_user_id, table.agent_id, table.model_name],
    }),
  ],
);

/**
 * Replies that ended in an hour, with their ends, error types, times, tokens and costs, for plots. Deleted after
 * `SERIES_KEPT_DAYS`. WITHOUT ROWID.
 */
export const replyHours = sqliteTable(
  "reply_hours",
  {
    tenant_id: text().notNull(),
    /** `YYYY-MM-DDTHH` in UTC, from the time of the entry. */
    hour: text().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** Sums by name, as `storage/outbox/note-reply-hour.ts` names them. */
    counts: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.hour, table.agent_id, table.model_name] }),
    // For the sweep. Written with the first reply of an hour alone.
    index("reply_hours_hour").on(table.hour),
  ],
);
