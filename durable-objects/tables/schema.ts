// Creates and migrates a session's tables: a new object gets the newest schema at once, an older one by migrations.
import { SESSION_SCHEMA } from "./session-schema.ts";

/** The version of the baseline. Lower numbers were used before it, by tables that this code does not know. */
export const BASELINE_VERSION = 100;

export interface SessionSchema {
  /** The statements that make all tables in a new object: the baseline with all migrations. */
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

/** From the baseline to today, in this order. */
export const MIGRATIONS: readonly string[] = [
  RUNS_HAVE_PARTS,
  ADD_DIAGNOSTICS,
  ADD_QUESTIONS,
  ADD_MODEL_OPTIONS,
  ADD_COMPRESSIONS,
  MARK_AUTOMATIC_DECISIONS,
];

const CURRENT: SessionSchema = { tables: SESSION_SCHEMA, migrations: MIGRATIONS };

/** Whether the session was ever created. Asks the catalogue only, so it creates no storage. */
export function hasSchema(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").toArray().length > 0;
}

/**
 * Migrates the tables to the newest version, forward only, in one transaction. Tables of a newer version stay as they
 * are. @throws when a migration fails, and for tables from before the baseline.
 */
export function migrate(
  storage: DurableObjectStorage,
  { tables, migrations }: SessionSchema = CURRENT,
): void {
  const { sql } = storage;
  const reach = (version: number, statements: string): void => {
    sql.exec(statements);
    sql.exec("INSERT INTO schema_version (version) VALUES (?)", version);
  };
  storage.transactionSync(() => {
    if (!hasSchema(sql)) {
      reach(BASELINE_VERSION + migrations.length, tables);
      return;
    }
    const { version } = sql
      .exec<{ version: number }>("SELECT max(version) AS version FROM schema_version")
      .one();
    if (version < BASELINE_VERSION) {
      throw new Error(
        `the session's tables have version ${version}, from before the baseline ${BASELINE_VERSION}: they cannot be migrated`,
      );
    }
    migrations.slice(version - BASELINE_VERSION).forEach((statements, index) => {
      reach(version + index + 1, statements);
    });
  });
}
