import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { DATA_ACTIVITY, HINT_ACTIVITY, toAgUiMessages, type AgUiMessage } from "./wire/messages.ts";
import { newestMessages } from "./wire/newest-messages.ts";

export type MessagesSnapshot = Extract<AgUiEvent, { type: "MESSAGES_SNAPSHOT" }>;

/** The client package's own name for: of these kinds of activity the snapshot has all there are. */
const OWNED_ACTIVITIES = {
  "@ag-ui/client": { authoritativeActivityTypes: [DATA_ACTIVITY, HINT_ACTIVITY] },
} as const;

/**
 * The messages as a snapshot, or as many of the newest as fit. A client drops the messages that a snapshot lacks: whoever
 * sends it puts the conversation from before these in front.
 * @param discarded Thoughts that were taken back. A snapshot without a thought leaves a client's as they are, so they
 * are then emptied.
 */
export function messagesSnapshot(
  conversation: readonly Msg[],
  discarded: readonly string[] = [],
): MessagesSnapshot {
  const messages = newestMessages(conversation.flatMap(toAgUiMessages));
  const hasThought = messages.some(({ role }) => role === "reasoning");
  const emptied = hasThought
    ? []
    : discarded.map((id): AgUiMessage => ({ id, role: "reasoning", content: "" }));
  return {
    type: "MESSAGES_SNAPSHOT",
    messages: [...messages, ...emptied],
    metadata: OWNED_ACTIVITIES,
  };
}
