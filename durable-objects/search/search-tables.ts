// The tables of a tenant's search index: SQLite's full-text search over terms (`protocol/search/search-terms.ts`), in which a
// session's row has its place in the order of creation. A search goes through that order from the newest on and stops at
// the end of its page, whatever number of sessions have its words.
import { OPENING_ATTEMPTS } from "../../protocol/search/limits.ts";
import { toMatch, type phrasesOf } from "../../protocol/search/search-query.ts";
import { termsOf } from "../../protocol/search/search-terms.ts";
import type { IndexedSession } from "../../storage/search/search-work.ts";
import type { SessionPosition } from "../../storage/sessions/session-position.ts";
import type { Found, SearchRequest } from "../api/search-api.ts";

// `columnsize=0`: the sizes of columns are for a rank by relevance, which a list in the order of time has no use for.
// `secure-delete`: what is deleted leaves the index at once, and not when its parts are next merged.
const SCHEMA = `
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    made TEXT NOT NULL,
    -- The oldest session that was indexed, while there are older ones; else null.
    before_time TEXT,
    before_id TEXT
  );
  CREATE TABLE indexed_sessions (
    place INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    -- Times that the session may still be asked for its first message; 0 when it is indexed.
    attempts INTEGER NOT NULL
  );
  CREATE INDEX indexed_sessions_unread ON indexed_sessions (attempts, place) WHERE attempts > 0;
  CREATE VIRTUAL TABLE words USING fts5(title, opening, tokenize = 'ascii', columnsize = 0);
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`;

/** Places of one millisecond. Times in milliseconds have 41 bits, and exact numbers 53. */
const PLACES_OF_A_MILLISECOND = 4_096;
const LAST_PLACE = Number.MAX_SAFE_INTEGER;

interface IndexProgress {
  readonly made: string;
  readonly before: SessionPosition | null;
}

