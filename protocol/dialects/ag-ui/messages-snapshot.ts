import type { Msg } from "../../messages/messages.ts";
import { findBlock } from "./lanes/find-block.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { DATA_ACTIVITY, HINT_ACTIVITY, type AgUiMessage } from "./wire/messages.ts";
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
  conversation: readonly AgUiMessage[],
  discarded: readonly string[] = [],
): MessagesSnapshot {
  const messages = newestMessages(conversation);
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

/** Ids of the thoughts that a message has lost. */
export function discardedThoughts({ content }: Msg, after: Msg): readonly string[] {
  return content.flatMap(({ type, id }) =>
    type === "thinking" && !findBlock(after, type, id) ? [id] : [],
  );
}
