// The tables of one session as a new object creates them. An object with older tables reaches the same by the
// migrations of `schema.ts`; a test compares the two. Rows are billed one by one, so nothing has an index that a read
// does not need: integer keys and WITHOUT ROWID cost one written row per write.
import { A2A_TABLES } from "./a2a-tables.ts";
import { OUTSIDE_TABLES } from "./outside-tables.ts";

export const SESSION_SCHEMA = `
  CREATE TABLE session (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    init TEXT NOT NULL,
    -- The settings of the open reply, where they differ from init; null where they do not.
    reply_init TEXT,
    -- When D1 has last confirmed the credentials in init. Unix milliseconds.
    credentials_confirmed_at INTEGER,
    -- Replies that background tasks have begun since the last message of a person.
    wakes INTEGER NOT NULL DEFAULT 0
  );
  -- One row per batch, as finished wire frames; the key is the seq of the batch's last event.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    frames BLOB NOT NULL,
    -- How many pieces follow in "parts".
    parts INTEGER NOT NULL DEFAULT 0,
    -- The high-water mark as of this row: no event has a greater seq, whatever was lost behind it. Null: its own seq.
    reserved_seq INTEGER
  );
  -- One row per message; the position is the seq of the event that added it.
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
  -- Restores of the conversation: messages at positions between these two are not in it any more.
  CREATE TABLE restores (
    -- The seq of its first event.
    at INTEGER PRIMARY KEY,
    -- The last position of which the messages stayed; 0 for none.
    kept INTEGER NOT NULL
  );
  -- What does not fit into one row of its owner: an 'event', a 'message', a 'queued_reply' or a 'background_task'.
  CREATE TABLE parts (
    owner TEXT NOT NULL,
    key INTEGER NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (owner, key, part)
  ) WITHOUT ROWID;
  CREATE TABLE replies (
    id TEXT PRIMARY KEY,
    -- The number of its execution; an execution with a lower one may not write.
    epoch INTEGER NOT NULL,
    status TEXT NOT NULL,
    -- The seq before REPLY_START, and the last one of a reply that ended or waits.
    start_cursor INTEGER NOT NULL,
    end_seq INTEGER,
    -- The version that it runs with, whatever the session is changed to meanwhile.
    agent_version INTEGER NOT NULL,
    model_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- Recoveries, and recoveries since the last progress.
    attempts INTEGER NOT NULL DEFAULT 0,
    attempts_without_progress INTEGER NOT NULL DEFAULT 0,
    steps_at_recovery INTEGER NOT NULL DEFAULT 0,
    -- When a recovered reply that has no execution yet gets one. Times are Unix milliseconds.
    not_before INTEGER,
    -- Running time until it last waited or was lost, and since when it runs.
    run_ms INTEGER NOT NULL DEFAULT 0,
    running_since INTEGER,
    -- Failed tries of the model call at one place of the reply, and when the next may be made.
    failed_tries INTEGER NOT NULL DEFAULT 0,
    tries_place INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER,
    -- The trace of the request that started or continued it, as JSON.
    trace TEXT,
    -- Attempts to restore it that crashed the object.
    begun INTEGER NOT NULL DEFAULT 0,
    -- How its models are called, where its request has said it, as JSON.
    model_options TEXT,
    -- The calls that ended with it, as "diagnostics" has others, as JSON.
    calls TEXT,
    -- 1 for one that began after a reply with a greater id; else null.
    is_late INTEGER,
    -- What binds the end user who asked for it, over the share in the tenant's quotas, as JSON; null for all others.
    share TEXT,
    -- The names of the client of A2A whose task it is, as JSON; null for all others.
    a2a TEXT
  ) WITHOUT ROWID;
  -- Replies begin out of the order of their ids where one was queued and another began at once. All others have no entry.
  CREATE INDEX late_replies ON replies (status) WHERE is_late = 1;
  CREATE TABLE tool_calls (
    id TEXT PRIMARY KEY,
    -- Of the event with which the call began, began to wait or ended: the last of these.
    seq INTEGER NOT NULL,
    -- Of a call that needs an answer: the hash of its input, until when it waits, and the answer.
    input_hash TEXT,
    expires_at TEXT,
    answer TEXT,
    -- The sentence with which a person is asked.
    question TEXT,
    -- Why it asks, and what a person may edit, as JSON.
    asked TEXT,
    -- What an MCP server asks a person for, and what the call is sent again with, as JSON.
    elicitation TEXT,
    request TEXT
  ) WITHOUT ROWID;
  -- Replies that were accepted while another one was open; they begin in this order.
  CREATE TABLE queued_replies (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    -- The position of the log when it was accepted.
    cursor INTEGER NOT NULL,
    -- The ids of the messages in "body", as JSON.
    message_ids TEXT NOT NULL,
    -- Null for one that is to run; else the accepted events that end it as soon as it begins, as JSON.
    ended_by TEXT,
    -- Of the whole body.
    bytes INTEGER NOT NULL,
    -- Its input, as JSON.
    body BLOB NOT NULL,
    parts INTEGER NOT NULL DEFAULT 0,
    -- Attempts to begin it that crashed the object.
    begun INTEGER NOT NULL DEFAULT 0,
    -- A copy of what "body" has, as JSON.
    model_options TEXT
  );
  -- The parts of AG-UI's runs: each is a range of a reply's events.
  CREATE TABLE runs (
    run_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    reply_id TEXT NOT NULL,
    -- The seq before its first event, and the last one of its reply when that waited or ended.
    from_seq INTEGER NOT NULL,
    to_seq INTEGER,
    -- Ids of new messages that came with the answers that began it, and wait for the next run, as JSON.
    left_messages TEXT,
    PRIMARY KEY (run_id, part)
  ) WITHOUT ROWID;
  -- AG-UI's runs that were asked for here and are in a fork of this session, or are to begin there.
  CREATE TABLE forked_runs (
    run_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL
  ) WITHOUT ROWID;
  -- The session's own rules; ids sort by time.
  CREATE TABLE permission_rules (
    id TEXT PRIMARY KEY,
    rule TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL
  ) WITHOUT ROWID;
  -- The index of permission decisions; the decision itself is in the event.
  CREATE TABLE decisions (
    seq INTEGER NOT NULL,
    -- Among those of its event.
    position INTEGER NOT NULL,
    -- 1 when the answer changed the input.
    is_edited INTEGER NOT NULL,
    -- 1 when a call was allowed without asking; D1 does not list such decisions.
    is_automatic INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (seq, position)
  ) WITHOUT ROWID;
  -- The states of abilities as they are now, by the ability's name; no row before one is first changed.
  CREATE TABLE ability_states (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    -- Of the event that changed it last.
    seq INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- The shared state as it was when replies began.
  CREATE TABLE shared_state_versions (
    version INTEGER PRIMARY KEY,
    state TEXT NOT NULL
  );
  CREATE TABLE client_tokens (
    id TEXT PRIMARY KEY,
    -- Unix time in milliseconds.
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    -- JSON of its verbs and origins, ISO 8601, and the API key that minted it; null in rows from before these columns.
    verbs TEXT,
    allowed_origins TEXT,
    created_at TEXT,
    key_id TEXT
  ) WITHOUT ROWID;
  -- Recorded results by Idempotency-Key, written with the act.
  CREATE TABLE idempotency_keys (
    -- The operation with the client's key.
    key TEXT PRIMARY KEY,
    -- The hash of the request.
    fingerprint TEXT NOT NULL,
    -- What a replay builds its answer from; never a secret.
    answer TEXT NOT NULL,
    -- Unix time in milliseconds.
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- Changes that D1 does not have yet; the key is the seq of the change.
  CREATE TABLE outbox (
    entry INTEGER PRIMARY KEY,
    reply_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- Attempts to deliver it that crashed the object.
    begun INTEGER NOT NULL DEFAULT 0,
    -- Of a summary that no reply has made, whose id is "reply_id": its model and usage, as JSON; null for a reply.
    usage TEXT,
    -- Of a change of the plans, whose reply may be "": what webhooks are told, as JSON; null for everything else.
    plan TEXT,
    -- Of a reply that waits: its calls then, as webhooks are told of them, as JSON; null for everything else.
    calls TEXT
  );
  -- A compression of the context that a request waits for, and how the last one failed; else no row.
  CREATE TABLE compression (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The id that the summary will have; null when no request waits.
    summary_id TEXT,
    -- What the summary should attend to, as the request says.
    instructions TEXT,
    -- The failure with its time, as JSON; null when the last compression did not fail.
    failure TEXT
  );
  -- Replies of which it is still to be recorded what their agent remembers.
  CREATE TABLE recordings (
    -- Sorted by time.
    reply_id TEXT PRIMARY KEY,
    -- The source of untrusted content that was in its context, as JSON; null for none.
    untrusted TEXT,
    -- An end user, or a page, has asked for the reply: 1, or 0.
    is_of_user INTEGER NOT NULL,
    -- Tries whose store did not answer.
    tries INTEGER NOT NULL DEFAULT 0,
    -- The memories that a model has chosen, and what that has used, as JSON; null before.
    answer TEXT
  ) WITHOUT ROWID;
  -- What the model sees of messages that hooks have changed; the messages stay as they were written.
  CREATE TABLE changed_messages (
    message_id TEXT PRIMARY KEY,
    -- The blocks, as JSON.
    content TEXT NOT NULL
  ) WITHOUT ROWID;
  -- Model calls and tool calls of replies, for diagnostics; the newest ones of each reply.
  CREATE TABLE diagnostics (
    reply_id TEXT NOT NULL,
    -- 'model', 'tool', or 'summary': what a compression of the context has cost.
    kind TEXT NOT NULL,
    -- The number's place among as many as are kept: a new row replaces the oldest.
    slot INTEGER NOT NULL,
    -- Counts the calls of its kind in the reply from 1.
    number INTEGER NOT NULL,
    -- The call, as JSON.
    body TEXT NOT NULL,
    PRIMARY KEY (reply_id, kind, slot)
  ) WITHOUT ROWID;
${OUTSIDE_TABLES}${A2A_TABLES}  CREATE TABLE timers (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    -- Attempts to handle it that failed or crashed the object.
    begun INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  -- The version that the tables were made in, and each that they were migrated to since.
  CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
`;
