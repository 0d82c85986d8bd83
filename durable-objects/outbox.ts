// What D1 has to be told of this session. Written in the transaction that made it true, kept until D1 has it: D1
// may be down for as long as it likes, and a reply never waits for it.
import { OUTBOX_RETRY_MAX_MS, OUTBOX_RETRY_MS } from "../protocol/limits.ts";
import {
  MAX_OUTBOX_BATCH,
  MAX_OUTBOX_BATCH_CHARACTERS,
  OUTBOX_DELIVERY_MS,
  OUTBOX_RETRY_JITTER,
} from "../protocol/limits-durability.ts";
import { isRowRefused } from "../storage/database-failure.ts";
import type { OutboxEntry } from "../storage/outbox-storage.ts";
import type { UsageEntry } from "../storage/usage-delivery.ts";
import type { ReplyStatus } from "../protocol/api/replies.ts";
import type { ActiveReply } from "./active-reply.ts";
import { pendingCalls, sessionStatusOf } from "./reply-view.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { SessionTables } from "./session-tables.ts";
import { withinDeadline } from "./within-deadline.ts";

type OutboxRow = {
  entry: number;
  reply_id: string;
  status: ReplyStatus;
  created_at: string;
};

export interface OutboxContext {
  readonly settings: SessionSettings;
  readonly tables: SessionTables;
  /** Delivers entries, all or none. Twice is once: the receiver's writes are idempotent. */
  readonly deliver: (entries: readonly OutboxEntry[]) => Promise<void>;
}

export class Outbox {
  readonly #sql: SqlStorage;
  readonly #settings: SessionSettings;
  readonly #tables: SessionTables;
  readonly #deliver: OutboxContext["deliver"];
  #delivery: Promise<void> | null = null;
  #isClosed = false;

  constructor(sql: SqlStorage, { settings, tables, deliver }: OutboxContext) {
    this.#sql = sql;
    this.#settings = settings;
    this.#tables = tables;
    this.#deliver = deliver;
  }

  /** Forgets everything: the storage behind it is about to be erased. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Part of the transaction in which a reply ends, parks or is answered. The watch stands then, and stays until D1 has
   * the entry. @param seq The last one of the reply, or that of the answer.
   */
  add(replyId: string, status: ReplyStatus, seq: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (entry, reply_id, status, created_at) VALUES (?, ?, ?, ?)",
      seq,
      replyId,
      status,
      new Date().toISOString(),
    );
  }

  /** Milliseconds until the next try: about as long as the oldest entry is old, and a little by chance. */
  get retryDelayMs(): number {
    const { since } = this.#sql
      .exec<{ since: string | null }>("SELECT min(created_at) AS since FROM outbox")
      .one();
    const ageMs = since === null ? 0 : Date.now() - Date.parse(since);
    const delayMs = Math.min(Math.max(ageMs, OUTBOX_RETRY_MS), OUTBOX_RETRY_MAX_MS);
    return Math.round(delayMs * (1 - OUTBOX_RETRY_JITTER * Math.random()));
  }

  get isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length === 0;
  }

  /** Tries to empty the outbox, one delivery at a time. Contract: never rejects; what fails stays for the next call. */
  flush(): Promise<void> {
    this.#delivery ??= this.#flush().finally(() => {
      this.#delivery = null;
    });
    return this.#delivery;
  }

  async #flush(): Promise<void> {
    // Entries up to here were refused for what they are: they keep the watch awake, and none of those behind them.
    let refused = 0;
    let most = MAX_OUTBOX_BATCH;
    while (!this.#isClosed) {
      const { entries, last } = this.#nextBatch(refused, most);
      if (last === null) return;
      try {
        // One that never answers would keep all that follows.
        await withinDeadline(this.#deliver(entries), OUTBOX_DELIVERY_MS);
      } catch (error) {
        console.warn("the outbox could not be delivered", { error: String(error) });
        if (!isRowRefused(error)) return;
        if (most === 1) refused = last;
        most = 1;
        continue;
      }
      if (this.#isClosed) return;
      this.#sql.exec("DELETE FROM outbox WHERE entry > ? AND entry <= ?", refused, last);
    }
  }

  /** The oldest entries behind one, and the last of them; few when their messages are large. */
  #nextBatch(
    after: number,
    most: number,
  ): { readonly entries: readonly OutboxEntry[]; readonly last: number | null } {
    const rows = this.#sql
      .exec<OutboxRow>(
        `SELECT entry, reply_id, status, created_at FROM outbox WHERE entry > ?
         ORDER BY entry LIMIT ?`,
        after,
        most,
      )
      .toArray();
    const entries: OutboxEntry[] = [];
    let last: number | null = null;
    let characters = 0;
    for (const row of rows) {
      const entry = this.#entryOf(row);
      entries.push(...entry);
      last = row.entry;
      // Usually there is one, whose size then costs nothing to know.
      if (rows.length > 1) characters += JSON.stringify(entry).length;
      if (characters > MAX_OUTBOX_BATCH_CHARACTERS) break;
    }
    return { entries, last };
  }

  /**
   * What was used and D1 has not heard of, to be read before the storage is erased. @param open The reply that has not
   * come to its end. @param seq Where the log stands.
   */
  untoldUsage(open: Pick<ActiveReply, "id" | "state"> | null, seq: number): readonly UsageEntry[] {
    const told = this.#sql
      .exec<OutboxRow>("SELECT entry, reply_id, status, created_at FROM outbox ORDER BY entry")
      .toArray()
      .flatMap((row) => {
        const usage = this.#tables.messages.find(row.reply_id)?.message.usage ?? null;
        return this.#usageEntryOf(row, usage);
      });
    if (!open) return told;
    const row = { entry: seq, reply_id: open.id, created_at: new Date().toISOString() };
    return [...told, ...this.#usageEntryOf(row, open.state.message.usage)];
  }

  #usageEntryOf(
    { entry, reply_id, created_at: at }: Omit<OutboxRow, "status">,
    usage: UsageEntry["usage"],
  ): UsageEntry[] {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    const { tenant_id, session_id, agent_id, end_user_id } = this.#settings.init;
    const { agent_version, model_name } = reply;
    const owner = { tenant_id, session_id, agent_id, agent_version, end_user_id };
    return [{ ...owner, reply_id, entry, at, usage, model_name }];
  }

  #entryOf({ entry, reply_id, status, created_at }: OutboxRow): OutboxEntry[] {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    const messages = this.#tables.messages.ofReply(reply_id, reply.start_cursor + 1);
    const own = messages.at(-1);
    const usage = own?.usage ?? null;
    return this.#usageEntryOf({ entry, reply_id, created_at }, usage).map((used) => ({
      ...used,
      reply_status: status,
      session_status: sessionStatusOf(status),
      pending: own ? pendingCalls(own, this.#tables.calls) : [],
      origin: this.#settings.init.origin ?? null,
      cursor: entry,
      messages,
    }));
  }
}
