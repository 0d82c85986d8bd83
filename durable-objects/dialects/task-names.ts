import { a2aMarkOf } from "../../protocol/a2a/a2a-mark.ts";
import type { A2aTaskNames } from "../../protocol/dialects/a2a/task-status.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { eventsBetween } from "../sessions/replay-events.ts";

/** The names of a reply as a task: its context is named as its client has named it, else as the session is. */
export function taskNames(session: OpenSession, replyId: string): A2aTaskNames {
  const { thread_id, session_id } = session.init;
  const context_id = contextOf(session, replyId) ?? thread_id ?? session_id;
  return { task_id: replyId, context_id };
}

/** The first event of a reply says it; of one that is queued, its request. Costs a row of the log. */
function contextOf(session: OpenSession, replyId: string): string | undefined {
  const row = session.tables.replies.find(replyId);
  if (!row) return session.tables.queue.read(replyId)?.a2a?.context_id;
  const after = row.start_cursor;
  const [start] = eventsBetween(session, after, after + 1);
  return start && a2aMarkOf(start)?.context_id;
}
