import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { DATA_ACTIVITY, HINT_ACTIVITY, toAgUiMessages, type AgUiMessage } from "./wire/messages.ts";
import { newestMessages } from "./wire/newest-messages.ts";

export type MessagesSnapshot = Extract<AgUiEvent, { type: "MESSAGES_SNAPSHOT" }>;

/** Key defined by AG-UI's client package: the snapshot contains all activities of these types. */
const OWNED_ACTIVITIES = {
  "@ag-ui/client": { authoritativeActivityTypes: [DATA_ACTIVITY, HINT_ACTIVITY] },
} as const;

/**
 * `MESSAGES_SNAPSHOT` of these messages, or of as many of the newest as fit. A client drops the messages that a snapshot
 * lacks, so the stream that sends it puts the earlier conversation in front.
 * @param discarded Ids of discarded reasoning blocks. A client keeps reasoning that a snapshot omits, so these are
 *   included with empty text.
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
