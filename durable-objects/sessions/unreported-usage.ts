import { appendEvent } from "../../protocol/fold/append-event.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import type { UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import type { OpenSession } from "./open-session.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import { placeholderStart } from "../replies/restore-reply.ts";

/**
 * Usage of a session that is about to be erased, as far as D1 does not have it. The session may not have been woken:
 * its open reply is not folded for this. Contract: never throws; usage that cannot be read is not billed.
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

/** Sums the usage of the reply's model calls and summaries; no other events than those of their types are parsed. */
function usageInLog(session: OpenSession, row: ReplyRow): Usage | null {
  let message = startMessage(placeholderStart(session, row));
  for (const event of session.log.usageEvents(row.start_cursor)) {
    message = appendEvent(message, event);
  }
  return message.usage;
}
