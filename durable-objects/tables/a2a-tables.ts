// The tables of a session about clients of A2A: where they are told of their tasks, and what they are still to be told.

export const A2A_TABLES = `  CREATE TABLE a2a_push_configs (
    reply_id TEXT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    -- The secrets are sealed; null for none.
    token TEXT,
    scheme TEXT,
    credentials TEXT,
    -- Unix times in milliseconds: when the next job is sent, null while nothing is to be told; and before which there is no attempt.
    due_at INTEGER,
    retry_at INTEGER,
    -- Jobs since the last attempt, and all that it was to be told.
    jobs INTEGER NOT NULL DEFAULT 0,
    pushes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (reply_id, id)
  ) WITHOUT ROWID;
  -- In the order of their numbers. An artifact stays, so that it is told once; a status goes when it is told.
  CREATE TABLE a2a_pushes (
    reply_id TEXT NOT NULL,
    config_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    -- A finished artifact; null for a status.
    artifact_id TEXT,
    status TEXT,
    -- When it became so, ISO 8601.
    at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- 1 when nothing is left to do for it.
    is_over INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (reply_id, config_id, number)
  ) WITHOUT ROWID;
`;

/** 121: tasks of A2A, and where their clients are told of them. */
export const ADD_A2A_PUSHES = `
  ALTER TABLE replies ADD COLUMN a2a TEXT;
  CREATE TABLE a2a_push_configs (
    reply_id TEXT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    token TEXT,
    scheme TEXT,
    credentials TEXT,
    due_at INTEGER,
    retry_at INTEGER,
    jobs INTEGER NOT NULL DEFAULT 0,
    pushes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (reply_id, id)
  ) WITHOUT ROWID;
  CREATE TABLE a2a_pushes (
    reply_id TEXT NOT NULL,
    config_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    artifact_id TEXT,
    status TEXT,
    at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (reply_id, config_id, number)
  ) WITHOUT ROWID;
`;
