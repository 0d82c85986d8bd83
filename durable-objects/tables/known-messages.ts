// Which messages of a request are in the session already. A client that lost an answer sends the same again; ids
// tell that from something new.
import { refuse } from "../../protocol/errors.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StoredMessage } from "./stored-message.ts";
import { isSameMessage } from "./reply-input.ts";

export interface KnownMessages {
  /** What is new, each id once. */
  readonly fresh: readonly Msg[];
  /** The reply that the known ones belong to, or null. */
  readonly replyId: string | null;
  /** Ids of those that are known and were never a reply's input. */
  readonly unclaimed: readonly string[];
}

/** @returns The index of the first message whose id was used for other content, or what is new and what is known. */
export function matchKnownMessages(
  messages: readonly Msg[],
  find: (id: string) => Pick<StoredMessage, "message" | "reply_id"> | null,
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

/** @param pointer Where the message's id stands in the request. */
export function refuseConflict(id: string, pointer: string): { ok: false; refusal: Refusal } {
  const detail = `message ${id} is in this session with other content; give a new message a new id`;
  return refuse("message_conflict", detail, { errors: [{ pointer, detail }] });
}
