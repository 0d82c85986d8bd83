import type { Msg } from "../../protocol/messages/messages.ts";
import type { MessageTable } from "./message-table.ts";

/**
 * Puts a message in the place of the one with its id; part of a transaction. @param cursor The seq that it is folded to; that of
 * before when left out. @returns Its position; null when there is none.
 */
export function replaceMessage(
  sql: SqlStorage,
  messages: Pick<MessageTable, "findPlace" | "put">,
  message: Msg,
  cursor?: number,
): number | null {
  const place = messages.findPlace(message.id);
  if (!place) return null;
  const { position, reply_id } = place;
  sql.exec("DELETE FROM parts WHERE owner IN ('message', 'outline') AND key = ?", position);
  messages.put({ position, reply_id, message, cursor: cursor ?? place.cursor });
  return position;
}
