// The tables of a trigger's object: what it is armed with, its runs, the sessions that it keeps, what it still has to publish,
// and its timers. Each change of them is one transaction.
import type { PausedReason, TriggerStatus } from "../../protocol/triggers/contract.ts";
import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import type { ArmedTrigger } from "../api/trigger-api.ts";
import { RunTable } from "./run-table.ts";
import { TriggerTimers } from "./trigger-timers.ts";

const SCHEMA = `
  CREATE TABLE trigger_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- As D1 had it when it was last read, as JSON.
    armed TEXT NOT NULL,
    -- Times of the schedule up to this one are decided, in Unix milliseconds.
    decided_at INTEGER NOT NULL,
    -- The platform's own end of it, which D1 is to be told, as JSON.
    ended TEXT,
    last_run_at TEXT,
    failures_in_row INTEGER NOT NULL,
    missed_runs INTEGER NOT NULL
  );
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    occasion TEXT NOT NULL UNIQUE,
    context TEXT NOT NULL,
    status TEXT NOT NULL,
    phase TEXT NOT NULL,
    skip_reason TEXT,
    error TEXT,
    slot TEXT NOT NULL,
    session_id TEXT,
    reply_id TEXT,
    subject TEXT,
    end_user_id TEXT,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    due_at INTEGER,
    tries INTEGER NOT NULL,
    refused_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX runs_status ON runs (status, id);
  CREATE INDEX runs_due ON runs (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX runs_open ON runs (slot, id) WHERE due_at IS NOT NULL;
  CREATE INDEX runs_session ON runs (session_id) WHERE due_at IS NOT NULL;
  CREATE INDEX runs_end_user ON runs (end_user_id) WHERE end_user_id IS NOT NULL;
  CREATE TABLE kept_sessions (
    slot TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    end_user_id TEXT
  ) WITHOUT ROWID;
  CREATE TABLE announcements (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL
  );
  CREATE TABLE timers (
    kind TEXT PRIMARY KEY,
    due_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The end of a trigger that the platform has made itself, and of which schedule. */
interface EndedTrigger {
  readonly status: Exclude<TriggerStatus, "active">;
  readonly paused_reason: PausedReason | null;
  readonly due_after: string;
}

export interface TriggerState {
  readonly armed: ArmedTrigger;
  readonly decided_at: number;
  readonly ended: EndedTrigger | null;
  readonly last_run_at: string | null;
  readonly failures_in_row: number;
  readonly missed_runs: number;
}

interface StateRow extends Record<string, SqlStorageValue> {
  readonly armed: string;
  readonly decided_at: number;
  readonly ended: string | null;
  readonly last_run_at: string | null;
  readonly failures_in_row: number;
  readonly missed_runs: number;
}

/** A session that a slot keeps. */
interface KeptSession {
  readonly session_id: string;
  readonly end_user_id: string | null;
}

export class TriggerTables {
  readonly runs: RunTable;
  readonly timers: TriggerTimers;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #state: TriggerState | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.runs = new RunTable(storage.sql);
    this.timers = new TriggerTimers(storage, this.runs);
    const made = this.#sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'trigger_state'");
    if (made.toArray().length > 0) this.#state = this.#read();
  }

  /** Null for an object that was never armed, or is erased. */
  get state(): TriggerState | null {
    return this.#state;
  }

  /** One commit, with the alarm that follows from it. */
  inTransaction<Value>(work: () => Value): Value {
    try {
      return this.#storage.transactionSync(() => {
        const value = work();
        if (this.#isMade) this.timers.arm();
        return value;
      });
    } finally {
      // Also of one that was rolled back.
      this.#state = this.#isMade ? this.#read() : null;
    }
  }

  /** Within a transaction. */
  begin(armed: ArmedTrigger): void {
    this.#sql.exec(SCHEMA);
    const decidedAt = Date.parse(armed.due_after);
    this.#sql.exec(
      "INSERT INTO trigger_state VALUES (1, ?, ?, NULL, NULL, 0, 0)",
      JSON.stringify(armed),
      decidedAt,
    );
    this.#state = this.#read();
  }

  /** Within a transaction. What is left out stays. */
  write(change: Partial<TriggerState>): TriggerState {
    if (!this.#state) throw new Error("a trigger that is not armed has no state");
    const next = { ...this.#state, ...change };
    this.#sql.exec(
      "UPDATE trigger_state SET armed = ?, decided_at = ?, ended = ?, last_run_at = ?, failures_in_row = ?, missed_runs = ?",
      JSON.stringify(next.armed),
      next.decided_at,
      next.ended && JSON.stringify(next.ended),
      next.last_run_at,
      next.failures_in_row,
      next.missed_runs,
    );
    this.#state = next;
    return next;
  }

  keptSession(slot: string): KeptSession | null {
    const [row] = this.#sql
      .exec<{ session_id: string; end_user_id: string | null }>(
        "SELECT session_id, end_user_id FROM kept_sessions WHERE slot = ?",
        slot,
      )
      .toArray();
    return row ?? null;
  }

  keepSession(slot: string, { session_id, end_user_id }: KeptSession): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO kept_sessions VALUES (?, ?, ?)",
      slot,
      session_id,
      end_user_id,
    );
  }

  /** @param sessionId The one that is gone: another one that was kept since stays. */
  forgetSession(slot: string, sessionId: string): void {
    this.#sql.exec("DELETE FROM kept_sessions WHERE slot = ? AND session_id = ?", slot, sessionId);
  }

  forgetSessionsOf(endUserId: string): void {
    this.#sql.exec("DELETE FROM kept_sessions WHERE end_user_id = ?", endUserId);
  }

  announce(event: WebhookEvent): void {
    this.#sql.exec("INSERT INTO announcements (event) VALUES (?)", JSON.stringify(event));
  }

  /** The oldest first. */
  announcements(
    most: number,
  ): readonly { readonly number: number; readonly event: WebhookEvent }[] {
    return this.#sql
      .exec<{ number: number; event: string }>(
        "SELECT number, event FROM announcements ORDER BY number LIMIT ?",
        most,
      )
      .toArray()
      .map(({ number, event }) => ({ number, event: JSON.parse(event) as WebhookEvent }));
  }

  removeAnnouncements(upTo: number): void {
    this.#sql.exec("DELETE FROM announcements WHERE number <= ?", upTo);
  }

  async erase(): Promise<void> {
    this.#state = null;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  get #isMade(): boolean {
    const query = "SELECT 1 FROM sqlite_schema WHERE name = 'trigger_state'";
    return this.#sql.exec(query).toArray().length > 0;
  }

  #read(): TriggerState {
    const { armed, ended, decided_at, last_run_at, failures_in_row, missed_runs } = this.#sql
      .exec<StateRow>("SELECT * FROM trigger_state")
      .one();
    return {
      armed: JSON.parse(armed) as ArmedTrigger,
      ended: ended === null ? null : (JSON.parse(ended) as EndedTrigger),
      decided_at,
      last_run_at,
      failures_in_row,
      missed_runs,
    };
  }
}

/** The platform's own end holds until D1 has it, or the schedule is another one. */
export function statusOf({ armed, ended }: Pick<TriggerState, "armed" | "ended">): TriggerStatus {
  return ended?.due_after === armed.due_after ? ended.status : armed.status;
}
