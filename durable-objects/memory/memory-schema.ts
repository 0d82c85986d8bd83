// The tables of a memory store as a new object makes them.

// `unicode61` takes the terms that we have made for words: letters, marks, digits, and pictures with what is new in Unicode.
// `columnsize=0`: a rank of our own does without. `secure-delete`: what is deleted leaves the index at once.
export const MEMORY_SCHEMA = `
  CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at TEXT NOT NULL,
    next_place INTEGER NOT NULL,
    memories INTEGER NOT NULL,
    -- The endpoint for embeddings of the newest version of the agent that a call was of; null for none.
    embedding TEXT
  );
  CREATE TABLE memories (
    memory_id TEXT PRIMARY KEY,
    place INTEGER NOT NULL UNIQUE,
    version_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    path TEXT,
    created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX memories_path ON memories (path) WHERE path IS NOT NULL;
  CREATE TABLE versions (
    version_id TEXT PRIMARY KEY,
    memory_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    operation TEXT NOT NULL,
    path TEXT,
    source TEXT,
    untrusted TEXT,
    supersedes TEXT,
    created_at TEXT NOT NULL,
    redacted_at TEXT,
    content_sha256 TEXT,
    content TEXT
  ) WITHOUT ROWID;
  CREATE INDEX versions_memory ON versions (memory_id, version);
  CREATE INDEX versions_content ON versions (content_sha256) WHERE content_sha256 IS NOT NULL;
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    record_id TEXT NOT NULL UNIQUE,
    outcomes TEXT NOT NULL
  );
  CREATE TABLE vectors (
    slot INTEGER PRIMARY KEY,
    memory_id TEXT NOT NULL UNIQUE,
    vector BLOB NOT NULL
  );
  CREATE TABLE codes (number INTEGER PRIMARY KEY, codes BLOB NOT NULL);
  CREATE TABLE vector_model (id INTEGER PRIMARY KEY CHECK (id = 1), model TEXT NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(
    plain, pairs, parts,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* S* Co Cn'",
    columnsize = 0
  );
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`;

// The tables that stores of an earlier version lack: made where they are missing, each time that an object starts.
export const LATER_MEMORY_SCHEMA = `
  CREATE TABLE IF NOT EXISTS timers (
    kind TEXT PRIMARY KEY,
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS consolidations (
    consolidation_id TEXT PRIMARY KEY,
    request_id TEXT,
    status TEXT NOT NULL,
    -- The model's name, and what the request has asked for.
    request TEXT NOT NULL,
    -- The class of memories that the next batch is of, and the last one of the batch before; null once all are done.
    place TEXT,
    -- The changes that a model has chosen for the next batch; null before.
    choice TEXT,
    tries INTEGER NOT NULL,
    counts TEXT NOT NULL,
    -- What its model calls have used, and how many of them D1 was told of.
    used TEXT,
    calls INTEGER NOT NULL,
    told_calls INTEGER NOT NULL,
    error TEXT,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT
  ) WITHOUT ROWID;
  -- A memory that was taken into another one: its versions stay, behind that one.
  CREATE TABLE IF NOT EXISTS merged (
    memory_id TEXT PRIMARY KEY,
    into_id TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS merged_into ON merged (into_id);
`;

/** A text of as many bytes as a column has, in SQL, with which it is written over. */
export function blanked(column: string): string {
  return `replace(hex(zeroblob((length(CAST(${column} AS BLOB)) + 1) / 2)), '0', '-')`;
}
