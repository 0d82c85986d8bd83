// Splits the messages of a request into new ones and those that the session has, by their ids: a client whose response
// was lost sends the same messages again.
import { refuse } from "../../protocol/errors.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { wasSetAside, type PlacedMessage } from "./stored-message.ts";
import { isSameMessage } from "./reply-input.ts";

export interface KnownMessages {
  /** New messages, each id once. */
  readonly fresh: readonly Msg[];
  /** The reply that the known ones belong to, or null. */
  readonly replyId: string | null;
  /** Ids of known messages that are no reply's input yet. */
  readonly unclaimed: readonly string[];
}

/** @returns The index of the first message whose id has other content in the session, or the split. */
export function matchKnownMessages(
  messages: readonly Msg[],
  find: (id: string) => Pick<PlacedMessage, "message" | "reply_id"> | null,
): { conflict: number } | KnownMessages {
  const fresh = new Map<string, Msg>();
  const unclaimed: string[] = [];
  let replyId: string | null = null;
  for (const [index, message] of messages.entries()) {
    const stored = find(message.id);
    const known = stored?.message ?? fresh.get(message.id);
    if (known && !isSameMessage(known, message)) return { conflict: index };
    if (stored?.reply_id === null) unclaimed.push(message.id);
    if (stored) replyId ??= stored.reply_id;
    else fresh.set(message.id, message);
  }
  return { fresh: [...fresh.values()], replyId, unclaimed };
}

/** @param pointer The place of the message's id in the request. */
export function refuseConflict(id: string, pointer: string): { ok: false; refusal: Refusal } {
  const detail = `message ${id} is in this session with other content; give a new message a new id`;
  return refuse("message_conflict", detail, { errors: [{ pointer, detail }] });
}

const KNOWN = "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))";

const KNOWN_OR_ASIDE = `
  SELECT given.value AS id FROM json_each(?) AS given
  WHERE EXISTS (SELECT 1 FROM messages WHERE id = given.value)
  OR EXISTS (SELECT 1 FROM messages WHERE ${wasSetAside("given.value")})`;

/**
 * The ids among these that messages have, looked up together: one by one, thousands take ten times as long.
 * @param hasRestores Whether messages may have been set aside, which had some of the ids.
 */
export function findKnownIds(
  sql: SqlStorage,
  ids: readonly string[],
  hasRestores: boolean,
): ReadonlySet<string> {
  // As they are stored.
  const texts = ids.map((id) => id.toWellFormed());
  const query = hasRestores ? KNOWN_OR_ASIDE : KNOWN;
  const rows = sql.exec<{ id: string }>(query, JSON.stringify(texts));
  const found = new Set(Array.from(rows, ({ id }) => id));
  return new Set(ids.filter((id) => found.has(id.toWellFormed())));
}
