// The first words of a conversation, which stand in lists for a title.
import { TITLE_SCANNED_BYTES, TITLE_SCANNED_MESSAGES } from "../../protocol/sessions/limits.ts";
import { firstWordsOf, openingOf } from "../../protocol/sessions/first-words-of.ts";

export class FirstWords {
  readonly #sql: SqlStorage;
  /** Once there are some, they stay: a conversation only grows at its end. */
  #words: string | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Reads the heads of the oldest messages alone, so that it costs the same for messages of any size. */
  read(): string | null {
    if (this.#words !== null) return this.#words;
    this.#words = this.#firstOf(firstWordsOf);
    return this.#words;
  }

  /** The beginning of the same message, for the search. Not kept in memory: it is asked for once. */
  readOpening(): string | null {
    return this.#firstOf(openingOf);
  }

  #firstOf(wordsOf: (head: string) => string | null): string | null {
    const heads = this.#sql.exec<{ head: ArrayBuffer }>(
      `SELECT CAST(substr(body, 1, ${TITLE_SCANNED_BYTES}) AS BLOB) AS head FROM messages
       ORDER BY position LIMIT ${TITLE_SCANNED_MESSAGES}`,
    );
    for (const { head } of heads) {
      const words = wordsOf(new TextDecoder().decode(head));
      if (words !== null) return words;
    }
    return null;
  }
}
