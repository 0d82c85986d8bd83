// Splits the messages of a request into new ones and those that the session has, by their ids: a client whose response
// was lost sends the same messages again.
import { refuse } from "../../protocol/errors.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PlacedMessage } from "./stored-message.ts";
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

/** The ids among these that messages have, looked up together: one by one, thousands take ten times as long. */
export function findKnownIds(sql: SqlStorage, ids: readonly string[]): ReadonlySet<string> {
  // As they are stored.
  const texts = ids.map((id) => id.toWellFormed());
  const rows = sql.exec<{ id: string }>(
    "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(texts),
  );
  const found = new Set(Array.from(rows, ({ id }) => id));
  return new Set(ids.filter((id) => found.has(id.toWellFormed())));
}
