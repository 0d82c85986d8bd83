// The tables of a session about work that others do for it: background tasks, MCP servers, called agents.
export const OUTSIDE_TABLES = `  -- Calls that may be let go, and those that were: background tasks.
  CREATE TABLE background_tasks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tool_call_id TEXT NOT NULL UNIQUE,
    reply_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    -- 'attached' while its call waits for it; then 'working', 'completed', 'failed' or 'cancelled'.
    status TEXT NOT NULL,
    -- 'request' or 'callback'; null while it is attached.
    waits_for TEXT,
    -- Bytes that a result which is posted may have.
    max_bytes INTEGER NOT NULL,
    -- The source of its result as JSON, when that is not trusted.
    untrusted TEXT,
    -- Why there is no result.
    message TEXT,
    -- Unix times in milliseconds.
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    -- Of the result that was posted.
    fingerprint TEXT,
    -- As JSON: the result that was posted to an attached call; the message with which a reply is to begin.
    kept BLOB,
    parts INTEGER NOT NULL DEFAULT 0,
    -- 'due' while its end has still to begin a reply, 'paused' when that waits for a person; else null.
    wake TEXT,
    woken_reply_id TEXT
  );
  -- The MCP servers of the open reply, or of the last one.
  CREATE TABLE mcp_servers (
    server_id TEXT PRIMARY KEY,
    -- The reply that is pinned to this catalogue, and the catalogue as JSON.
    reply_id TEXT,
    pin TEXT,
    -- The server's settings with its sealed credentials, as D1 had them then (Unix milliseconds).
    settings TEXT,
    confirmed_at INTEGER NOT NULL DEFAULT 0,
    -- The session that a stateful server has given, as JSON.
    session TEXT
  ) WITHOUT ROWID;
  -- The agents that calls have called: each works in a session of its own.
  CREATE TABLE children (
    tool_call_id TEXT PRIMARY KEY,
    reply_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    -- When it is looked at next, in Unix milliseconds; null when nothing is left to do.
    look_at INTEGER,
    -- The session, the agent, its bounds, and what it has used, as JSON.
    body TEXT NOT NULL,
    -- The place up to which its log was copied, and the bytes of that, as JSON; null before the first.
    copied TEXT
  ) WITHOUT ROWID;
  CREATE INDEX children_of_replies ON children (reply_id);
  CREATE INDEX children_due ON children (look_at) WHERE look_at IS NOT NULL;
  -- Calls of called agents, at any depth, that have asked something.
  CREATE TABLE subagent_questions (
    -- The worker's reply, and its call.
    reply_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    -- The call of this session that it is under.
    tool_call_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    -- Null while it waits; then 'answered', or 'cancelled' with the call that it is under.
    ended TEXT,
    -- The waiting call as JSON; null when it waits no more.
    body TEXT,
    PRIMARY KEY (reply_id, call_id)
  ) WITHOUT ROWID;
  CREATE INDEX open_questions ON subagent_questions (tool_call_id) WHERE ended IS NULL;
`;
