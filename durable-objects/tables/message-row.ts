// The row of one message, by its id.
import { wasSetAside, type MessageRow } from "./stored-message.ts";

export const MESSAGE_COLUMNS = "position, id, reply_id, cursor, body, parts";

export function rowOf(sql: SqlStorage, id: string): MessageRow | null {
  const query = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE id = ?`;
  const [row] = sql.exec<MessageRow>(query, id).toArray();
  return row ?? null;
}

/**
 * The row of a reply's own message. A client may have given its id to another message, after a restore had taken it out.
 * @param hasRestores Whether there were any.
 */
export function rowOfReply(sql: SqlStorage, id: string, hasRestores: boolean): MessageRow | null {
  const row = rowOf(sql, id);
  return !hasRestores || row?.reply_id === id ? row : (setAsideOf(sql, id) ?? row);
}

function setAsideOf(sql: SqlStorage, replyId: string): MessageRow | null {
  const query = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE ${wasSetAside("?1")} AND reply_id = ?1`;
  const [row] = sql.exec<MessageRow>(`${query} ORDER BY position DESC LIMIT 1`, replyId).toArray();
  return row ?? null;
}
