// The session's folded messages, in the order of the conversation.
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import { MAX_SHOWN_MESSAGE_BYTES } from "../../protocol/requests/limits.ts";
import { MAX_INPUT_MESSAGES } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omitContent } from "../../protocol/messages/omitted.ts";
import { loadParts, readPieces, storeParts, storeRest, type StoredHead } from "../bytes/parts.ts";
import { findKnownIds } from "./known-messages.ts";
import { MessageOutlines } from "./message-outlines.ts";
import { readTextInSlices } from "../bytes/read-text-in-slices.ts";
import {
  bodyBytes,
  isOutsized,
  shownBytes,
  storedBody,
  type MessageRow,
  type MessageWrite,
  type PlacedMessage,
  type StoredPlace,
  type UnreadMessage,
} from "./stored-message.ts";
import type { Sized } from "../bytes/take-page.ts";

const COLUMNS = "position, reply_id, cursor, body, parts";
/** The length of a value is read without the value. */
const PLACE = `position, reply_id, cursor, length(body) + parts * ${MAX_ROW_BYTES} AS bytes, parts`;

type PlaceRow = { [Member in keyof StoredPlace]: StoredPlace[Member] };

export class MessageTable {
  readonly #sql: SqlStorage;
  readonly #outlines: MessageOutlines;
  /** Grows with each write: a change may leave a message's seq as it was. */
  #writes = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#outlines = new MessageOutlines(sql);
  }

  put({ position, reply_id, message, cursor, staged }: MessageWrite): void {
    this.#writes += 1;
    const { bytes, head, parts } = staged
      ? { bytes: staged.bytes, ...storeRest(this.#sql, staged.value) }
      : this.#storeBody(position, message);
    // The id exists at another position only in damaged data: this message replaces it.
    const newer = "cursor = excluded.cursor, body = excluded.body, parts = excluded.parts";
    this.#sql.exec(
      `INSERT INTO messages (position, id, reply_id, cursor, body, parts) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (position) DO UPDATE SET ${newer} ON CONFLICT (id) DO UPDATE SET ${newer}`,
      position,
      message.id,
      reply_id,
      cursor,
      head,
      parts,
    );
    if (isOutsized(bytes)) this.#outlines.keep(position, omitContent(message, bytes));
  }

  #storeBody(position: number, message: Msg): StoredHead & { readonly bytes: number } {
    const body = new TextEncoder().encode(JSON.stringify(message));
    return { bytes: body.byteLength, ...storeParts(this.#sql, "message", position, body) };
  }

  /** Makes a message without a reply the input of one. */
  claim(id: string, replyId: string): void {
    this.#sql.exec(
      "UPDATE messages SET reply_id = ? WHERE id = ? AND reply_id IS NULL",
      replyId,
      id,
    );
  }

  find(id: string): PlacedMessage | null {
    return this.findUnread(id)?.read() ?? null;
  }

  findPlace(id: string): StoredPlace | null {
    const query = `SELECT ${PLACE} FROM messages WHERE id = ?`;
    return this.#sql.exec<PlaceRow>(query, id).toArray()[0] ?? null;
  }

  /** The ids among these that messages have, without reading the messages: for an AG-UI transcript. */
  known(ids: readonly string[]): ReadonlySet<string> {
    return findKnownIds(this.#sql, ids);
  }

  count(): number {
    return this.#sql.exec<{ count: number }>("SELECT count(*) AS count FROM messages").one().count;
  }

  /** The id of the message at a position, or of the first one above it. */
  idFrom(position: number): string | null {
    const query = "SELECT id FROM messages WHERE position >= ? ORDER BY position LIMIT 1";
    return this.#sql.exec<{ id: string }>(query, position).toArray()[0]?.id ?? null;
  }

  /**
   * Bytes of the newest messages as JSON, parts counted as full. @param from The first position. @param enough Once there
   * are so many, no older message is counted: each costs a row.
   */
  storedBytes(from: number, enough: number): number {
    let size = 0;
    for (const { bytes } of this.#sizes(from, Infinity)) {
      size += bytes;
      if (size >= enough) break;
    }
    return size;
  }

  /**
   * The ids of one reply's messages, newest first: its own message and its input, at most as many as a native request
   * may have, then the messages without a reply that it was the first to read, up to the same number.
   * @param last Position of its own message.
   */
  idsOfReply(replyId: string, last: number): readonly string[] {
    const rows = this.#sql.exec<{ id: string; reply_id: string | null }>(
      "SELECT id, reply_id FROM messages WHERE position <= ? ORDER BY position DESC",
      last,
    );
    const ids: string[] = [];
    let [own, unclaimed] = [0, 0];
    for (const { id, reply_id } of rows) {
      if (reply_id === null) unclaimed += 1;
      else if (reply_id === replyId) own += 1;
      else break;
      if (own > MAX_INPUT_MESSAGES + 1 || unclaimed > MAX_INPUT_MESSAGES) break;
      ids.push(id);
    }
    return ids;
  }

  /** As {@link find}, read when it is asked for. */
  findUnread(id: string): UnreadMessage | null {
    const [row] = this.#sql
      .exec<MessageRow>(`SELECT ${COLUMNS} FROM messages WHERE id = ?`, id)
      .toArray();
    return row ? this.#unread(row) : null;
  }

  /** The position above which the messages up to another one fit into `maxBytes`. Reads their sizes alone. */
  startOf(upTo: number, maxBytes: number): number {
    let size = 0;
    for (const { position, bytes } of this.#sizes(0, upTo)) {
      size += bytes;
      if (size > maxBytes) return position;
    }
    return 0;
  }

  /** Newest first. The length of a value is read without the value. */
  #sizes(from: number, upTo: number): Iterable<Pick<PlaceRow, "position" | "bytes">> {
    return this.#sql.exec<Pick<PlaceRow, "position" | "bytes">>(
      `SELECT position, length(body) + parts * ${MAX_ROW_BYTES} AS bytes FROM messages
       WHERE position BETWEEN ? AND ? ORDER BY position DESC`,
      from,
      upTo,
    );
  }

  /** The id of a message up to a position that is too large for an answer, if there is one. */
  findOutsized(upTo: number): string | null {
    const [row] = this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM messages
         WHERE position <= ? AND length(body) + parts * ${MAX_ROW_BYTES} > ?
         ORDER BY position LIMIT 1`,
        upTo,
        MAX_SHOWN_MESSAGE_BYTES,
      )
      .toArray();
    return row?.id ?? null;
  }

  /** The places of the readable messages below a position, newest first. */
  *placesBefore(position: number): Generator<Sized<StoredPlace>, void> {
    const rows = this.#sql.exec<PlaceRow>(
      `SELECT ${PLACE} FROM messages WHERE position < ? AND (parts > 0 OR json_valid(CAST(body AS TEXT)))
       ORDER BY position DESC`,
      position,
    );
    for (const row of rows) yield { item: row, bytes: shownBytes(row.bytes) };
  }

  /** The JSON of a message of any size, read lazily. The message must not change any more. */
  whole(place: StoredPlace): Iterable<Uint8Array> {
    return readPieces(this.#sql, storedBody(place));
  }

  /** The JSON of a message as answers show it, read lazily. The message must not change any more. */
  *shown(place: StoredPlace): Generator<Uint8Array | string, void> {
    if (isOutsized(place.bytes)) yield JSON.stringify(this.#outlines.read(place));
    else yield* this.whole(place);
  }

  /** The messages above a position and up to another, oldest first, each read lazily. */
  *between(after: number, upTo: number): Generator<Sized<PlacedMessage>, void> {
    const rows = this.#sql.exec<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE position > ? AND position <= ? ORDER BY position`,
      after,
      upTo,
    );
    for (const row of rows) yield* this.#sized(row);
  }

  /** The messages below a position, newest first, each read lazily. */
  *before(position: number): Generator<Sized<PlacedMessage>, void> {
    for (const { bytes, read } of this.unread(position)) {
      const item = read();
      if (item) yield { item, bytes };
    }
  }

  /** As {@link before}, with the size of each message before it is read. @param from The first position. */
  *unread(position: number, from = 0): Generator<UnreadMessage, void> {
    const rows = this.#sql.exec<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE position < ? AND position >= ? ORDER BY position DESC`,
      position,
      from,
    );
    for (const row of rows) yield this.#unread(row);
  }

  #unread(row: MessageRow): UnreadMessage {
    const bytes = bodyBytes(row);
    const isShort = row.parts === 0 || isOutsized(bytes);
    return {
      position: row.position,
      bytes,
      read: () => this.#load(row),
      readInSlices: async () => {
        if (isShort) return this.#load(row);
        const writes = this.#writes;
        const text = await readTextInSlices(this.#sql, "message", row);
        const [now] = this.#sql
          .exec<MessageRow>(`SELECT ${COLUMNS} FROM messages WHERE position = ?`, row.position)
          .toArray();
        if (!now) return null;
        return this.#writes === writes ? this.#load(now, text) : this.#load(now);
      },
    };
  }

  /** The reply ids of the messages up to a position, newest message first, read lazily. */
  *replyIdsBefore(position: number): Generator<string, void> {
    const rows = this.#sql.exec<{ reply_id: string }>(
      `SELECT reply_id FROM messages WHERE position <= ? AND reply_id IS NOT NULL
       ORDER BY position DESC`,
      position,
    );
    for (const { reply_id } of rows) yield reply_id;
  }

  *#sized(row: MessageRow): Generator<Sized<PlacedMessage>, void> {
    const item = this.#load(row);
    if (item) yield { item, bytes: bodyBytes(row) };
  }

  /** Null for a message that cannot be read: the conversation continues without it. */
  #load(
    { position, reply_id, cursor, body, parts }: MessageRow,
    text?: string,
  ): PlacedMessage | null {
    const bytes = bodyBytes({ body, parts });
    try {
      const message = isOutsized(bytes)
        ? this.#outlines.read({ position, parts, bytes })
        : (JSON.parse(text ?? this.#text(position, body, parts)) as Msg);
      return { position, reply_id, message, cursor };
    } catch {
      console.error("a stored message cannot be read, and is left out", { position });
      return null;
    }
  }

  #text(position: number, body: ArrayBuffer, parts: number): string {
    return new TextDecoder().decode(loadParts(this.#sql, "message", position, body, parts));
  }
}
