import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { withTimeout } from "../../runtime/with-timeout.ts";
import type { ReplyStarter } from "../reply/reply-queue.ts";
import { viewActiveReply, viewReply } from "../reply/reply-view.ts";
import type { SessionRecord } from "./session-record.ts";

const GONE = refuse("not_found", "there is no such session");

interface ReplyRead {
  readonly replyId: string;
  /** How long to wait for it to end or park, in milliseconds; 0 returns at once. */
  readonly waitMs: number;
}

/** A reply in its durable state. */
export async function readReply(
  session: SessionRecord,
  starter: Pick<ReplyStarter, "untilBegun">,
  { replyId, waitMs }: ReplyRead,
): Promise<Result<Reply>> {
  const untilMs = Date.now() + waitMs;
  const { log, tables, init } = session;
  const { queue } = tables;
  if (waitMs > 0 && queue.find(replyId)) await withTimeout(starter.untilBegun(replyId), waitMs);
  if (log.isClosed) return GONE;
  const reply = session.active;
  if (reply?.id === replyId) {
    if (reply.isRunning) await withTimeout(reply.settled, Math.max(untilMs - Date.now(), 0));
    // An end or a wait is shown when it is on disk; a reply that was answered meanwhile runs again.
    if (!reply.isRunning) await log.settled();
    return log.isClosed ? GONE : accept(viewActiveReply(session, reply));
  }
  const row = tables.replies.find(replyId) ?? queue.find(replyId);
  if (!row) return refuse("not_found", `there is no reply ${replyId} in this session`);
  const folded = tables.messages.find(row.id);
  return accept(viewReply(row, init.session_id, folded, tables.calls));
}
