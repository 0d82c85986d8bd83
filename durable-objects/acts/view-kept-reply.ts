import type { Reply } from "../../protocol/api/replies.ts";
import type { OpenSession } from "../session/open-session.ts";

/** The reply of an earlier answer, as it is now; null when there was none. */
export async function viewKeptReply(
  session: OpenSession,
  replyId: string | null,
): Promise<Reply | null> {
  if (replyId === null) return null;
  const found = await session.control.readReply(replyId, 0);
  return found.ok ? found.value : null;
}
