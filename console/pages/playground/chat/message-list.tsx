import { memo } from "react";

import type { Msg } from "../../../../sdk/index.ts";
import type { OutgoingMessage, SessionCall, SessionState } from "../../../../sdk/react/index.ts";
import { ChatMessage } from "./chat-message.tsx";

/** Messages of a group: with each frame the groups are compared, and the messages of the last one. */
const GROUP_MESSAGES = 20;
const NO_CALLS: readonly SessionCall[] = [];
const NO_MESSAGES: readonly OutgoingMessage[] = [];

/** The conversation, oldest first. */
export function MessageList({
  state,
}: {
  readonly state: Pick<SessionState, "messages" | "outgoing" | "pendingCalls" | "replyId">;
}) {
  const { messages, outgoing, pendingCalls, replyId } = state;
  const groups = Math.ceil(messages.length / GROUP_MESSAGES);
  return (
    <ol className="messages" aria-label="Messages">
      {Array.from({ length: groups }, (_, index) => {
        const start = index * GROUP_MESSAGES;
        const isLast = index >= groups - 2;
        return (
          <Group
            key={start}
            messages={messages}
            start={start}
            replyId={isLast ? replyId : null}
            calls={isLast ? pendingCalls : NO_CALLS}
            outgoing={isLast ? outgoing : NO_MESSAGES}
          />
        );
      })}
    </ol>
  );
}

interface GroupProps {
  /** All of them. */
  readonly messages: readonly Msg[];
  readonly start: number;
  readonly replyId: string | null;
  readonly calls: readonly SessionCall[];
  readonly outgoing: readonly OutgoingMessage[];
}

const Group = memo(function Group({ messages, start, replyId, calls, outgoing }: GroupProps) {
  return messages.slice(start, start + GROUP_MESSAGES).map((message) => {
    const isOpen = message.id === replyId;
    return (
      <li key={message.id}>
        <ChatMessage
          message={message}
          isOpen={isOpen}
          calls={isOpen ? calls : NO_CALLS}
          outgoing={outgoing.find(({ id }) => id === message.id)}
        />
      </li>
    );
  });
}, isSameGroup);

function isSameGroup(before: GroupProps, after: GroupProps): boolean {
  const { start } = after;
  if (before.replyId !== after.replyId || before.calls !== after.calls) return false;
  if (before.outgoing !== after.outgoing) return false;
  for (let index = start; index < start + GROUP_MESSAGES; index += 1) {
    if (before.messages[index] !== after.messages[index]) return false;
  }
  return true;
}
