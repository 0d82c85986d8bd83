import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { viewReply } from "../replies/reply-view.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/**
 * For a replay: the reply as it was when it started, with the cursor before its first event, to be streamed from there.
 */
export async function viewStartedReply(
  session: OpenSession,
  replyId: string,
): Promise<Result<Reply>> {
  const row = session.tables.replies.find(replyId);
  if (!row) return session.queue.read(replyId, 0);
  await session.log.settled();
  const started = { ...row, status: "running" } as const;
  return accept(viewReply(started, session.init.session_id, null, session.tables.calls));
}
