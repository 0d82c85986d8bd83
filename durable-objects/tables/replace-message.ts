import type { Msg } from "../../protocol/messages/messages.ts";
import type { MessageTable } from "./message-table.ts";

/**
 * Puts a message in the place of the one with its id, folded to the same seq; part of a transaction.
 * @returns Its position; null when there is none.
 */
export function replaceMessage(
  sql: SqlStorage,
  messages: Pick<MessageTable, "findPlace" | "put">,
  message: Msg,
): number | null {
  const place = messages.findPlace(message.id);
  if (!place) return null;
  const { position, reply_id, cursor } = place;
  sql.exec("DELETE FROM parts WHERE owner IN ('message', 'outline') AND key = ?", position);
  messages.put({ position, reply_id, message, cursor });
  return position;
}
