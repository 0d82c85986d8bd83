// The tables of a room as a new object makes them. Log, messages and tokens are as a session has them.
import { definitionsOf, statementsOf } from "../tables/later/table-definitions.ts";
import { SESSION_SCHEMA } from "../tables/session-schema.ts";

const OWN_TABLES = `
  CREATE TABLE room (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- What it was opened with and was changed to, as JSON.
    init TEXT NOT NULL,
    -- 'opening' until all participants have sessions; then 'open'; 'closing' while it is deleted.
    phase TEXT NOT NULL,
    -- The fold of the log, as JSON.
    state TEXT NOT NULL,
    -- The share and the trace of the one who has spoken last, as JSON; null for neither.
    asker TEXT
  );
  -- All who have ever been there, the moderator among them.
  CREATE TABLE members (
    name TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    -- Null for a person.
    session_id TEXT,
    -- What the session's log is copied up to, and where its open reply begins in this log.
    copied_seq INTEGER NOT NULL DEFAULT 0,
    reply_seq INTEGER,
    -- What it was added with, and when it came and went, as JSON.
    body TEXT NOT NULL
  ) WITHOUT ROWID;
  -- The turns that replies were of.
  CREATE TABLE reply_turns (reply_id TEXT PRIMARY KEY, turn_id TEXT NOT NULL) WITHOUT ROWID;
  -- Sessions that nobody takes part with: those of a state that is being put, or was replaced.
  CREATE TABLE spare_sessions (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
  -- The participants as whom client tokens speak.
  CREATE TABLE token_participants (
    token_id TEXT PRIMARY KEY,
    participant TEXT
  ) WITHOUT ROWID;
`;

/** Tables of a session that a room has, too. */
const SHARED = ["events", "messages", "parts", "client_tokens"];

/** @throws when a session has no such table. */
export function roomSchema(): string {
  const definitions = definitionsOf(SESSION_SCHEMA);
  const shared = SHARED.map((name) => {
    const found = definitions.get(name);
    if (!found) throw new Error(`a session has no table ${name}`);
    return found.statements;
  });
  return `${statementsOf(OWN_TABLES).join(";\n")};\n${shared.join("")}`;
}
