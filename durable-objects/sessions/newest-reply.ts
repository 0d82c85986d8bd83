import type { Msg } from "../../protocol/messages/messages.ts";
import type { OpenSession } from "./open-session.ts";

export interface NewestReply {
  readonly id: string;
  readonly message: Msg;
  /** The reply's last seq, when it waits or has ended; null while it runs. */
  readonly end_seq: number | null;
}

/** The reply that began last, whatever the order of their ids; null before the first. */
export function newestReply({ active, tables }: OpenSession): NewestReply | null {
  if (active) return { id: active.id, message: active.state.message, end_seq: active.endSeq };
  // Avoids reading a long conversation that was copied and has no reply.
  if (!tables.replies.newest()) return null;
  for (const { item } of tables.messages.before(Infinity)) {
    const { id } = item.message;
    if (item.reply_id !== id) continue;
    return { id, message: item.message, end_seq: tables.replies.find(id)?.end_seq ?? null };
  }
  return null;
}
