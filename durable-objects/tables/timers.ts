// The timers of the object: a table, whose earliest time is the object's one alarm.
/**
 * `watch`: the watchdog; checks whether a running reply has an execution, and whether the outbox is empty.
 * `expiry`: the call of that id stops waiting for its answer.
 * `listing`: checks whether D1 lists the session.
 * `compress`: a compression of the context is due, or being made.
 * `task`: the task that the call of that id waits for is looked at.
 * `children`: an agent that a call has called is looked at, begun or stopped.
 * `left`: the reply of that id is interrupted, because its client over MCP has left.
 * `observed`: a hook has to be told of a message; the id names both.
 * `background`: the background task of that id is looked at, or one that has ended begins a reply.
 * `condense`: the log of the reply of that id is condensed.
 * `remember`: recordings of replies are due, or one is being made.
 * `push`: clients of A2A are to be told of their tasks.
 * `voice`: a voice connection waits for this time.
 * `socket`: the credential of a WebSocket expires.
 */
export type TimerKind =
  | "watch"
  | "expiry"
  | "listing"
  | "compress"
  | "observed"
  | "task"
  | "children"
  | "left"
  | "background"
  | "condense"
  | "remember"
  | "push"
  | "voice"
  | "socket";

export interface Timer {
  readonly kind: TimerKind;
  readonly id: string;
}

export interface DueTimer extends Timer {
  /** Number of attempts to handle it that have failed or crashed the object. */
  readonly begun: number;
}

/** The compression of the session's context; see {@link TimerKind}. */
export const COMPRESSION: Timer = { kind: "compress", id: "session" };
/** Ends of background tasks that have still to begin a reply; see {@link TimerKind}. */
export const WAKE: Timer = { kind: "background", id: "wake" };
/** The recordings of the session's replies; see {@link TimerKind}. */
export const RECORDING: Timer = { kind: "remember", id: "session" };
export const OBSERVED = "observed";
/** The agents that calls have called; see {@link TimerKind}. */
export const CHILDREN: Timer = { kind: "children", id: "session" };
/** Notifications of clients of A2A; see {@link TimerKind}. */
export const A2A_PUSH: Timer = { kind: "push", id: "session" };
/** The session's WebSockets; see {@link TimerKind}. */
export const SOCKETS: Timer = { kind: "socket", id: "session" };
/** The voice connection of the session; see {@link TimerKind}. */
export const VOICE_TIMER: Timer = { kind: "voice", id: "session" };
/** The session's watchdog; see {@link TimerKind}. */
export const WATCHDOG: Timer = { kind: "watch", id: "session" };

/** With 1 at last any timer is replaced, and its count of attempts; with 0 one that is due later, which keeps it. */
const SET = `INSERT INTO timers (kind, id, due_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (kind, id) DO UPDATE
  SET due_at = excluded.due_at, begun = CASE ?4 WHEN 1 THEN 0 ELSE timers.begun END
  WHERE ?4 = 1 OR excluded.due_at < timers.due_at`;

export class Timers {
  readonly #storage: DurableObjectStorage;
  /** Whether a compression is due: asked at the end of each reply, which must not cost a read. */
  #isCompressionSet = false;
  /** Timers that nothing needs any more, and that are still in the table. */
  #left: Timer[] = [];

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Whether the compression's timer is set. Known once an earlier object's timers were restored. */
  get isCompressionSet(): boolean {
    return this.#isCompressionSet;
  }

  /** Call it in the transaction that makes the timer necessary. @param dueAtMs Unix time in milliseconds. */
  set({ kind, id }: Timer, dueAtMs: number): void {
    this.#note(kind, true);
    this.#deleteLeft();
    this.#storage.sql.exec(SET, kind, id, dueAtMs, 1);
    this.#arm();
  }

  /** As `set`, but a timer that is due sooner stays as it is, without a write. */
  setBy({ kind, id }: Timer, dueAtMs: number): void {
    this.#note(kind, true);
    const hasDeleted = this.#deleteLeft();
    const { rowsWritten } = this.#storage.sql.exec(SET, kind, id, dueAtMs, 0);
    if (rowsWritten > 0 || hasDeleted) this.#arm();
  }

  /**
   * Clears it with the next timer that is set, in that transaction, or with {@link clearLeft}, which the caller owes. A
   * crash before that leaves it in the table.
   */
  clearSoon(timer: Timer): void {
    this.#left.push(timer);
  }

  /** Clears those that no other write has taken along. No write when there are none. */
  clearLeft(): void {
    if (this.#deleteLeft()) this.#arm();
  }

  /** No write when there is no such timer. */
  clear({ kind, id }: Timer): void {
    this.#note(kind, false);
    const { rowsWritten } = this.#storage.sql.exec(
      "DELETE FROM timers WHERE kind = ? AND id = ?",
      kind,
      id,
    );
    if (rowsWritten > 0) this.#arm();
  }

