// The times at which a trigger has something to do by itself, beside its runs, which have their own. An object has one alarm:
// it is set to the first of all of them, in the transaction that changes one.
import type { RunTable } from "./run-table.ts";

/**
 * `schedule`: a listed time is due; `announce`: there are webhooks to publish; `report`: D1 has to be told what has become of
 * the trigger; `purge`: old runs are deleted.
 */
export type TriggerTimer = "schedule" | "announce" | "report" | "purge";

export class TriggerTimers {
  readonly #storage: DurableObjectStorage;
  readonly #runs: Pick<RunTable, "nextDue">;

  constructor(storage: DurableObjectStorage, runs: Pick<RunTable, "nextDue">) {
    this.#storage = storage;
    this.#runs = runs;
  }

  read(kind: TriggerTimer): number | null {
    const query = "SELECT due_at FROM timers WHERE kind = ?";
    return this.#storage.sql.exec<{ due_at: number }>(query, kind).toArray()[0]?.due_at ?? null;
  }

  /** Kinds whose time has come. */
  due(nowMs: number): readonly TriggerTimer[] {
    return this.#storage.sql
      .exec<{ kind: TriggerTimer }>("SELECT kind FROM timers WHERE due_at <= ?", nowMs)
      .toArray()
      .map(({ kind }) => kind);
  }

  /** Within a transaction. */
  set(kind: TriggerTimer, dueMs: number): void {
    const query = "INSERT OR REPLACE INTO timers (kind, due_at) VALUES (?, ?)";
    this.#storage.sql.exec(query, kind, Math.ceil(dueMs));
  }

  /** Within a transaction. No later than this: an earlier time stays. */
  setBy(kind: TriggerTimer, dueMs: number): void {
    const before = this.read(kind);
    if (before === null || before > dueMs) this.set(kind, dueMs);
  }

  /** Within a transaction. */
  clear(kind: TriggerTimer): void {
    this.#storage.sql.exec("DELETE FROM timers WHERE kind = ?", kind);
  }

  /** Within a transaction. Clears it unless it was set since to another time than this. */
  clearIf(kind: TriggerTimer, dueMs: number): void {
    this.#storage.sql.exec("DELETE FROM timers WHERE kind = ? AND due_at = ?", kind, dueMs);
  }

  /** Within a transaction, at its end. The only place that touches the alarm. */
  arm(): void {
    const query = "SELECT min(due_at) AS due_at FROM timers";
    const { due_at } = this.#storage.sql.exec<{ due_at: number | null }>(query).one();
    const times = [due_at, this.#runs.nextDue()].filter((time) => time !== null);
    const armed =
      times.length === 0 ? this.#storage.deleteAlarm() : this.#storage.setAlarm(Math.min(...times));
    // A failed write of the alarm fails the commit, which its writer reports.
    armed.catch(() => undefined);
  }
}
