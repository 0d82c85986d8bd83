// Restores of the conversation: each takes the messages behind a place out of it. Their rows stay, so that a fork or a
// later restore finds the conversation as it was at any position of the log; what a restore writes is one row.

/** Positions of messages, both included. */
interface Positions {
  readonly from: number;
  readonly upTo: number;
}

interface Restore {
  /** The seq of its first event. */
  readonly at: number;
  /** The last position of which the messages stayed; 0 for none. */
  readonly kept: number;
}

/** Restores of a table of messages, which sees by them what is in the conversation. */
export type Restores = Pick<RestoreTable, "newest" | "positionsAt" | "isTaken">;

/** 122: restores of the conversation. */
export const ADD_RESTORES = `
  CREATE TABLE restores (
    at INTEGER PRIMARY KEY,
    kept INTEGER NOT NULL
  );
`;

const ALL: readonly Positions[] = [{ from: 0, upTo: Infinity }];

/** Of an object whose conversations are never restored, such as a room's. */
export const NO_RESTORES: Restores = {
  newest: 0,
  positionsAt: () => ALL,
  isTaken: () => false,
};

export class RestoreTable {
  readonly #sql: SqlStorage;
  /** Oldest first. Read once: most sessions have none. */
  #restores: readonly Restore[] | null = null;
  /** Of the conversation as it is now. */
  #positions: readonly Positions[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The seq of the newest one; 0 before the first. */
  get newest(): number {
    return this.#all.at(-1)?.at ?? 0;
  }

  /** Part of the transaction of its events. */
  add({ at, kept }: Restore): void {
    const before = this.#all;
    const positions = this.positionsAt(Infinity);
    this.#sql.exec("INSERT INTO restores (at, kept) VALUES (?, ?)", at, kept);
    this.#restores = [...before, { at, kept }];
    this.#positions = positionsBehind([{ at, kept }], positions);
  }

  /**
   * Places of the messages of the conversation, as it was at a seq; oldest first. A restore takes out all behind its place,
   * so what is left of the positions before it is their beginning.
   */
  positionsAt(seq: number): readonly Positions[] {
    if (seq < this.newest) return positionsBehind(this.#all.filter(({ at }) => at <= seq));
    this.#positions ??= positionsBehind(this.#all);
    return this.#positions;
  }

  /** Whether the message at this position is not in the conversation any more, or was not at a seq. */
  isTaken(position: number, seq = Infinity): boolean {
    return !this.positionsAt(seq).some(({ from, upTo }) => from <= position && position <= upTo);
  }

  /** The seq of the first one behind a seq; Infinity for none. */
  nextAfter(seq: number): number {
    return this.#all.find(({ at }) => at > seq)?.at ?? Infinity;
  }

  /** The last position up to which the conversation has been the same since a seq. */
  unchangedSince(seq: number): number {
    let position = Infinity;
    for (const { at, kept } of this.#all) if (at > seq) position = Math.min(position, kept);
    return position;
  }

  get #all(): readonly Restore[] {
    this.#restores ??= this.#sql
      .exec<{ at: number; kept: number }>("SELECT at, kept FROM restores ORDER BY at")
      .toArray();
    return this.#restores;
  }
}

/** Linear in all restores: an app may put a state back before each of its replies. @param before As they were ahead of them. */
function positionsBehind(
  restores: readonly Restore[],
  before: readonly Positions[] = ALL,
): readonly Positions[] {
  const left = [...before];
  for (const { at, kept } of restores) {
    // Positions ahead of the last ones end before these begin.
    let last = left.pop();
    while (last && last.from > kept) last = left.pop();
    if (last) left.push({ from: last.from, upTo: Math.min(last.upTo, kept) });
    left.push({ from: at, upTo: Infinity });
  }
  return left;
}