  /** The timers of these kinds with one id. No write when there are none. */
  clearAll(kinds: readonly TimerKind[], id: string): void {
    const places = kinds.map(() => "?").join(", ");
    const { rowsWritten } = this.#storage.sql.exec(
      `DELETE FROM timers WHERE kind IN (${places}) AND id = ?`,
      ...kinds,
      id,
    );
    if (rowsWritten > 0) this.#arm();
  }

  has({ kind, id }: Timer): boolean {
    const query = "SELECT 1 FROM timers WHERE kind = ? AND id = ?";
    return this.#storage.sql.exec(query, kind, id).toArray().length > 0;
  }

  isDue({ kind, id }: Timer, nowMs: number): boolean {
    const query = "SELECT 1 FROM timers WHERE kind = ? AND id = ? AND due_at <= ?";
    return this.#storage.sql.exec(query, kind, id, nowMs).toArray().length > 0;
  }

  /** All timers of a kind. */
  of(kind: TimerKind): readonly Timer[] {
    return this.#storage.sql
      .exec<{ id: string }>("SELECT id FROM timers WHERE kind = ? ORDER BY due_at, id", kind)
      .toArray()
      .map(({ id }) => ({ kind, id }));
  }

  /** The timers that are due; each stays in the table until it is set anew or cleared. */
  due(nowMs: number): readonly DueTimer[] {
    return this.#storage.sql
      .exec<{ kind: TimerKind; id: string; begun: number }>(
        "SELECT kind, id, begun FROM timers WHERE due_at <= ? ORDER BY due_at",
        nowMs,
      )
      .toArray();
  }

  /** Counts an attempt for the due timers of a kind. A crash during the attempt is counted once this is on disk. */
  begin(kind: TimerKind, nowMs: number): void {
    const query = "UPDATE timers SET begun = begun + 1 WHERE kind = ? AND due_at <= ?";
    this.#storage.sql.exec(query, kind, nowMs);
  }

  /** Retries it later; its count of attempts stays. @param dueAtMs Unix time in milliseconds. */
  putOff({ kind, id }: Timer, dueAtMs: number): void {
    const query = "UPDATE timers SET due_at = ? WHERE kind = ? AND id = ?";
    this.#storage.sql.exec(query, dueAtMs, kind, id);
    this.#arm();
  }

  /** Retries all due timers of a kind later; their counts of attempts stay. */
  putOffAll(kind: TimerKind, nowMs: number, dueAtMs: number): void {
    const query = "UPDATE timers SET due_at = ? WHERE kind = ? AND due_at <= ?";
    this.#storage.sql.exec(query, dueAtMs, kind, nowMs);
    this.#arm();
  }

  setBegun({ kind, id }: Timer, begun: number): void {
    const query = "UPDATE timers SET begun = ? WHERE kind = ? AND id = ?";
    this.#storage.sql.exec(query, begun, kind, id);
  }

  /** Sets the alarm to a time of its own, until the next change of a timer. Resolves when that is on disk. */
  async armFor(timeMs: number): Promise<void> {
    await this.#storage.setAlarm(timeMs);
    await this.#storage.sync();
  }

  /** Sets an alarm again that could not be written, or that the platform has given up. No write without timers. */
  async restore(): Promise<void> {
    const { count, compressions } = this.#storage.sql
      .exec<{ count: number; compressions: number }>(
        "SELECT count(*) AS count, count(*) FILTER (WHERE kind = 'compress') AS compressions FROM timers",
      )
      .one();
    this.#isCompressionSet = compressions > 0;
    if (count > 0 && (await this.#storage.getAlarm()) === null) this.#arm();
  }

  /** Sets the alarm again after one has fired. */
  rearm(): void {
    this.#arm();
  }

  #deleteLeft(): boolean {
    const timers = this.#left;
    this.#left = [];
    for (const { kind, id } of timers) {
      this.#storage.sql.exec("DELETE FROM timers WHERE kind = ? AND id = ?", kind, id);
    }
    return timers.length > 0;
  }

  #note(kind: TimerKind, isSet: boolean): void {
    if (kind === COMPRESSION.kind) this.#isCompressionSet = isSet;
  }

  /** The only place that touches the alarm. Its write is part of the transaction that is under way. */
  #arm(): void {
    const { due_at } = this.#storage.sql
      .exec<{ due_at: number | null }>("SELECT min(due_at) AS due_at FROM timers")
      .one();
    const armed = due_at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(due_at);
    // A failed alarm write fails the transaction's commit, which the log reports.
    armed.catch(() => undefined);
  }
}
