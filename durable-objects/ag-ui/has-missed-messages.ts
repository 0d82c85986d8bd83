import { MAX_INPUT_MESSAGES } from "../../protocol/replies/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StartedRun } from "../api/session-api.ts";

/**
 * Whether a reply before this run has read words of users that a transcript lacks: they were said in another tab, or by
 * the tenant's back end. What no reply has read comes as the run's own input. Users' messages alone are compared: their
 * ids are the clients' own, while front ends give the agent's messages ids of theirs. Cost: reads the run's input and
 * what was said before it.
 */
export function hasMissedMessages(
  { tables }: OpenSession,
  { reply_id, cursor }: Pick<StartedRun, "reply_id" | "cursor">,
  messageIds: readonly string[],
): boolean {
  const held = new Set(messageIds);
  let unread = 0;
  for (const { item } of tables.messages.before(cursor + 1)) {
    const { message, reply_id: reader } = item;
    if (reader === null) unread += 1;
    if (unread > MAX_INPUT_MESSAGES) return false;
    if (message.role !== "user" || reader === null) continue;
    if (!held.has(message.id)) return true;
    // The message is of an earlier reply: a client that has it has received all that was before it.
    if (reader !== reply_id) return false;
  }
  return false;
}
