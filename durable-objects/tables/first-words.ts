// The first words of a conversation, which stand in lists for a title.
import { TITLE_SCANNED_BYTES, TITLE_SCANNED_MESSAGES } from "../../protocol/sessions/limits.ts";
import { firstWordsOf, openingOf } from "../../protocol/sessions/first-words-of.ts";
import { ConversationRows } from "./conversation-rows.ts";
import type { Restores } from "./restore-table.ts";

const HEAD = `CAST(substr(body, 1, ${TITLE_SCANNED_BYTES}) AS BLOB) AS head`;

export class FirstWords {
  readonly #rows: ConversationRows;
  readonly #restores: Restores;
  /** Once there are some, they stay until a restore: a conversation only grows at its end. */
  #words: string | null = null;
  #readAt = 0;

  constructor(sql: SqlStorage, restores: Restores) {
    this.#rows = new ConversationRows(sql, restores);
    this.#restores = restores;
  }

  /** Reads the heads of the oldest messages alone, so that it costs the same for messages of any size. */
  read(): string | null {
    const { newest } = this.#restores;
    if (this.#words !== null && this.#readAt === newest) return this.#words;
    this.#readAt = newest;
    this.#words = this.#firstOf(firstWordsOf);
    return this.#words;
  }

  /** The beginning of the same message, for the search. Not kept in memory: it is asked for once. */
  readOpening(): string | null {
    return this.#firstOf(openingOf);
  }

  #firstOf(wordsOf: (head: string) => string | null): string | null {
    let looked = 0;
    for (const { head } of this.#rows.up<{ head: ArrayBuffer }>(HEAD, {})) {
      const words = wordsOf(new TextDecoder().decode(head));
      if (words !== null) return words;
      looked += 1;
      if (looked === TITLE_SCANNED_MESSAGES) break;
    }
    return null;
  }
}
