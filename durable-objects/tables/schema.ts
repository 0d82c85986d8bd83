// How the tables of one session come to be what `session-schema.ts` says: at once in a new object, step by step in one
// that is older.
import { SESSION_SCHEMA } from "./session-schema.ts";

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    init TEXT NOT NULL,
    -- The high-water mark: no event has a greater seq, whatever was lost.
    reserved_seq INTEGER NOT NULL DEFAULT 0
  );
  -- One row per batch, as finished wire frames; the key is the seq of the batch's last event.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    frames BLOB NOT NULL,
    -- How many pieces follow in "parts".
    parts INTEGER NOT NULL DEFAULT 0
  );
  -- One row per message; the position is the seq of the event that brought it.
  CREATE TABLE messages (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- The reply that read it (user) or made it (assistant).
    reply_id TEXT,
    -- The seq that the body is folded to.
    cursor INTEGER NOT NULL,
    body BLOB NOT NULL,
    parts INTEGER NOT NULL DEFAULT 0
  );
  -- What does not fit into one row of "events" (owner 'event') or "messages" (owner 'message').
  CREATE TABLE parts (
    owner TEXT NOT NULL,
    key INTEGER NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (owner, key, part)
  ) WITHOUT ROWID;
  CREATE TABLE replies (
    id TEXT PRIMARY KEY,
    -- Grows with every change of hands; a runner with an older one may not write.
    epoch INTEGER NOT NULL,
    status TEXT NOT NULL,
    -- The seq before REPLY_START, and the last one of a reply that ended or waits.
    start_cursor INTEGER NOT NULL,
    end_seq INTEGER,
    -- What it runs with, whatever the session is changed to meanwhile.
    agent_version INTEGER NOT NULL,
    model_name TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  -- The steps of the replies that recovery has to know of, keyed by the seq of their first event.
  CREATE TABLE steps (
    started_seq INTEGER PRIMARY KEY,
    reply_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Null while the step is open.
    finished_seq INTEGER
  );
  CREATE TABLE tool_calls (
    id TEXT PRIMARY KEY,
    reply_id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- pending, asking, submitted, started, or the state of its result.
    state TEXT NOT NULL,
    seq INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- What D1 has to be told, until it has it; the key is the seq at which it was true.
  CREATE TABLE outbox (
    entry INTEGER PRIMARY KEY,
    reply_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL
  );
  CREATE TABLE timers (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
  `,
  `
  -- What the open reply began with, while the session is set to something newer; null when that is the same.
  ALTER TABLE session ADD COLUMN reply_init TEXT;
  -- Of a call that was asked about or handed out: what it was asked with, until when it waits, and the answer.
  ALTER TABLE tool_calls ADD COLUMN input_hash TEXT;
  ALTER TABLE tool_calls ADD COLUMN expires_at TEXT;
  ALTER TABLE tool_calls ADD COLUMN answer TEXT;
  -- The session's own rules; ids sort by time.
  CREATE TABLE permission_rules (
    id TEXT PRIMARY KEY,
    rule TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL
  ) WITHOUT ROWID;
  -- Which events of the log decided about which calls; what they decided stands there.
  CREATE TABLE decisions (
    seq INTEGER NOT NULL,
    -- Among those of its event.
    position INTEGER NOT NULL,
    -- 1 when the answer changed the input.
    is_edited INTEGER NOT NULL,
    PRIMARY KEY (seq, position)
  ) WITHOUT ROWID;
  CREATE TABLE client_tokens (
    id TEXT PRIMARY KEY,
    -- Unix time in milliseconds.
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) WITHOUT ROWID;
  `,
  `
  -- Replies that were accepted while another one was open; they begin in this order.
  CREATE TABLE queued_replies (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    -- The position of the log when it was accepted.
    cursor INTEGER NOT NULL,
    -- The ids of the messages in "body", as JSON.
    message_ids TEXT NOT NULL,
    -- Null for one that is going to run; else the accepted events that end it as soon as it begins, as JSON.
    ended_by TEXT,
    -- Of the whole body.
    bytes INTEGER NOT NULL,
    -- What it begins with, as JSON; what does not fit is in "parts" (owner 'queued_reply').
    body BLOB NOT NULL,
    parts INTEGER NOT NULL DEFAULT 0
  );
  -- Replies begin out of the order of their ids where one was queued and another began at once.
  CREATE INDEX open_replies ON replies (status)
    WHERE status IN ('running', 'awaiting_permission', 'awaiting_external_result');
  -- What was done for the Idempotency-Key of a request, written with the act.
  CREATE TABLE idempotency_keys (
    -- The operation with the client's key.
    key TEXT PRIMARY KEY,
    -- The hash of what was asked.
    fingerprint TEXT NOT NULL,
    -- What the answer is made of again; never a secret.
    answer TEXT NOT NULL,
    -- Unix time in milliseconds.
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- How often the reply was recovered, and how often it had come no step further since the time before.
  ALTER TABLE replies ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replies ADD COLUMN attempts_without_progress INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replies ADD COLUMN steps_at_recovery INTEGER NOT NULL DEFAULT 0;
  -- Of one that was recovered and has no runner yet: when it gets one. Times are Unix milliseconds.
  ALTER TABLE replies ADD COLUMN not_before INTEGER;
  -- How long it ran until it last waited or was lost, and since when it runs.
  ALTER TABLE replies ADD COLUMN run_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replies ADD COLUMN running_since INTEGER;
  -- Failed tries of the model call at one place of the reply, and when the next may be made.
  ALTER TABLE replies ADD COLUMN failed_tries INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replies ADD COLUMN tries_place INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE replies ADD COLUMN retry_at INTEGER;
  `,
  `
  -- What the app and the agent share, as it is now; no row before it is first changed.
  CREATE TABLE shared_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    state TEXT NOT NULL,
    version INTEGER NOT NULL
  );
  `,
  `
  -- Which part of which reply a client's run is.
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    reply_id TEXT NOT NULL,
    -- The seq before its first event, and the last one of its reply when that waited or ended.
    from_seq INTEGER NOT NULL,
    to_seq INTEGER
  ) WITHOUT ROWID;
  -- The shared state as it was when replies began.
  CREATE TABLE shared_state_versions (
    version INTEGER PRIMARY KEY,
    state TEXT NOT NULL
  );
  -- Of the event that made the version.
  ALTER TABLE shared_state ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  -- The trace of the request that lets the reply run, as JSON.
  ALTER TABLE replies ADD COLUMN trace TEXT;
  `,
  `
  -- How often a machine has begun with what was left to do, and was not heard of again.
  ALTER TABLE replies ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE queued_replies ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outbox ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE timers ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- When D1 last said what the session's credentials are. Unix milliseconds; null before it was asked.
  ALTER TABLE session ADD COLUMN credentials_confirmed_at INTEGER;
  `,
  `
  -- What a token may do and from where, as JSON, when it was minted, and by which API key.
  ALTER TABLE client_tokens ADD COLUMN verbs TEXT;
  ALTER TABLE client_tokens ADD COLUMN allowed_origins TEXT;
  ALTER TABLE client_tokens ADD COLUMN created_at TEXT;
  ALTER TABLE client_tokens ADD COLUMN key_id TEXT;
  `,
  `
  -- The states of abilities, the shared state among them.
  CREATE TABLE ability_states (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    -- Of the event that changed it last.
    seq INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO ability_states (name, state, seq)
    SELECT 'shared_state', '{"state":' || state || ',"version":' || version || '}', seq FROM shared_state;
  DROP TABLE shared_state;
  `,
];

/** Whether the session was ever created. Asks the catalogue only, so it creates no storage. */
export function hasSchema(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").toArray().length > 0;
}

/**
 * Brings the tables to a version, forward only; all of it or nothing. A new object skips the steps: changing a table
 * that nobody has written to takes as long as making it.
 */
export function migrate(storage: DurableObjectStorage, version = MIGRATIONS.length): void {
  const { sql } = storage;
  const reach = (reached: number, statements: string): void => {
    sql.exec(statements);
    sql.exec("INSERT INTO schema_version (version) VALUES (?)", reached);
  };
  storage.transactionSync(() => {
    if (!hasSchema(sql) && version === MIGRATIONS.length) {
      reach(version, SESSION_SCHEMA);
      return;
    }
    const done = hasSchema(sql)
      ? sql.exec<{ version: number }>("SELECT max(version) AS version FROM schema_version").one()
          .version
      : 0;
    MIGRATIONS.slice(done, version).forEach((statements, index) => {
      reach(done + index + 1, statements);
    });
  });
}
