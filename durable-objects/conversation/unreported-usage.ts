import { appendEvent } from "../../protocol/fold/append-event.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import type { UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import type { OpenSession } from "../session/open-session.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import { placeholderStart } from "../reply/restore-reply.ts";

/**
 * What a session that is about to be erased has used and D1 has not heard of. It may not have been woken: then its open
 * reply is not folded for this. Contract: never throws; what cannot be read is not billed.
 */
export function unreportedUsage(session: OpenSession): readonly UsageEntry[] {
  try {
    return session.outbox.unreportedUsage(openUsage(session), session.log.lastSeq);
  } catch (error) {
    console.warn("the last usage of an erased session cannot be read", { error: String(error) });
    return [];
  }
}

function openUsage(session: OpenSession): Pick<UsageEntry, "reply_id" | "usage"> | null {
  const { openReply, tables } = session;
  if (openReply) return { reply_id: openReply.id, usage: openReply.state.message.usage };
  const row = tables.replies.open();
  return row && { reply_id: row.id, usage: usageInLog(session, row) };
}

/** From the ends of its model calls alone, the only events of it that are parsed. */
function usageInLog(session: OpenSession, row: ReplyRow): Usage | null {
  let message = startMessage(placeholderStart(session, row));
  for (const event of session.log.modelCallEnds(row.start_cursor)) {
    message = appendEvent(message, event);
  }
  return message.usage;
}
