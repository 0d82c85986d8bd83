// The session's folded messages, in the order of the conversation. Those that a restore has taken out of it keep their
// rows: they are read as of a position before it, and as the messages of their replies.
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import { MAX_SHOWN_MESSAGE_BYTES } from "../../protocol/requests/limits.ts";
import { MAX_INPUT_MESSAGES } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omitContent } from "../../protocol/messages/omitted.ts";
import { loadParts, readPieces, storeParts, storeRest, type StoredHead } from "../bytes/parts.ts";
import { ConversationRows } from "./conversation-rows.ts";
import { findKnownIds } from "./known-messages.ts";
import { MessageOutlines } from "./message-outlines.ts";
import { MESSAGE_COLUMNS, rowOf, rowOfReply } from "./message-row.ts";
import { NO_RESTORES, type Restores } from "./restore-table.ts";
import { readTextInSlices } from "../bytes/read-text-in-slices.ts";
import {
  bodyBytes,
  setMessageAside,
  isOutsized,
  shownBytes,
  storedBody,
  wasSetAside,
  type MessageRow,
  type MessageWrite,
  type PlacedMessage,
  type StoredPlace,
  type UnreadMessage,
} from "./stored-message.ts";
import type { Sized } from "../bytes/take-page.ts";

/** The length of a value is read without the value. */
const PLACE = `position, reply_id, cursor, length(body) + parts * ${MAX_ROW_BYTES} AS bytes, parts`;
const SIZE = `position, length(body) + parts * ${MAX_ROW_BYTES} AS bytes`;

type SizeRow = { position: number; bytes: number };
type OwnPlace = { position: number; id: string; reply_id: string | null };
type PlaceRow = { [Member in keyof StoredPlace]: StoredPlace[Member] };

export class MessageTable {
  readonly #sql: SqlStorage;
  readonly #outlines: MessageOutlines;
  readonly #restores: Restores;
  readonly #rows: ConversationRows;
  /** Grows with each write: a change may leave a message's seq as it was. */
  #writes = 0;

  constructor(sql: SqlStorage, restores: Restores = NO_RESTORES) {
    this.#sql = sql;
    this.#outlines = new MessageOutlines(sql);
    this.#restores = restores;
    this.#rows = new ConversationRows(sql, restores);
  }

