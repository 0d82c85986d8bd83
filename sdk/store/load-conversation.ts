import type { Session } from "../../protocol/sessions/contract.ts";
import { omittedOf } from "../../protocol/messages/omitted.ts";
import type { SessionHandle } from "../session/session-handle.ts";
import { indexOfMessage, type ConversationState, type LiveMessage } from "./conversation.ts";

/**
 * Reads the newest messages, then what runs, waits and is queued. The two answers may be of different moments: each has
 * its position, and the stream begins at the earlier one.
 *
 * @throws {ApiError} `not_found` for a session that is not there, or is another tenant's.
 */
export async function loadConversation(
  session: SessionHandle,
  pageSize: number | undefined,
  signal: AbortSignal,
): Promise<ConversationState> {
  const page = await session.messages.list({ limit: pageSize ?? 20 }, { signal }).page();
  const now = await session.get({ signal });
  const live = await findLive(session, now, page, signal);
  return {
    messages: page.data,
    live,
    cursor: Math.min(now.cursor, page.cursor),
    foldedTo: page.cursor,
    controlledTo: now.cursor,
    replyId: now.reply_id,
    asked: new Map(now.pending.map((call) => [call.tool_call.id, call])),
    progress: new Map(),
    queuedReplyIds: now.queued_reply_ids.filter((id) => id !== now.reply_id),
    olderPage: page.next_page,
  };
}

/** The message of the open reply. One that is not in the page, or there without its content, is read by itself. */
async function findLive(
  session: SessionHandle,
  { reply_id, queued_reply_ids }: Session,
  page: { readonly data: ConversationState["messages"]; readonly cursor: number },
  signal: AbortSignal,
): Promise<LiveMessage | null> {
  if (reply_id === null || queued_reply_ids.includes(reply_id)) return null;
  const index = indexOfMessage(page.data, reply_id);
  const message = page.data[index];
  if (message && !omittedOf(message)) return { message, index, foldedTo: page.cursor };
  const whole = await session.message(reply_id, { signal });
  return { message: whole.message, index, foldedTo: whole.cursor };
}
