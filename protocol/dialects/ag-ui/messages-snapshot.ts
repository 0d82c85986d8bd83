import type { Msg } from "../../messages.ts";
import type { AgUiEvent } from "./events.ts";
import { DATA_ACTIVITY, HINT_ACTIVITY, toAgUiMessages, type AgUiMessage } from "./messages.ts";

export type MessagesSnapshot = Extract<AgUiEvent, { type: "MESSAGES_SNAPSHOT" }>;

/** The client package's own name for: of these kinds of activity the snapshot has all there are. */
const OWNED_ACTIVITIES = {
  "@ag-ui/client": { authoritativeActivityTypes: [DATA_ACTIVITY, HINT_ACTIVITY] },
} as const;

/**
 * The reply's messages as they are now. It stands for the whole conversation once {@link withHistory} has added what
 * was before the reply: a client drops the messages that a snapshot lacks.
 * @param discarded Thoughts that were taken back. A snapshot without a thought leaves a client's as they are, so they
 * are then emptied.
 */
export function messagesSnapshot(
  message: Msg,
  discarded: readonly string[] = [],
): MessagesSnapshot {
  const messages = toAgUiMessages(message);
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

/** @param history The conversation before the reply, oldest first. */
export function withHistory(event: MessagesSnapshot, history: readonly Msg[]): MessagesSnapshot {
  return { ...event, messages: [...history.flatMap(toAgUiMessages), ...event.messages] };
}