  put({ position, reply_id, message, cursor, staged }: MessageWrite): void {
    this.#writes += 1;
    if (this.#restores.newest > 0) this.#freeId(message.id);
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

  /** A message that was taken out of the conversation gives its id to the one that comes now. */
  #freeId(id: string): void {
    const query = "SELECT position FROM messages WHERE id = ?";
    const [row] = this.#sql.exec<{ position: number }>(query, id).toArray();
    if (row && this.#restores.isTaken(row.position))
      setMessageAside(this.#sql, { id, position: row.position });
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

  /** @param at The seq at which the conversation is looked at; when left out, as it is now. */
  findPlace(id: string, at = Infinity): StoredPlace | null {
    const rows = this.#sql.exec<PlaceRow>(`SELECT ${PLACE} FROM messages WHERE id = ?`, id);
    const isIn = ({ position: own }: PlaceRow) => own <= at && !this.#restores.isTaken(own, at);
    const row = rows.toArray().find(isIn);
    if (row || at >= this.#restores.newest) return row ?? null;
    const query = `SELECT ${PLACE} FROM messages WHERE ${wasSetAside("?1")}`;
    return this.#sql.exec<PlaceRow>(query, id).toArray().find(isIn) ?? null;
  }

  /** The message of a reply, also of one that was taken out of the conversation. */
  ofReply(id: string): PlacedMessage | null {
    return this.ofReplyUnread(id)?.read() ?? null;
  }

  /** As {@link ofReply}, read when it is asked for. */
  ofReplyUnread(id: string): UnreadMessage | null {
    const row = rowOfReply(this.#sql, id, this.#restores.newest > 0);
    return row ? this.#unread(row) : null;
  }

  /**
   * The ids among these that messages have, without reading the messages: for an AG-UI transcript. Also of those that were
   * taken out of the conversation, which an old transcript is not to bring back.
   */
  known(ids: readonly string[]): ReadonlySet<string> {
    return findKnownIds(this.#sql, ids, this.#restores.newest > 0);
  }

  count(): number {
    const query = "SELECT count(*) AS count FROM messages WHERE position BETWEEN ? AND ?";
    const counts = this.#restores
      .positionsAt(Infinity)
      .map(({ from, upTo }) => this.#sql.exec<{ count: number }>(query, from, upTo).one().count);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The id of the message at a position, or of the first one above it. */
  idFrom(position: number): string | null {
    const [row] = this.#rows.up<{ id: string }>("id", { from: position });
    return row?.id ?? null;
  }

  /**
   * Bytes of the newest messages as JSON, parts counted as full. @param from The first position. @param enough Once there
   * are so many, no older message is counted: each costs a row.
   */
  storedBytes(from: number, enough: number): number {
    let size = 0;
    for (const { bytes } of this.#rows.down<SizeRow>(SIZE, { from })) {
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
    return this.placesOfReply(replyId, last).map(({ id }) => id);
  }

  /** As {@link idsOfReply}, with their positions. */
  placesOfReply(replyId: string, last: number): readonly OwnPlace[] {
    const range = { upTo: last, at: last };
    const places: OwnPlace[] = [];
    let [own, unclaimed] = [0, 0];
    for (const row of this.#rows.down<OwnPlace>("position, id, reply_id", range)) {
      const { reply_id } = row;
      if (reply_id === null) unclaimed += 1;
      else if (reply_id === replyId) own += 1;
      else break;
      if (own > MAX_INPUT_MESSAGES + 1 || unclaimed > MAX_INPUT_MESSAGES) break;
      places.push(row);
    }
    return places;
  }

  /** As {@link find}, read when it is asked for. */
  findUnread(id: string): UnreadMessage | null {
    const row = rowOf(this.#sql, id);
    return row && !this.#restores.isTaken(row.position) ? this.#unread(row) : null;
  }

  /** The position above which the messages up to another one fit into `maxBytes`. Reads their sizes alone. */
  startOf(upTo: number, maxBytes: number): number {
    let size = 0;
    for (const { position, bytes } of this.#rows.down<SizeRow>(SIZE, { upTo, at: upTo })) {
      size += bytes;
      if (size > maxBytes) return position;
    }
    return 0;
  }

  /** The id of a message up to a position that is too large for an answer, if there is one. */
  findOutsized(upTo: number): string | null {
    const where = `AND length(body) + parts * ${MAX_ROW_BYTES} > ${MAX_SHOWN_MESSAGE_BYTES}`;
    const [row] = this.#rows.up<{ id: string }>("id", { upTo, at: upTo, where });
    return row?.id ?? null;
  }

  /** The places of the readable messages below a position, newest first. */
  *placesBefore(position: number): Generator<Sized<StoredPlace>, void> {
    const where = "AND (parts > 0 OR json_valid(CAST(body AS TEXT)))";
    const rows = this.#rows.down<PlaceRow>(PLACE, { upTo: position - 1, where });
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

  /** The messages above a position and up to another, of the conversation as it was there, oldest first, each read lazily. */
  *between(after: number, upTo: number): Generator<Sized<PlacedMessage>, void> {
    const range = { from: after + 1, upTo, at: upTo };
    for (const row of this.#rows.up<MessageRow>(MESSAGE_COLUMNS, range)) yield* this.#sized(row);
  }

  /** The messages below a position, of the conversation as it was there, newest first, each read lazily. */
  *before(position: number): Generator<Sized<PlacedMessage>, void> {
    for (const { bytes, read } of this.unread(position)) {
      const item = read();
      if (item) yield { item, bytes };
    }
  }

  /** As {@link before}, with the size of each message before it is read. @param from The first position. */
  *unread(position: number, from = 0): Generator<UnreadMessage, void> {
    const range = { from, upTo: position - 1, at: position - 1 };
    for (const row of this.#rows.down<MessageRow>(MESSAGE_COLUMNS, range)) yield this.#unread(row);
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
          .exec<MessageRow>(
            `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE position = ?`,
            row.position,
          )
          .toArray();
        if (!now) return null;
        return this.#writes === writes ? this.#load(now, text) : this.#load(now);
      },
    };
  }

  /** The reply ids of all messages up to a position, newest message first, read lazily. */
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
    { position, id: key, reply_id, cursor, body, parts }: MessageRow,
    text?: string,
  ): PlacedMessage | null {
    const bytes = bodyBytes({ body, parts });
    try {
      const message = isOutsized(bytes)
        ? this.#outlines.read({ position, parts, bytes })
        : (JSON.parse(text ?? this.#text(position, body, parts)) as Msg);
      return { position, key, reply_id, message, cursor };
    } catch {
      console.error("a stored message cannot be read, and is left out", { position });
      return null;
    }
  }

  #text(position: number, body: ArrayBuffer, parts: number): string {
    return new TextDecoder().decode(loadParts(this.#sql, "message", position, body, parts));
  }
}
