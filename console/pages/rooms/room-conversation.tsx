import { Link } from "@tanstack/react-router";
import { MessageSquareDashed, Wrench } from "lucide-react";
import { memo } from "react";

import type { ContentBlock, RoomConversation, RoomMessage } from "../../../sdk/index.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { MessageBlock } from "../../components/message/message-block.tsx";
import { MessageFrame } from "../../components/message/message-frame.tsx";
import { toolResultsOf } from "../../components/message/tool-results.ts";
import { StatusBadge } from "../../components/status-badge.tsx";

type ToolCall = Extract<ContentBlock, { type: "tool_call" }>;

/** Everything that was said in the room, in the order in which it began, and what is being said. */
export function RoomConversationView({
  conversation,
}: {
  readonly conversation: RoomConversation;
}) {
  const { messages, members, seq } = conversation;
  if (messages.length === 0) {
    return (
      <EmptyState icon={MessageSquareDashed} title="Nothing was said yet">
        <p>
          {seq === 0 ? "The room is being read." : "Say something: the agents have their turns."}
        </p>
      </EmptyState>
    );
  }
  const sessions = new Map(
    members.flatMap((member) =>
      member.kind === "agent" ? [[member.name, member.session_id] as const] : [],
    ),
  );
  return (
    <ol className="messages" aria-label="Messages">
      {messages.map((message) => (
        <li key={message.seq}>
          <RoomMessageView
            message={message}
            sessionId={sessions.get(message.participant ?? "") ?? null}
          />
        </li>
      ))}
    </ol>
  );
}

interface RoomMessageProps {
  readonly message: RoomMessage;
  /** Of the agent that speaks; null for a person, and for one that has left. */
  readonly sessionId: string | null;
}

const RoomMessageView = memo(function RoomMessageView({ message, sessionId }: RoomMessageProps) {
  const { participant, said_seq } = message;
  const named = { ...message.message, name: participant ?? message.message.name };
  const { content, role, structured_output } = named;
  const results = toolResultsOf(content);
  const isOpen = said_seq === null;
  return (
    <MessageFrame
      message={named}
      actions={
        <>
          {isOpen && <StatusBadge status="is written" />}
          {sessionId !== null && (
            <Link to="/sessions/$sessionId" params={{ sessionId }}>
              Its session
            </Link>
          )}
        </>
      }
    >
      <div className="message-body">
        {content.map((block) => (
          <MessageBlock
            key={`${block.type} ${block.id}`}
            block={block}
            isGrowing={isOpen}
            drawText={(text) =>
              role === "assistant" && !isOpen ? <Markdown text={text} /> : drawPlain(text)
            }
            drawAside={drawPlain}
            drawCall={(call) => <CallLine call={call} state={results.get(call.id)?.state} />}
          />
        ))}
      </div>
      {structured_output && <JsonViewer value={structured_output} label="structured output" />}
    </MessageFrame>
  );
});

/** A call in a line: its input and its result are in the session of the agent. */
function CallLine({
  call,
  state,
}: {
  readonly call: ToolCall;
  readonly state?: string | undefined;
}) {
  return (
    <p className="tool-head" aria-label={`Call of ${call.name}`}>
      <Wrench size={16} aria-hidden />
      <strong className="code">{call.name}</strong>
      <StatusBadge status={state ?? call.state} />
    </p>
  );
}

function drawPlain(text: string) {
  return <p className="plain-text">{text}</p>;
}
