// What D1 has to be told of this session. Written in the transaction that made it true, kept until D1 has it: D1
// may be down for as long as it likes, and a reply never waits for it.
import { OUTBOX_RETRY_MAX_MS, OUTBOX_RETRY_MS } from "../protocol/limits.ts";
import type { OutboxEntry } from "../storage/outbox-storage.ts";
import type { ReplyStatus } from "../protocol/api/replies.ts";
import { pendingCalls, sessionStatusOf } from "./reply-view.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { SessionTables } from "./session-tables.ts";

interface OutboxRow extends Record<string, SqlStorageValue> {
  entry: number;
  reply_id: string;
  status: ReplyStatus;
  created_at: string;
}

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
   * Part of the transaction in which a reply ends, parks or is answered. The timer that watches over the reply is set
   * then, and stays until D1 has the entry. @param seq The last one of the reply, or that of the answer.
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

  /** Milliseconds until the next try: about as long as the oldest entry is old. */
  get retryDelayMs(): number {
    const { since } = this.#sql
      .exec<{ since: string | null }>("SELECT min(created_at) AS since FROM outbox")
      .one();
    const ageMs = since === null ? 0 : Date.now() - Date.parse(since);
    return Math.min(Math.max(ageMs, OUTBOX_RETRY_MS), OUTBOX_RETRY_MAX_MS);
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
    while (!this.#isClosed) {
      // One at a time: the messages of a reply may be large.
      const [row] = this.#sql
        .exec<OutboxRow>(
          "SELECT entry, reply_id, status, created_at FROM outbox ORDER BY entry LIMIT 1",
        )
        .toArray();
      if (!row) return;
      try {
        await this.#deliver(this.#entryOf(row));
      } catch (error) {
        console.warn("the outbox could not be delivered", { error: String(error) });
        return;
      }
      if (!this.#isClosed) this.#sql.exec("DELETE FROM outbox WHERE entry = ?", row.entry);
    }
  }

  #entryOf({ entry, reply_id, status, created_at }: OutboxRow): OutboxEntry[] {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    const messages = this.#tables.messages.ofReply(reply_id, reply.start_cursor + 1);
    const own = messages.at(-1);
    const { tenant_id, session_id, agent_id, end_user_id, origin } = this.#settings.init;
    return [
      {
        tenant_id,
        session_id,
        agent_id,
        agent_version: reply.agent_version,
        end_user_id,
        reply_id,
        entry,
        reply_status: status,
        session_status: sessionStatusOf(status),
        pending: own ? pendingCalls(own, this.#tables.calls) : [],
        origin: origin ?? null,
        cursor: entry,
        at: created_at,
        messages,
        usage: own?.usage ?? null,
        model_name: reply.model_name,
      },
    ];
  }
}
