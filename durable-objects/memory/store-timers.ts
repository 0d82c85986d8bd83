// The times at which a store has something to do by itself. An object has one alarm: it is set to the first of them.
import type { MemoryTables } from "./memory-tables.ts";

/** To tell D1 the store's size, to embed memories, to go on with a consolidation, to tell D1 what consolidations have used. */
export type StoreTimer = "report" | "embed" | "consolidate" | "usage";

interface TimerRow {
  readonly kind: StoreTimer;
  readonly due_at: number;
  /** Times in a row that it went off in vain. */
  readonly tries: number;
}

export class StoreTimers {
  readonly #storage: DurableObjectStorage;
  readonly #tables: Pick<MemoryTables, "store">;

  constructor(storage: DurableObjectStorage, tables: Pick<MemoryTables, "store">) {
    this.#storage = storage;
    this.#tables = tables;
  }

  read(kind: StoreTimer): TimerRow | null {
    return this.#rows().find((row) => row.kind === kind) ?? null;
  }

  get isEmpty(): boolean {
    return this.#rows().length === 0;
  }

  /** Kinds whose time has come. */
  due(nowMs: number): readonly StoreTimer[] {
    return this.#rows().flatMap(({ kind, due_at }) => (due_at <= nowMs ? [kind] : []));
  }

  /** Within a transaction, or by itself. No effect in a store that is not made, or erased. */
  set(kind: StoreTimer, dueMs: number, tries = 0): void {
    if (!this.#tables.store) return;
    this.#storage.sql.exec(
      "INSERT OR REPLACE INTO timers (kind, due_at, tries) VALUES (?, ?, ?)",
      kind,
      Math.ceil(dueMs),
      tries,
    );
    this.#arm();
  }

  /** No later than this; a time that is set and earlier stays, and so do the tries. */
  setBy(kind: StoreTimer, dueMs: number): void {
    const before = this.read(kind);
    if (before === null || before.due_at > dueMs) this.set(kind, dueMs, before?.tries);
  }

  clear(kind: StoreTimer): void {
    if (!this.#tables.store) return;
    this.#storage.sql.exec("DELETE FROM timers WHERE kind = ?", kind);
    this.#arm();
  }

  /** Sets the alarm again after it has gone off. */
  rearm(): void {
    if (this.#tables.store) this.#arm();
  }

  #rows(): readonly TimerRow[] {
    if (!this.#tables.store) return [];
    return this.#storage.sql
      .exec<{ kind: StoreTimer; due_at: number; tries: number }>("SELECT * FROM timers")
      .toArray();
  }

  /** The only place that touches the alarm. Its write is part of the transaction that is under way. */
  #arm(): void {
    const times = this.#rows().map(({ due_at }) => due_at);
    const armed =
      times.length === 0 ? this.#storage.deleteAlarm() : this.#storage.setAlarm(Math.min(...times));
    // A failed write of the alarm fails the commit, which its writer reports.
    armed.catch(() => undefined);
  }
}
