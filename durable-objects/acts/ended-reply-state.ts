// The state of a reply that has ended, as a late answer is checked against it.
import { startReplyState, type ReplyState } from "../../agent/state/reply-state.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** The message is complete; members that only a running reply needs have their initial values. */
export function endedReplyState(message: Msg): ReplyState {
  const { id, name, role, created_at } = message;
  const start = startReplyState({
    type: "REPLY_START",
    id: "",
    session_id: "",
    reply_id: id,
    name,
    role,
    created_at,
    metadata: {},
  });
  return { ...start, message };
}
