// Creates and migrates a session's tables: a new object gets the newest schema at once, an older one by migrations.
import { FIRST_SCHEMA, missingTables, tableNames } from "./later/later-tables.ts";
import { statementsOf } from "./later/table-definitions.ts";
import { ADD_A2A_PUSHES } from "./a2a-tables.ts";
import { ADD_RESTORES } from "./restore-table.ts";

/** The version of the baseline. Lower numbers were used before it, by tables that this code does not know. */
export const BASELINE_VERSION = 100;

export interface TableSchema {
  /** The statements that make the tables of a new object, as the baseline with all migrations would. */
  readonly tables: string;
  /** The first one leads from the baseline to the version behind it. One that was released never changes. */
  readonly migrations: readonly string[];
}

/** 101: a run has parts. The key of a table without row ids cannot be changed: the table is made anew. */
const RUNS_HAVE_PARTS = `
  ALTER TABLE runs RENAME TO whole_runs;
  CREATE TABLE runs (
    run_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    reply_id TEXT NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER,
    left_messages TEXT,
    PRIMARY KEY (run_id, part)
  ) WITHOUT ROWID;
  INSERT INTO runs (run_id, part, reply_id, from_seq, to_seq)
    SELECT run_id, 1, reply_id, from_seq, to_seq FROM whole_runs;
  DROP TABLE whole_runs;
`;

/** 102: diagnostics. */
const ADD_DIAGNOSTICS = `
  CREATE TABLE diagnostics (
    reply_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    slot INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (reply_id, kind, slot)
  ) WITHOUT ROWID;
`;

/** 103: the question of a call that waits for a person. */
const ADD_QUESTIONS = "ALTER TABLE tool_calls ADD COLUMN question TEXT;";

/** 104: how a reply's models are called. */
const ADD_MODEL_OPTIONS = `
  ALTER TABLE replies ADD COLUMN model_options TEXT;
  ALTER TABLE queued_replies ADD COLUMN model_options TEXT;
`;

/** 105: compressions of the context that requests ask for, and the usage of those that no reply made. */
const ADD_COMPRESSIONS = `
  CREATE TABLE compression (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    summary_id TEXT,
    instructions TEXT,
    failure TEXT
  );
  ALTER TABLE outbox ADD COLUMN usage TEXT;
`;

/** 106: which decisions D1 does not list. */
const MARK_AUTOMATIC_DECISIONS =
  "ALTER TABLE decisions ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0;";

/** 107: changes of the plans, which webhooks are told. */
const ADD_PLANS = "ALTER TABLE outbox ADD COLUMN plan TEXT;";

/** 108: what the model sees of messages that hooks have changed. */
const ADD_CHANGED_MESSAGES = `
  CREATE TABLE changed_messages (
    message_id TEXT PRIMARY KEY,
    content TEXT NOT NULL
  ) WITHOUT ROWID;
`;

/** 109: why a call asks, and what a person may edit. */
const ADD_REASONS = "ALTER TABLE tool_calls ADD COLUMN asked TEXT;";

/** 110: what a reply knows of MCP servers. */
const ADD_MCP_SERVERS = `
  CREATE TABLE mcp_servers (
    server_id TEXT PRIMARY KEY,
    reply_id TEXT,
    pin TEXT,
    settings TEXT,
    confirmed_at INTEGER NOT NULL DEFAULT 0,
    session TEXT
  ) WITHOUT ROWID;
`;

/** 111: what a call asks a person for, and what it continues with. */
const ADD_ELICITATIONS = `
  ALTER TABLE tool_calls ADD COLUMN elicitation TEXT;
  ALTER TABLE tool_calls ADD COLUMN request TEXT;
`;

/** 112: the high-water mark of seqs goes along with the rows of the log. */
const MOVE_RESERVED_SEQ = `
  ALTER TABLE events ADD COLUMN reserved_seq INTEGER;
  UPDATE events SET reserved_seq = (SELECT reserved_seq FROM session)
    WHERE seq = (SELECT max(seq) FROM events);
  ALTER TABLE session DROP COLUMN reserved_seq;
`;

/**
 * 113: the last calls of a reply are in its row, and an open reply is found by its id. Which of the earlier ones were late
 * matters for the open one alone.
 */
const SHRINK_REPLIES = `
  ALTER TABLE replies ADD COLUMN calls TEXT;
  ALTER TABLE replies ADD COLUMN is_late INTEGER;
  UPDATE replies SET is_late = 1
    WHERE status IN ('running', 'awaiting_permission', 'awaiting_external_result');
  DROP INDEX IF EXISTS open_replies;
  CREATE INDEX late_replies ON replies (status) WHERE is_late = 1;
`;

/** 114: which runs of AG-UI are in forks. */
const ADD_FORKED_RUNS = `
  CREATE TABLE forked_runs (
    run_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL
  ) WITHOUT ROWID;
`;

/** 115: the calls that waited when an entry was written. */
const ADD_ANNOUNCED_CALLS = "ALTER TABLE outbox ADD COLUMN calls TEXT;";

/** 116: whom a share binds. */
const ADD_SHARES = "ALTER TABLE replies ADD COLUMN share TEXT;";

