// The transactional outbox: changes of this session that D1 has to get. An entry is written in the transaction of its
// change and kept until D1 has it. D1 may be down for any time; a reply never waits for it.
import {
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MS,
  MAX_OUTBOX_BATCH,
  MAX_OUTBOX_BATCH_CHARACTERS,
  OUTBOX_DELIVERY_MS,
  OUTBOX_RETRY_JITTER,
} from "../../protocol/operator/limits.ts";
import { MAX_CRASHES_WHILE_WAKING } from "../../protocol/replies/limits.ts";
import { announcedCall } from "../../storage/outbox/announced-call.ts";
import { isRowRefused } from "../../storage/statements/database-failure.ts";
import type { OutboxDelivery } from "../../storage/outbox/deliver-outbox.ts";
import type { UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { PendingCall, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import {
  type DecisionSource,
  isLarge,
  OutboxEntries,
  type OutboxRow,
  type SummaryUsage,
} from "./outbox-entries.ts";
import { announcementToRow } from "./announcement-row.ts";
import { Growth } from "./growth.ts";
import { putBeside, putTask, type OpenTask } from "./put-beside.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";

const COLUMNS = "entry, reply_id, status, created_at, begun, usage, plan, calls";

export interface OutboxContext extends DecisionSource {
  readonly settings: SessionSettings;
  readonly tables: SessionTables;
  /** Announcement of an event, for webhooks; null for most. */
  readonly announce: (event: LoggedEvent) => Announcement | null;
  /** Delivers entries, all or none. May be repeated: the receiver's writes are idempotent. */
  readonly deliver: (entries: readonly OutboxDelivery[]) => Promise<void>;
}

export class Outbox {
  readonly growth = new Growth();
  readonly #sql: SqlStorage;
  readonly #tables: SessionTables;
  readonly #entries: OutboxEntries;
  readonly #context: OutboxContext;
  /** Entries up to this one were left by an earlier incarnation of the object. */
  readonly #left: number;
  /** D1 has the decisions up to this event; an earlier incarnation's are delivered again. */
  #toldUpTo = 0;
  #delivery: Promise<void> | null = null;
  /** The seq of the newest entry beside replies that is not on disk yet; 0 for none. */
  #newestBeside = 0;
  #isClosed = false;

  constructor(sql: SqlStorage, context: OutboxContext) {
    this.#sql = sql;
    this.#tables = context.tables;
    this.#entries = new OutboxEntries(sql, context);
    this.#context = context;
    this.#left = this.#last() ?? 0;
  }

  /** Stops deliveries: the storage is about to be erased. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Part of the transaction in which a reply ends, parks or is answered. The watchdog is set in the same transaction,
   * and stays set until D1 has the entry. @param seq The last one of the reply, or that of the answer. @param waiting The
   * calls of a reply that parks: they are announced although they may be answered before D1 has the entry.
   */
  add(
    replyId: string,
    status: ReplyStatus,
    seq: number,
    waiting: readonly PendingCall[] = [],
  ): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (entry, reply_id, status, created_at, calls) VALUES (?, ?, ?, ?, ?)",
      seq,
      replyId,
      status,
      new Date().toISOString(),
      waiting.length > 0 ? JSON.stringify(waiting.map(announcedCall)) : null,
    );
  }

  /**
   * Part of the transaction in which a summary is stored that no reply has made: its usage is billed by itself.
   * @param seq The seq of its event.
   */
  addUsage(summaryId: string, usage: SummaryUsage, seq: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (entry, reply_id, status, created_at, usage) VALUES (?, ?, ?, ?, ?)",
      seq,
      summaryId,
      "completed" satisfies ReplyStatus,
      new Date().toISOString(),
      JSON.stringify(usage),
    );
  }

  /**
   * Part of the transaction of the events: what abilities announce is told to the tenant's webhooks. The watchdog is
   * set in the same transaction.
   */
  addAnnouncements(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const announcement = this.#context.announce(event);
      if (announcement === null) continue;
      const row = announcementToRow(announcement);
      this.#addBeside(event.seq, event.reply_id ?? "", event.created_at, row);
    }
  }

  /** Part of the transaction of the events: D1 lists a task of A2A from its beginning, and as it stands while it runs. */
  addTasks(events: readonly LoggedEvent[], active: OpenTask): void {
    const seq = putTask(this.#sql, this.#tables, events, active);
    if (seq !== null) this.#newestBeside = seq;
  }

  #addBeside(entry: number, replyId: string, at: string, plan: string | null): void {
    putBeside(this.#sql, this.#tables.timers, { entry, replyId, at, plan });
    this.#newestBeside = entry;
  }

  get databaseSize(): number {
    return this.#sql.databaseSize;
  }

  /**
   * Part of the transaction of the events: what has grown without a reply is told in an entry that names none. One is
   * enough: the size is read when it is delivered.
   */
  addStored(events: readonly LoggedEvent[]): void {
    const seq = events.at(-1)?.seq;
    if (seq === undefined || !this.growth.take(this.databaseSize)) return;
    // An announcement with the same seq reports it as well.
    this.#addBeside(seq, "", new Date().toISOString(), null);
  }

  /** Whether an announcement, or growth, has become durable with this, so that it can be told at once. */
  takeBesideUpTo(seq: number): boolean {
    if (this.#newestBeside === 0 || this.#newestBeside > seq) return false;
    this.#newestBeside = 0;
    return true;
  }

  /** Milliseconds until the next try: the age of the oldest entry, within bounds and with jitter. */
  get retryDelayMs(): number {
    const { since } = this.#sql
      .exec<{ since: string | null }>("SELECT min(created_at) AS since FROM outbox")
      .one();
    const ageMs = since === null ? 0 : Date.now() - Date.parse(since);
    const delayMs = Math.min(Math.max(ageMs, OUTBOX_RETRY_MS), OUTBOX_RETRY_MAX_MS);
    return Math.round(delayMs * (1 - OUTBOX_RETRY_JITTER * Math.random()));
  }

  get isEmpty(): boolean {
    return this.#last() === null;
  }

  /** Its newest entry. */
  #last(): number | null {
    const query = "SELECT max(entry) AS last FROM outbox";
    return this.#sql.exec<{ last: number | null }>(query).one().last;
  }

  /** Tries to empty the outbox, one delivery at a time. Contract: never rejects; what fails stays for the next call. */
  flush(): Promise<void> {
    this.#delivery ??= this.#flush().finally(() => {
      this.#delivery = null;
    });
    return this.#delivery;
  }

  async #flush(): Promise<void> {
    // Entries up to this one were refused for their content: they keep the watchdog set, and do not block later ones.
    let refused = 0;
    let most = MAX_OUTBOX_BATCH;
    while (!this.#isClosed) {
      const rows = this.#nextRows(refused, most);
      const [first] = rows;
      if (!first) return;
      await this.#begin(rows);
      if (this.#isClosed) return;
      if (first.begun >= 2 * MAX_CRASHES_WHILE_WAKING) {
        console.error("an entry of the outbox cannot be delivered, and is dropped");
        this.#delete(refused, first.entry);
        continue;
      }
      const { entries, last, decided } = await this.#readBatch(rows);
      const told = Math.min(decided, this.#context.durableSeq());
      if (entries.some(isLarge)) await timeSlice();
      if (this.#isClosed) return;
      try {
        // Without a deadline, a call that hangs would block all later entries.
        await withinDeadline(this.#context.deliver(entries), OUTBOX_DELIVERY_MS);
      } catch (error) {
        console.warn("the outbox could not be delivered", { error: String(error) });
        if (this.#isClosed) return;
        this.#endBegun(rows);
        if (!isRowRefused(error)) return;
        if (most === 1) refused = last;
        most = 1;
        continue;
      }
      if (this.#isClosed) return;
      this.#delete(refused, last);
      if (refused === 0) this.#toldUpTo = told;
      this.#endBegun(rows);
    }
  }

  /** The oldest entries after one. An entry that may have crashed the object is delivered alone. */
  #nextRows(after: number, most: number): readonly OutboxRow[] {
    const rows = this.#sql
      .exec<OutboxRow>(
        `SELECT ${COLUMNS} FROM outbox WHERE entry > ? ORDER BY entry LIMIT ?`,
        after,
        most,
      )
      .toArray();
    const suspect = rows.findIndex(({ begun }) => begun > 0);
    return suspect === -1 ? rows : rows.slice(0, Math.max(suspect, 1));
  }

  /** Counts the attempt on disk for entries of an earlier incarnation, in case they crash this one, too. */
  async #begin(rows: readonly OutboxRow[]): Promise<void> {
    const left = rows.filter(({ entry }) => entry <= this.#left);
    if (left.length === 0) return;
    for (const { entry } of left) {
      this.#sql.exec("UPDATE outbox SET begun = begun + 1 WHERE entry = ?", entry);
    }
    await this.#context.sync();
  }

  /** The attempt is over without a crash: resets its count. No write for entries that were not counted or are gone. */
  #endBegun(rows: readonly OutboxRow[]): void {
    for (const { entry } of rows) {
      if (entry > this.#left) continue;
      this.#sql.exec("UPDATE outbox SET begun = 0 WHERE entry = ? AND begun > 0", entry);
    }
  }

  #delete(after: number, upTo: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE entry > ? AND entry <= ?", after, upTo);
  }

  /** The entries of the rows up to the limit of one batch, the key of the last row, and that of a reply's last one. */
  async #readBatch(rows: readonly OutboxRow[]): Promise<{
    readonly entries: readonly OutboxDelivery[];
    readonly last: number;
    readonly decided: number;
  }> {
    const entries: OutboxDelivery[] = [];
    let last = 0;
    let decided = this.#toldUpTo;
    let characters = 0;
    for (const row of rows) {
      const entry = await this.#entries.read(row, decided);
      entries.push(...entry);
      last = row.entry;
      // Only the entry of a reply has decisions.
      if (row.usage === null && row.plan === null && row.reply_id !== "")
        decided = Math.max(decided, last);
      // Usually there is one, whose size then costs nothing to know.
      if (rows.length > 1) characters += JSON.stringify(entry).length;
      if (characters > MAX_OUTBOX_BATCH_CHARACTERS) break;
    }
    return { entries, last, decided };
  }

  /**
   * Usage that D1 does not have yet, read before the storage is erased. @param open The open reply, if any. @param seq
   * The last seq of the log.
   */
  unreportedUsage(
    open: Pick<UsageEntry, "reply_id" | "usage"> | null,
    seq: number,
  ): readonly UsageEntry[] {
    const pending = this.#sql
      .exec<OutboxRow>(`SELECT ${COLUMNS} FROM outbox ORDER BY entry`)
      .toArray()
      .flatMap((row) => {
        const usage = this.#tables.messages.ofReply(row.reply_id)?.message.usage ?? null;
        return this.#entries.usageOf(row, usage);
      });
    if (!open) return pending;
    const { reply_id, usage } = open;
    const row = { entry: seq, reply_id, created_at: new Date().toISOString() };
    return [...pending, ...this.#entries.usageOf(row, usage)];
  }
}
