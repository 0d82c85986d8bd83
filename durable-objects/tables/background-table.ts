// Calls that may be let go, and the tasks that were made of them. Rows follow the log's events, in their commit.
import {
  endedTaskOf,
  startedTaskOf,
  type BackgroundTaskEndedValue,
  type BackgroundTaskStartedValue,
  type TaskEnd,
  type TaskWaitsFor,
} from "../../protocol/background/events.ts";
import {
  ENDED_TASK_MS,
  HELD_LOOK_MS,
  MAX_LISTED_TASKS,
  MAX_WAKES,
} from "../../protocol/background/limits.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import { deleteParts, loadParts, storeParts } from "../bytes/parts.ts";
import { WAKE, type Timers } from "./timers.ts";

/** Times are Unix times in milliseconds. */
export interface StoredTask {
  readonly id: string;
  readonly tool_call_id: string;
  readonly reply_id: string;
  readonly tool_name: string;
  /** `attached` while its call waits for it. */
  readonly status: "attached" | "working" | TaskEnd;
  /** Null while it is attached. */
  readonly waits_for: TaskWaitsFor | null;
  readonly max_bytes: number;
  readonly untrusted: UntrustedSource | null;
  readonly message: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  /** Of the result that was posted. */
  readonly fingerprint: string | null;
  /** Whether its end has still to begin a reply, or waits for a person. */
  readonly wake: "due" | "paused" | null;
  readonly woken_reply_id: string | null;
}

type Row = { [Name in keyof StoredTask]: StoredTask[Name] & SqlStorageValue } & {
  untrusted: string | null;
};

const COLUMNS =
  "id, tool_call_id, reply_id, tool_name, status, waits_for, max_bytes, untrusted, message, created_at, expires_at, ended_at, fingerprint, wake, woken_reply_id";

export class BackgroundTable {
  readonly #sql: SqlStorage;
  readonly #timers: Timers;
  /** Replies that tasks have begun since the last message of a person; null before it was read. */
  #wakes: number | null = null;

  constructor(sql: SqlStorage, timers: Timers) {
    this.#sql = sql;
    this.#timers = timers;
  }

  find(id: string): StoredTask | null {
    return this.#read(`SELECT ${COLUMNS} FROM background_tasks WHERE id = ?`, id)[0] ?? null;
  }

  findByCall(callId: string): StoredTask | null {
    const query = `SELECT ${COLUMNS} FROM background_tasks WHERE tool_call_id = ?`;
    return this.#read(query, callId)[0] ?? null;
  }

  /** All that work, oldest first. */
  working(): readonly StoredTask[] {
    const query = `SELECT ${COLUMNS} FROM background_tasks WHERE status = 'working' ORDER BY number`;
    return this.#read(query);
  }

