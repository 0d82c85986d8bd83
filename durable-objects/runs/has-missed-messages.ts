import type { OpenSession } from "../session/open-session.ts";
import type { StartedRun } from "../api/session-api.ts";

/**
 * Whether the thread has words of users from before this run that a transcript lacks: they were said in another tab, or
 * by the tenant's back end. Users' messages alone are compared: their ids are the clients' own, while front ends give
 * the agent's messages ids of theirs. Cost: reads the run's input and what was said before it.
 */
export function hasMissedMessages(
  { tables }: OpenSession,
  { reply_id, cursor }: Pick<StartedRun, "reply_id" | "cursor">,
  messageIds: readonly string[],
): boolean {
  const held = new Set(messageIds);
  for (const { item } of tables.messages.before(cursor + 1)) {
    const { message, reply_id: reader } = item;
    if (message.role !== "user") continue;
    if (!held.has(message.id)) return true;
    // Of an earlier reply: a client that has it has received what was before it.
    if (reader !== reply_id) return false;
  }
  return false;
}