export class SearchTables {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #isMade: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    const made = "SELECT 1 FROM sqlite_schema WHERE name = 'progress'";
    this.#isMade = this.#sql.exec(made).toArray().length > 0;
  }

  get bytes(): number {
    return this.#isMade ? this.#sql.databaseSize : 0;
  }

  /** Null for an index that was not begun, or is erased. */
  get progress(): IndexProgress | null {
    if (!this.#isMade) return null;
    const [row] = this.#sql.exec<ProgressRow>("SELECT made, before_time, before_id FROM progress");
    if (!row) return null;
    const { made, before_time: created_at, before_id: id } = row;
    return { made, before: created_at !== null && id !== null ? { created_at, id } : null };
  }

  begin(made: string, { created_at, id }: SessionPosition): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec(SCHEMA);
      this.#sql.exec("INSERT INTO progress VALUES (1, ?, ?, ?)", made, created_at, id);
    });
    this.#isMade = true;
  }

  async erase(): Promise<void> {
    this.#isMade = false;
    await this.#storage.deleteAll();
  }

  /** In one transaction. @param before The oldest of them; null when there are no older ones; undefined to leave it. */
  put(sessions: readonly IndexedSession[], before: SessionPosition | null | undefined): void {
    this.#storage.transactionSync(() => {
      for (const session of sessions) this.#putOne(session);
      if (before === undefined) return;
      const { created_at = null, id = null } = before ?? {};
      this.#sql.exec("UPDATE progress SET before_time = ?, before_id = ?", created_at, id);
    });
  }

  remove(sessionId: string): void {
    if (!this.#isMade) return;
    this.#storage.transactionSync(() => this.#removeOne(sessionId));
  }

  /** Sessions of which only the first words are indexed: those that were asked least often, the newest first. */
  unread(most: number): readonly string[] {
    return this.#sql
      .exec<{ session_id: string }>(
        `SELECT session_id FROM indexed_sessions WHERE attempts > 0
         ORDER BY attempts DESC, place DESC LIMIT ?`,
        most,
      )
      .toArray()
      .map(({ session_id }) => session_id);
  }

  /** In one transaction. @param openings By session: null where it has none, undefined where it could not say. */
  putOpenings(openings: ReadonlyMap<string, string | null | undefined>): void {
    this.#storage.transactionSync(() => {
      for (const [sessionId, opening] of openings) this.#putOpening(sessionId, opening);
    });
  }

  find(
    phrases: NonNullable<ReturnType<typeof phrasesOf>>,
    { before = LAST_PLACE, createdAfterMs, createdBeforeMs, most }: Omit<SearchRequest, "search">,
  ): Omit<Found, "isComplete"> {
    const end =
      createdBeforeMs === undefined ? before : Math.min(before, firstPlace(createdBeforeMs));
    const sessions = this.#sql
      .exec<{ session_id: string; place: number }>(
        `SELECT s.session_id, s.place FROM words JOIN indexed_sessions s ON s.place = words.rowid
         WHERE words MATCH ? AND words.rowid < ? AND words.rowid >= ?
         ORDER BY words.rowid DESC LIMIT ?`,
        toMatch(phrases),
        end,
        createdAfterMs === undefined ? 0 : firstPlace(createdAfterMs),
        most + 1,
      )
      .toArray();
    return { sessions: sessions.slice(0, most), hasMore: sessions.length > most };
  }

  #putOne({ session_id, created_at, title, first_words, has_state }: IndexedSession): void {
    this.#removeOne(session_id);
    if (created_at === null) return;
    // The first words were cut off, or are of a reply from before lists had any.
    const isCut = first_words === null ? has_state === 1 : first_words.endsWith("…");
    if (title === null && first_words === null && !isCut) return;
    const place = this.#freePlace(firstPlace(Date.parse(created_at)));
    this.#sql.exec(
      "INSERT INTO indexed_sessions VALUES (?, ?, ?)",
      place,
      session_id,
      isCut ? OPENING_ATTEMPTS : 0,
    );
    const [titleTerms, openingTerms] = [title, first_words].map((text) =>
      termsOf(text ?? "").join(" "),
    );
    this.#sql.exec(
      "INSERT INTO words (rowid, title, opening) VALUES (?, ?, ?)",
      place,
      titleTerms,
      openingTerms,
    );
  }

  #putOpening(sessionId: string, opening: string | null | undefined): void {
    const left = opening === undefined ? "attempts - 1" : "0";
    const place = this.#placeOf(sessionId);
    this.#sql.exec(`UPDATE indexed_sessions SET attempts = ${left} WHERE place = ?`, place);
    if (typeof opening !== "string") return;
    const terms = termsOf(opening).join(" ");
    this.#sql.exec("UPDATE words SET opening = ? WHERE rowid = ?", terms, place);
  }

  #removeOne(sessionId: string): void {
    const place = this.#placeOf(sessionId);
    if (place === null) return;
    this.#sql.exec("DELETE FROM words WHERE rowid = ?", place);
    this.#sql.exec("DELETE FROM indexed_sessions WHERE place = ?", place);
  }

  #placeOf(sessionId: string): number | null {
    const [row] = this.#sql.exec<{ place: number }>(
      "SELECT place FROM indexed_sessions WHERE session_id = ?",
      sessionId,
    );
    return row?.place ?? null;
  }

  #freePlace(first: number): number {
    const [row] = this.#sql.exec<{ last: number | null }>(
      "SELECT max(place) AS last FROM indexed_sessions WHERE place >= ? AND place < ?",
      first,
      first + PLACES_OF_A_MILLISECOND,
    );
    const last = row?.last ?? null;
    if (last === null) return first;
    // A millisecond with thousands of sessions takes places of the next one.
    return last + 1 < first + PLACES_OF_A_MILLISECOND ? last + 1 : this.#freePlace(last + 1);
  }
}

type ProgressRow = { made: string; before_time: string | null; before_id: string | null };

function firstPlace(ms: number): number {
  return ms * PLACES_OF_A_MILLISECOND;
}
