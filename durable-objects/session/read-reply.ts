import type { Reply } from "../../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "./open-session.ts";
import { viewReply } from "../reply/reply-view.ts";
import { withTimeout } from "../../runtime/with-timeout.ts";

const GONE = refuse("not_found", "there is no such session");

/** A reply as far as it is on disk. @param waitMs How long to wait for it to end or park; 0 answers at once. */
export async function readReply(
  session: OpenSession,
  replyId: string,
  waitMs: number,
): Promise<Result<Reply>> {
  const untilMs = Date.now() + waitMs;
  const { log, tables, starter, init } = session;
  const { queue } = tables;
  if (waitMs > 0 && queue.find(replyId)) await withTimeout(starter.begun(replyId), waitMs);
  if (log.isClosed) return GONE;
  const reply = session.active;
  if (reply?.id === replyId) {
    if (reply.isRunning) await withTimeout(reply.rest, Math.max(untilMs - Date.now(), 0));
    // What is shown of a rest is on disk; one that is answered at this moment is no rest any more.
    if (!reply.isRunning) await log.settled();
    return log.isClosed ? GONE : accept(session.view(reply));
  }
  const row = tables.replies.find(replyId) ?? queue.find(replyId);
  if (!row) return refuse("not_found", `there is no reply ${replyId} in this session`);
  const folded = tables.messages.find(row.id);
  return accept(viewReply(row, init.session_id, folded, tables.calls));
}
