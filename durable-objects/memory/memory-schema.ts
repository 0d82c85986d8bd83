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
