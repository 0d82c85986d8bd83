// Replies that were accepted while another one was open, in the order in which they begin. Their input is stored here
// and not in the log, because the order of the log is the order of the conversation.
import { MAX_QUEUED_BYTES, MAX_QUEUED_REPLIES } from "../../protocol/replies/limits.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { SpeechChange } from "../../protocol/voice/events.ts";
import { deleteParts, loadParts, storeParts } from "../bytes/parts.ts";
import type { ReplyStart } from "../api/session-api.ts";
import { changeQueued } from "./queued-speech.ts";

/** The input of a queued reply. */
export interface QueuedStart {
  /** The messages that were new when it was accepted. */
  readonly messages: readonly Msg[];
  /** Ids of messages that the session had and that were no reply's input. */
  readonly unclaimed: readonly string[];
  readonly structured_schema?: ReplyStart["structured_schema"];
  readonly model_options?: ReplyStart["model_options"];
  readonly trace?: TraceContext;
  /** The share of the end user who asked for it. */
  readonly share?: ReplyStart["share"];
  readonly woken_by?: ReplyStart["woken_by"];
  readonly a2a_depth?: ReplyStart["a2a_depth"];
  readonly a2a?: ReplyStart["a2a"];
}

export interface QueuedReply {
  readonly id: string;
  /** `interrupted` when it is to end as soon as it begins. */
  readonly status: "running" | "interrupted";
  /** The visible seq of the log when it was accepted. */
  readonly start_cursor: number;
  /** Number of attempts to begin it that have crashed the object. */
  readonly begun: number;
  /** Whether an earlier incarnation of the object accepted it. */
  readonly isLeft: boolean;
  /** As JSON; a copy of what its input has. */
  readonly model_options: string | null;
}

/** The input with which a queued reply is begun. */
export interface BegunQueued extends QueuedStart {
  readonly endedBy: readonly EventDraft[] | null;
  /** The stored input cannot be read: the reply is begun without input, in order to be ended. */
  readonly isUnreadable?: true;
}

/** The input of a queued reply that cannot be read. */
export const UNREADABLE: BegunQueued = {
  messages: [],
  unclaimed: [],
  endedBy: null,
  isUnreadable: true,
};

interface QueueRow extends Record<string, SqlStorageValue> {
  position: number;
  id: string;
  begun: number;
  cursor: number;
  ended_by: string | null;
  model_options: string | null;
}

interface BodyRow extends Record<string, SqlStorageValue> {
  position: number;
  body: ArrayBuffer;
  parts: number;
}

const QUEUED =
  "SELECT position, id, cursor, ended_by, begun, model_options FROM queued_replies ORDER BY position";

