// The session's messages as they are folded, in the order of the conversation.
import { MAX_UNTOLD_BYTES, MAX_UNTOLD_MESSAGES } from "../protocol/limits-sessions.ts";
import { MAX_INPUT_MESSAGES, MAX_ROW_BYTES } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import { loadParts, storeParts } from "./parts.ts";
import type { Sized } from "./take-page.ts";

interface MessageRow extends Record<string, SqlStorageValue> {
  position: number;
  reply_id: string | null;
  cursor: number;
  body: ArrayBuffer;
  parts: number;
}

export interface StoredMessage {
  readonly position: number;
  readonly reply_id: string | null;
  readonly message: Msg;
  /** The seq that the message is folded to. */
  readonly cursor: number;
}

export interface MessageWrite {
  /** The seq of the event that brought the message. */
  readonly position: number;
  /** Null for a message that no reply brought. */
  readonly reply_id: string | null;
  readonly message: Msg;
  readonly cursor: number;
}

const COLUMNS = "position, reply_id, cursor, body, parts";

export class MessageTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  put({ position, reply_id, message, cursor }: MessageWrite): void {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    const { head, parts } = storeParts(this.#sql, "message", position, bytes);
    this.#sql.exec(
      `INSERT INTO messages (position, id, reply_id, cursor, body, parts) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (position) DO UPDATE SET cursor = excluded.cursor, body = excluded.body, parts = excluded.parts`,
      position,
      message.id,
      reply_id,
      cursor,
      head,
      parts,
    );
  }

  /** A message that no reply brought is now the input of one. */
  claim(id: string, replyId: string): void {
    this.#sql.exec(
      "UPDATE messages SET reply_id = ? WHERE id = ? AND reply_id IS NULL",
      replyId,
      id,
    );
  }

  find(id: string): StoredMessage | null {
    const [row] = this.#sql
      .exec<MessageRow>(`SELECT ${COLUMNS} FROM messages WHERE id = ?`, id)
      .toArray();
    return row ? this.#load(row) : null;
  }

  /** Without reading it: a transcript asks for all of its messages. */
  has(id: string): boolean {
    return this.#sql.exec("SELECT 1 FROM messages WHERE id = ?", id).toArray().length > 0;
  }

  count(): number {
    return this.#sql.exec<{ count: number }>("SELECT count(*) AS count FROM messages").one().count;
  }

  /**
   * The messages of one reply, its own last: they stand next to each other, and of more than a native reply takes these
   * are the last. Before them come the ones that no reply brought and this one was the first to read, the newest that
   * fit. @param last Position of its own.
   */
  ofReply(replyId: string, last: number): readonly Msg[] {
    const messages: Msg[] = [];
    let own = 0;
    let untold = 0;
    let untoldBytes = 0;
    const rows = this.#sql.exec<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE position <= ? ORDER BY position DESC`,
      last,
    );
    for (const row of rows) {
      if (row.reply_id === null) {
        untold += 1;
        untoldBytes += bytesOf(row);
        if (untold > MAX_UNTOLD_MESSAGES || untoldBytes > MAX_UNTOLD_BYTES) break;
      } else {
        own += 1;
        if (row.reply_id !== replyId || own > MAX_INPUT_MESSAGES + 1) break;
      }
      messages.push(this.#load(row).message);
    }
    return messages.reverse();
  }

  /** The position above which the messages up to another one fit into `maxBytes`. Reads their sizes alone. */
  startOf(upTo: number, maxBytes: number): number {
    const rows = this.#sql.exec<{ position: number; bytes: number }>(
      `SELECT position, length(body) + parts * ${MAX_ROW_BYTES} AS bytes FROM messages
       WHERE position <= ? ORDER BY position DESC`,
      upTo,
    );
    let size = 0;
    for (const { position, bytes } of rows) {
      size += bytes;
      if (size > maxBytes) return position;
    }
    return 0;
  }

  /** The messages above a position and up to another, oldest first, each read when it is asked for. */
  *between(after: number, upTo: number): Generator<Sized<StoredMessage>, void> {
    const rows = this.#sql.exec<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE position > ? AND position <= ? ORDER BY position`,
      after,
      upTo,
    );
    for (const row of rows) yield { item: this.#load(row), bytes: bytesOf(row) };
  }

  /** The messages below a position, newest first, each read when it is asked for. */
  *before(position: number): Generator<Sized<StoredMessage>, void> {
    const rows = this.#sql.exec<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE position < ? ORDER BY position DESC`,
      position,
    );
    for (const row of rows) yield { item: this.#load(row), bytes: bytesOf(row) };
  }

  /** The replies of the messages up to a position, the newest message first, each read when it is asked for. */
  *replyIdsBefore(position: number): Generator<string, void> {
    const rows = this.#sql.exec<{ reply_id: string }>(
      `SELECT reply_id FROM messages WHERE position <= ? AND reply_id IS NOT NULL
       ORDER BY position DESC`,
      position,
    );
    for (const { reply_id } of rows) yield reply_id;
  }

  #load({ position, reply_id, cursor, body, parts }: MessageRow): StoredMessage {
    const bytes = loadParts(this.#sql, "message", position, body, parts);
    const message = JSON.parse(new TextDecoder().decode(bytes)) as Msg;
    return { position, reply_id, message, cursor };
  }
}

/** Of the whole body, its parts counted as full. */
function bytesOf({ body, parts }: MessageRow): number {
  return body.byteLength + parts * MAX_ROW_BYTES;
}
