import { NO_RESTORES, type Restores } from "./restore-table.ts";

export interface RowRange {
  /** The first position and the last; all of them when left out. */
  readonly from?: number;
  readonly upTo?: number;
  /** The seq at which the conversation is looked at; when left out, as it is now. */
  readonly at?: number;
  /** A further condition, in SQL. */
  readonly where?: string;
}

/** The rows of the messages that are in a conversation, read lazily: without those that restores have taken out of it. */
export class ConversationRows {
  readonly #sql: SqlStorage;
  readonly #restores: Restores;

  constructor(sql: SqlStorage, restores: Restores = NO_RESTORES) {
    this.#sql = sql;
    this.#restores = restores;
  }

  /** Newest first. */
  *down<Row extends Record<string, SqlStorageValue>>(
    columns: string,
    range: RowRange,
  ): Generator<Row, void> {
    const positions = this.#restores.positionsAt(range.at ?? Infinity);
    for (const part of positions.toReversed()) yield* this.#read<Row>(columns, part, range, "DESC");
  }

  /** Oldest first. */
  *up<Row extends Record<string, SqlStorageValue>>(
    columns: string,
    range: RowRange,
  ): Generator<Row, void> {
    const positions = this.#restores.positionsAt(range.at ?? Infinity);
    for (const part of positions) yield* this.#read<Row>(columns, part, range, "ASC");
  }

  *#read<Row extends Record<string, SqlStorageValue>>(
    columns: string,
    part: { readonly from: number; readonly upTo: number },
    { from = 0, upTo = Infinity, where = "" }: RowRange,
    order: "ASC" | "DESC",
  ): Generator<Row, void> {
    const [first, last] = [Math.max(part.from, from), Math.min(part.upTo, upTo)];
    if (first > last) return;
    yield* this.#sql.exec<Row>(
      `SELECT ${columns} FROM messages WHERE position BETWEEN ? AND ? ${where} ORDER BY position ${order}`,
      first,
      last,
    );
  }
}