  /** Tasks that work, then newest first. */
  list(): readonly StoredTask[] {
    return this.#read(
      `SELECT ${COLUMNS} FROM background_tasks WHERE status <> 'attached'
       ORDER BY status = 'working' DESC, number DESC LIMIT ?`,
      MAX_LISTED_TASKS,
    );
  }

  /** A call that may be let go. Old tasks that nothing waits for are forgotten. */
  attach(
    task: Pick<StoredTask, "id" | "tool_call_id" | "reply_id" | "tool_name" | "max_bytes">,
    times: Pick<StoredTask, "created_at" | "expires_at">,
  ): void {
    this.#sql.exec(
      `INSERT INTO background_tasks
         (id, tool_call_id, reply_id, tool_name, status, max_bytes, created_at, expires_at)
       VALUES (?, ?, ?, ?, 'attached', ?, ?, ?)`,
      task.id,
      task.tool_call_id,
      task.reply_id,
      task.tool_name,
      task.max_bytes,
      times.created_at,
      times.expires_at,
    );
    this.#sql.exec(
      `DELETE FROM background_tasks
       WHERE status <> 'working' AND wake IS NULL AND parts = 0 AND expires_at < ?`,
      times.created_at - ENDED_TASK_MS,
    );
  }

  /** The call has ended by itself: nothing can be posted for it any more. One that was posted is kept. */
  detach(id: string): void {
    this.#sql.exec(
      "DELETE FROM background_tasks WHERE id = ? AND status = 'attached' AND fingerprint IS NULL",
      id,
    );
  }

  /** Keeps a result that was posted to a call which still waits. */
  keepAnswer(id: string, fingerprint: string, answer: unknown): void {
    this.#keep(id, answer);
    this.noteFingerprint(id, fingerprint);
  }

  noteFingerprint(id: string, fingerprint: string): void {
    this.#sql.exec("UPDATE background_tasks SET fingerprint = ? WHERE id = ?", fingerprint, id);
  }

  /** The result that was posted to a call which waits, or the message with which a reply is to begin; null for none. */
  kept(id: string): unknown {
    const [row] = this.#sql
      .exec<{ number: number; kept: ArrayBuffer | null; parts: number }>(
        "SELECT number, kept, parts FROM background_tasks WHERE id = ?",
        id,
      )
      .toArray();
    if (!row?.kept) return null;
    const bytes = loadParts(this.#sql, "background_task", row.number, row.kept, row.parts);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  /** The call whose result was posted and is not in the log yet. */
  hasAnswer(callId: string): boolean {
    const task = this.findByCall(callId);
    return task?.status === "attached" && task.fingerprint !== null;
  }

  /** A request that was held is not any more: the result will be posted. */
  awaitCallback(id: string, expiresAtMs: number): void {
    this.#sql.exec(
      "UPDATE background_tasks SET waits_for = 'callback', expires_at = ? WHERE id = ?",
      expiresAtMs,
      id,
    );
    this.#timers.set({ kind: "background", id }, expiresAtMs);
  }

  /** Whether an end begins a reply at once, or waits for a person. */
  get isPaused(): boolean {
    return this.#countWakes() >= MAX_WAKES;
  }

  /** Part of the commit of a task's end: a reply is to begin with this message, now or once a person has said something. */
  expectWake(id: string, message: unknown): void {
    const isPaused = this.isPaused;
    this.#keep(id, message);
    const wake = isPaused ? "paused" : "due";
    this.#sql.exec("UPDATE background_tasks SET wake = ? WHERE id = ?", wake, id);
    if (isPaused) return;
    this.#setWakes(this.#countWakes() + 1);
    this.#timers.set(WAKE, Date.now());
  }

  /** The oldest end that has to begin a reply. */
  nextDue(): StoredTask | null {
    const query = `SELECT ${COLUMNS} FROM background_tasks WHERE wake = 'due' ORDER BY ended_at, number LIMIT 1`;
    return this.#read(query)[0] ?? null;
  }

  /** Part of the transaction with which the reply begins, or is queued. */
  woken(id: string, replyId: string): void {
    this.#forget(id);
    this.#sql.exec(
      "UPDATE background_tasks SET wake = NULL, woken_reply_id = ? WHERE id = ?",
      replyId,
      id,
    );
  }

  /** No reply can begin with it. */
  giveUpWake(id: string): void {
    this.#forget(id);
    this.#sql.exec("UPDATE background_tasks SET wake = NULL WHERE id = ?", id);
  }

  /** Part of the commit of a reply that a person has begun: ends that have waited for one are due. */
  takeUp(): void {
    if (this.#countWakes() === 0) return;
    const taken = this.#sql
      .exec<{ id: string }>(
        `UPDATE background_tasks SET wake = 'due' WHERE number IN
           (SELECT number FROM background_tasks WHERE wake = 'paused' ORDER BY number LIMIT ?)
         RETURNING id`,
        MAX_WAKES,
      )
      .toArray();
    this.#setWakes(taken.length);
    if (taken.length > 0) this.#timers.set(WAKE, Date.now());
  }

  /** Part of the transaction of the event. */
  record(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (event.type === "TOOL_RESULT_END") this.#settle(event.tool_call_id);
      if (event.type !== "CUSTOM") continue;
      const started = startedTaskOf(event);
      const ended = started ? null : endedTaskOf(event);
      if (started) this.#start(started);
      else if (ended) this.#end(ended, event);
    }
  }

  /** The result of an attached call is in the log: nothing can be posted for it any more, and what was need not be kept. */
  #settle(callId: string): void {
    const task = this.findByCall(callId);
    if (task?.status !== "attached") return;
    if (task.fingerprint !== null) return this.#forget(task.id);
    this.detach(task.id);
  }

  #start({ task_id: id, waits_for, expires_at, untrusted }: BackgroundTaskStartedValue): void {
    const expiresAtMs = Date.parse(expires_at);
    this.#sql.exec(
      `UPDATE background_tasks SET status = 'working', waits_for = ?, expires_at = ?, untrusted = ?
       WHERE id = ?`,
      waits_for,
      expiresAtMs,
      untrusted ? JSON.stringify(untrusted) : null,
      id,
    );
    const dueAtMs = waits_for === "request" ? Date.now() + HELD_LOOK_MS : expiresAtMs;
    this.#timers.set({ kind: "background", id }, dueAtMs);
  }

  #end(
    { task_id: id, status, message }: BackgroundTaskEndedValue,
    { created_at }: LoggedEvent,
  ): void {
    this.#sql.exec(
      "UPDATE background_tasks SET status = ?, message = ?, ended_at = ? WHERE id = ?",
      status,
      message,
      Date.parse(created_at),
      id,
    );
    this.#timers.clear({ kind: "background", id });
  }

  #keep(id: string, value: unknown): void {
    const number = this.#numberOf(id);
    if (number === null) return;
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const { head, parts } = storeParts(this.#sql, "background_task", number, bytes);
    const query = "UPDATE background_tasks SET kept = ?, parts = ? WHERE number = ?";
    this.#sql.exec(query, head, parts, number);
  }

  #forget(id: string): void {
    const number = this.#numberOf(id);
    if (number === null) return;
    deleteParts(this.#sql, "background_task", number);
    this.#sql.exec("UPDATE background_tasks SET kept = NULL, parts = 0 WHERE number = ?", number);
  }

  #numberOf(id: string): number | null {
    const [row] = this.#sql
      .exec<{ number: number }>("SELECT number FROM background_tasks WHERE id = ?", id)
      .toArray();
    return row?.number ?? null;
  }

  #countWakes(): number {
    this.#wakes ??= this.#sql.exec<{ wakes: number }>("SELECT wakes FROM session").one().wakes;
    return this.#wakes;
  }

  #setWakes(wakes: number): void {
    this.#sql.exec("UPDATE session SET wakes = ?", wakes);
    this.#wakes = wakes;
  }

  #read(query: string, ...bindings: unknown[]): readonly StoredTask[] {
    return this.#sql
      .exec<Row>(query, ...bindings)
      .toArray()
      .map(({ untrusted, ...row }) => ({
        ...row,
        untrusted: untrusted === null ? null : (JSON.parse(untrusted) as UntrustedSource),
      }));
  }
}
