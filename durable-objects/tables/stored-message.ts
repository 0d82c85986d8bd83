// The forms of a stored message: its row, its place and size, the message itself.
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import {
  MAX_MESSAGE_ID_CHARACTERS,
  MAX_OUTLINE_MEMBER_CHARACTERS,
  MAX_SHOWN_MESSAGE_BYTES,
} from "../../protocol/requests/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StoredValue } from "../bytes/parts.ts";
import type { StagedBody } from "../log/stage-messages.ts";

export interface MessageRow extends Record<string, SqlStorageValue> {
  position: number;
  id: string;
  reply_id: string | null;
  cursor: number;
  body: ArrayBuffer;
  parts: number;
}

/** The place of a message, without the message. */
export interface StoredPlace {
  readonly position: number;
  /** The reply that it belongs to. */
  readonly reply_id: string | null;
  /** The seq that the message is folded to. */
  readonly cursor: number;
  /** Bytes of its JSON, its parts counted as full. */
  readonly bytes: number;
  readonly parts: number;
}

export interface PlacedMessage {
  readonly position: number;
  /** The message's id, or the one under which it was set aside. */
  readonly key: string;
  readonly reply_id: string | null;
  /** Without its content when it is too large for an answer. */
  readonly message: Msg;
  /** The seq that the message is folded to. */
  readonly cursor: number;
}

export interface UnreadMessage {
  readonly position: number;
  readonly bytes: number;
  /** Null for a message that cannot be read: the conversation continues without it. */
  readonly read: () => PlacedMessage | null;
  /** As `read`, but a large one is read a part in each time slice. */
  readonly readInSlices: () => Promise<PlacedMessage | null>;
}

export interface MessageWrite {
  /** The seq of the event that added the message. */
  readonly position: number;
  /** Null for a message that is no part of a reply. */
  readonly reply_id: string | null;
  readonly message: Msg;
  readonly cursor: number;
  /** Set when parts of it are on disk already. */
  readonly staged?: StagedBody;
}

const HEAD_QUERY = "SELECT substr(body, ?, ?) AS piece FROM messages WHERE position = ?";

export function storedBody({
  position,
  parts,
}: Pick<StoredPlace, "position" | "parts">): StoredValue {
  return { owner: "message", key: position, parts, headQuery: HEAD_QUERY };
}

export function isOutsized(bytes: number): boolean {
  return bytes > MAX_SHOWN_MESSAGE_BYTES;
}

export function shownBytes(bytes: number): number {
  return isOutsized(bytes) ? MAX_OUTLINE_MEMBER_CHARACTERS : bytes;
}

/** Bytes of the whole body, its parts counted as full. */
export function bodyBytes({ body, parts }: Pick<MessageRow, "body" | "parts">): number {
  return body.byteLength + parts * MAX_ROW_BYTES;
}

/**
 * Part of a transaction: the message's id is free for another one. The message is found by its position from then on, and
 * by an id that no message can have, because it is too long.
 * @returns That id.
 */
export function setMessageAside(
  sql: SqlStorage,
  { id, position }: { readonly id: string; readonly position: number },
): string {
  const key = `${id}${String(position).padStart(ASIDE_CHARACTERS)}`;
  sql.exec("UPDATE messages SET id = ? WHERE position = ?", key, position);
  return key;
}

const ASIDE_CHARACTERS = MAX_MESSAGE_ID_CHARACTERS + 1;

/** Spaces behind an id in all ids under which its messages were set aside. Positions have fewer digits. */
const ASIDE_START = " ".repeat(ASIDE_CHARACTERS - 20);

/** A condition on `messages.id`, by its index: the ids under which messages with an id were set aside. */
export function wasSetAside(id: string): string {
  const start = `${id} || '${ASIDE_START}'`;
  const length = `length(${id}) + ${ASIDE_CHARACTERS}`;
  return `id > ${start} AND id < ${start} || ':' AND length(id) = ${length}`;
}