/** 117: background tasks, and how many replies they have begun since the last message of a person. */
const ADD_BACKGROUND_TASKS = `
  CREATE TABLE background_tasks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tool_call_id TEXT NOT NULL UNIQUE,
    reply_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    status TEXT NOT NULL,
    waits_for TEXT,
    max_bytes INTEGER NOT NULL,
    untrusted TEXT,
    message TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    fingerprint TEXT,
    kept BLOB,
    parts INTEGER NOT NULL DEFAULT 0,
    wake TEXT,
    woken_reply_id TEXT
  );
  ALTER TABLE session ADD COLUMN wakes INTEGER NOT NULL DEFAULT 0;
`;

/** 118: replies of which memories are still to be recorded. */
const ADD_RECORDINGS = `
  CREATE TABLE recordings (
    reply_id TEXT PRIMARY KEY,
    untrusted TEXT,
    is_of_user INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    answer TEXT
  ) WITHOUT ROWID;
`;

/** 119: the agents that calls have called. */
const ADD_CHILDREN = `
  CREATE TABLE children (
    tool_call_id TEXT PRIMARY KEY,
    reply_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    look_at INTEGER,
    body TEXT NOT NULL
  ) WITHOUT ROWID;
`;

/** 120: what called agents tell their callers. */
const ADD_SUBAGENT_EVENTS = `
  ALTER TABLE children ADD COLUMN copied TEXT;
  CREATE INDEX children_of_replies ON children (reply_id);
  CREATE INDEX children_due ON children (look_at) WHERE look_at IS NOT NULL;
  CREATE TABLE subagent_questions (
    reply_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    ended TEXT,
    body TEXT,
    PRIMARY KEY (reply_id, call_id)
  ) WITHOUT ROWID;
  CREATE INDEX open_questions ON subagent_questions (tool_call_id) WHERE ended IS NULL;
`;

/** From the baseline to today, in this order. */
export const MIGRATIONS: readonly string[] = [
  RUNS_HAVE_PARTS,
  ADD_DIAGNOSTICS,
  ADD_QUESTIONS,
  ADD_MODEL_OPTIONS,
  ADD_COMPRESSIONS,
  MARK_AUTOMATIC_DECISIONS,
  ADD_PLANS,
  ADD_CHANGED_MESSAGES,
  ADD_REASONS,
  ADD_MCP_SERVERS,
  ADD_ELICITATIONS,
  MOVE_RESERVED_SEQ,
  SHRINK_REPLIES,
  ADD_FORKED_RUNS,
  ADD_ANNOUNCED_CALLS,
  ADD_SHARES,
  ADD_BACKGROUND_TASKS,
  ADD_RECORDINGS,
  ADD_CHILDREN,
  ADD_SUBAGENT_EVENTS,
  ADD_A2A_PUSHES,
  ADD_RESTORES,
];

/** The version of the tables that this code makes. */
export const SCHEMA_VERSION = BASELINE_VERSION + MIGRATIONS.length;

const CURRENT: TableSchema = { tables: FIRST_SCHEMA, migrations: MIGRATIONS };

/** Whether the session was ever created. Asks the catalogue only, so it creates no storage. */
export function hasSchema(sql: SqlStorage): boolean {
  return tableNames(sql).has("schema_version");
}

/**
 * Migrates the tables to the newest version, forward only, in one transaction. Tables of a newer version stay as they
 * are. @throws when a migration fails, and for tables from before the baseline.
 */
export function migrate(
  storage: DurableObjectStorage,
  { tables, migrations }: TableSchema = CURRENT,
): void {
  const { sql } = storage;
  const reach = (version: number): void => {
    sql.exec("INSERT INTO schema_version (version) VALUES (?)", version);
  };
  storage.transactionSync(() => {
    if (!hasSchema(sql)) {
      sql.exec(tables);
      reach(BASELINE_VERSION + migrations.length);
      return;
    }
    const { version, noted } = sql
      .exec<{ version: number; noted: number | null }>(
        `SELECT max(version) AS version,
         (SELECT max(version) FROM schema_version WHERE version < 0) AS noted FROM schema_version`,
      )
      .one();
    if (version < BASELINE_VERSION) {
      throw new Error(
        `the session's tables have version ${version}, from before the baseline ${BASELINE_VERSION}: they cannot be migrated`,
      );
    }
    const isNewest = BASELINE_VERSION + migrations.length >= version;
    if (noted !== null && isNewest) {
      addColumns(sql, migrations.slice(-noted - BASELINE_VERSION, version - BASELINE_VERSION));
      sql.exec("DELETE FROM schema_version WHERE version < 0");
    }
    migrations.slice(version - BASELINE_VERSION).forEach((statements, index) => {
      for (const statement of statementsOf(statements)) migrateTable(sql, statement);
      reach(version + index + 1);
    });
  });
}

const CHANGE =
  /^(?:ALTER TABLE|DROP TABLE|CREATE INDEX \w+ ON|INSERT INTO|UPDATE|DELETE FROM) (\w+)/;

/** A table that is made later is made in its newest form. */
function migrateTable(sql: SqlStorage, statement: string): void {
  const table = CHANGE.exec(statement)?.[1];
  if (table === undefined || !missingTables(sql).has(table)) sql.exec(statement);
}

/**
 * Adds what migrations that are over have added to tables which an older version has made since, see
 * `makeTablesWhenNeeded`.
 */
function addColumns(sql: SqlStorage, migrations: readonly string[]): void {
  for (const statement of migrations.flatMap(statementsOf)) {
    const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(statement) ?? [];
    const has = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?";
    if (table === undefined || sql.exec(has, table, column).toArray().length > 0) continue;
    migrateTable(sql, statement);
  }
}