export class ReplyQueueTable {
  readonly #sql: SqlStorage;
  /** The position of the last one that an earlier incarnation of the object has accepted. */
  readonly #left: number;
  /** Known to have no row, as most queues always: each start and end of a reply asks several times. */
  #isEmpty: boolean;
  #change: PromiseWithResolvers<void> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const [newest] = sql
      .exec<{ position: number }>(
        "SELECT position FROM queued_replies ORDER BY position DESC LIMIT 1",
      )
      .toArray();
    this.#left = newest?.position ?? 0;
    this.#isEmpty = newest === undefined;
  }

  /** In the order in which they begin. */
  list(): readonly QueuedReply[] {
    if (this.#isEmpty) return [];
    const rows = this.#sql.exec<QueueRow>(QUEUED).toArray();
    this.#isEmpty = rows.length === 0;
    return rows.map(({ position, id, cursor, ended_by, begun, model_options }) => {
      const status = ended_by === null ? "running" : "interrupted";
      const isLeft = position <= this.#left;
      return { id, status, start_cursor: cursor, begun, isLeft, model_options };
    });
  }

  first(): QueuedReply | null {
    return this.list()[0] ?? null;
  }

  firstToRun(): QueuedReply | null {
    return this.list().find(({ status }) => status === "running") ?? null;
  }

  find(id: string): QueuedReply | null {
    return this.list().find((reply) => reply.id === id) ?? null;
  }

  /** The number of those that are to run. */
  get length(): number {
    return this.list().filter(({ status }) => status === "running").length;
  }

  /** @param start What is to be added. */
  hasRoomFor(start: QueuedStart): boolean {
    const { count, bytes } = this.#sql
      .exec<{ count: number; bytes: number }>(
        "SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM queued_replies",
      )
      .one();
    return count < MAX_QUEUED_REPLIES && bytes + bodyOf(start).byteLength <= MAX_QUEUED_BYTES;
  }

  /** Part of the transaction of the caller. @param cursor The position of the log. */
  add(id: string, start: QueuedStart, cursor: number): void {
    this.#isEmpty = false;
    const { position } = this.#sql
      .exec<{ position: number }>(
        "SELECT coalesce(max(position), 0) + 1 AS position FROM queued_replies",
      )
      .one();
    const bytes = bodyOf(start);
    const { head, parts } = storeParts(this.#sql, "queued_reply", position, bytes);
    this.#sql.exec(
      `INSERT INTO queued_replies (position, id, cursor, message_ids, bytes, body, parts, model_options)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      position,
      id,
      cursor,
      JSON.stringify(start.messages.map((message) => message.id)),
      bytes.byteLength,
      head,
      parts,
      start.model_options ? JSON.stringify(start.model_options) : null,
    );
  }

  read(id: string): QueuedStart | null {
    const [row] = this.#sql
      .exec<BodyRow>("SELECT position, body, parts FROM queued_replies WHERE id = ?", id)
      .toArray();
    return row ? this.#load(row) : null;
  }

  /** The accepted events that end it as soon as it begins; null when it is to run. */
  endedBy(id: string): readonly EventDraft[] | null {
    const [row] = this.#sql
      .exec<{ ended_by: string | null }>("SELECT ended_by FROM queued_replies WHERE id = ?", id)
      .toArray();
    return row && row.ended_by !== null ? (JSON.parse(row.ended_by) as EventDraft[]) : null;
  }

  /** Marks it as interrupted: it keeps its place, and ends as soon as it begins. Idempotent. */
  interrupt(id: string, accepted: readonly EventDraft[] = []): void {
    this.#sql.exec(
      "UPDATE queued_replies SET ended_by = ? WHERE id = ? AND ended_by IS NULL",
      JSON.stringify(accepted),
      id,
    );
    this.wake();
  }

  /** Marks all of them as interrupted. */
  interruptAll(): void {
    for (const { id } of this.list()) this.interrupt(id);
  }

  /** Counts an attempt to begin it. A crash during the attempt is counted once this is on disk. */
  begin(id: string): void {
    this.#sql.exec("UPDATE queued_replies SET begun = begun + 1 WHERE id = ?", id);
  }

  /** The attempt has ended without a crash, and it has not begun. */
  endBegin(id: string): void {
    this.#sql.exec("UPDATE queued_replies SET begun = 0 WHERE id = ?", id);
  }

  /** Part of the transaction with which it begins. */
  remove(id: string): void {
    const [row] = this.#sql
      .exec<{ position: number }>("DELETE FROM queued_replies WHERE id = ? RETURNING position", id)
      .toArray();
    if (row) deleteParts(this.#sql, "queued_reply", row.position);
    this.wake();
  }

  /** A message among the inputs of queued replies. */
  findMessage(messageId: string): { message: Msg; reply_id: string } | null {
    const row = this.#rowOf(messageId);
    const message = row && this.#load(row).messages.find(({ id }) => id === messageId);
    return row && message ? { message, reply_id: row.id } : null;
  }

  /** Ids of all messages among the inputs of queued replies. */
  messageIds(): readonly string[] {
    if (this.#isEmpty) return [];
    return this.#sql
      .exec<{ id: string }>(
        `SELECT value AS id FROM queued_replies,
         json_each(CASE WHEN json_valid(message_ids) THEN message_ids ELSE '[]' END)`,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Part of the transaction of the caller. @returns False when no queued reply has the message among its inputs. */
  changeMessage(change: SpeechChange, metadata: Readonly<Record<string, unknown>>): boolean {
    const row = this.#rowOf(change.message_id);
    if (!row) return false;
    const { position } = row;
    const start = this.#load(row);
    const messages = start.messages.map((message) => changeQueued(message, change, metadata));
    const bytes = bodyOf({ ...start, messages });
    deleteParts(this.#sql, "queued_reply", position);
    const { head, parts } = storeParts(this.#sql, "queued_reply", position, bytes);
    this.#sql.exec(
      "UPDATE queued_replies SET bytes = ?, body = ?, parts = ? WHERE position = ?",
      bytes.byteLength,
      head,
      parts,
      position,
    );
    return true;
  }

  /** The greatest id in the queue. */
  get newestId(): string | null {
    if (this.#isEmpty) return null;
    return this.#sql.exec<{ id: string | null }>("SELECT max(id) AS id FROM queued_replies").one()
      .id;
  }

  /** Resolves when a reply begins or is interrupted. */
  changed(): Promise<void> {
    this.#change ??= Promise.withResolvers<void>();
    return this.#change.promise;
  }

  /** Resolves {@link changed} for all who wait. */
  wake(): void {
    const change = this.#change;
    this.#change = null;
    change?.resolve();
  }

  #rowOf(messageId: string): (BodyRow & { id: string }) | null {
    if (this.#isEmpty) return null;
    const [row] = this.#sql
      .exec<BodyRow & { id: string }>(
        `SELECT id, position, body, parts FROM queued_replies
         WHERE json_valid(message_ids)
         AND EXISTS (SELECT 1 FROM json_each(message_ids) WHERE value = ?)`,
        messageId,
      )
      .toArray();
    return row ?? null;
  }

  #load({ position, body, parts }: BodyRow): QueuedStart {
    const bytes = loadParts(this.#sql, "queued_reply", position, body, parts);
    return JSON.parse(new TextDecoder().decode(bytes)) as QueuedStart;
  }
}

function bodyOf(start: QueuedStart): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(start));
}
