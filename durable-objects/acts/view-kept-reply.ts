import type { Reply } from "../../protocol/replies/contract.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** For a replay: the reply that the first answer named, in its current state; null when it named none. */
export async function viewKeptReply(
  session: OpenSession,
  replyId: string | null,
): Promise<Reply | null> {
  if (replyId === null) return null;
  const found = await session.queue.read(replyId, 0);
  return found.ok ? found.value : null;
}
