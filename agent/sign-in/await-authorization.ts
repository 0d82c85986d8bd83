import type { EventDraft } from "../../protocol/events.ts";
import type { AuthorizationRequired } from "../../protocol/messages/call-reasons.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The call waits for a sign-in: nothing of it was taken, so it is made again behind it. */
export function awaitAuthorization(
  { message }: ReplyState,
  call: ToolCallBlock,
  authorization: AuthorizationRequired,
): EventDraft {
  return {
    type: "REQUIRE_EXTERNAL_EXECUTION",
    reply_id: message.id,
    tool_calls: [{ ...call, state: "submitted" }],
    metadata: {
      expires_at: { [call.id]: authorization.expires_at },
      authorizations: { [call.id]: authorization },
    },
  };
}
