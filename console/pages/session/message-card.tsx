import type { ReactNode } from "react";

import type { Msg, PendingCall } from "../../../sdk/index.ts";
import { omittedOf } from "../../../sdk/index.ts";
import { CalledStoriesOf } from "../../components/called/stories-context.tsx";
import type { Subagent } from "../../components/called/called-of.ts";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { MessageBlock } from "../../components/message/message-block.tsx";
import { MessageFrame } from "../../components/message/message-frame.tsx";
import { toolResultsOf } from "../../components/message/tool-results.ts";
import { WholeMessage } from "../../components/message/whole-message.tsx";
import { ToolCard } from "./tool-card.tsx";

interface MessageCardProps {
  readonly message: Msg;
  readonly sessionId: string;
  readonly pending: readonly PendingCall[];
  /** Text as it is: a text that grows with each frame would be parsed anew each time. */
  readonly isPlain?: boolean;
  /** Agents that the open reply has called, where this is its message. */
  readonly subagents?: readonly Subagent[];
  /** Buttons at the end of its head. */
  readonly children?: ReactNode;
}

const NO_SUBAGENTS: readonly Subagent[] = [];

/** One message of a recorded conversation, with its tool calls. */
export function MessageCard(props: MessageCardProps) {
  const { message, sessionId, pending, isPlain = false, children } = props;
  const { subagents = NO_SUBAGENTS } = props;
  const omitted = omittedOf(message);
  return (
    <MessageFrame message={message} actions={children}>
      {omitted ? (
        <WholeMessage
          sessionId={sessionId}
          messageId={message.id}
          label={`Show this message of ${Math.ceil(omitted.bytes / 1_000)} kB`}
        >
          {(whole) => (
            <MessageBody
              message={whole}
              {...{ sessionId, pending: [], isPlain: false, subagents }}
            />
          )}
        </WholeMessage>
      ) : (
        <MessageBody {...{ message, sessionId, pending, isPlain, subagents }} />
      )}
    </MessageFrame>
  );
}

interface MessageBodyProps {
  readonly message: Msg;
  readonly sessionId: string;
  readonly pending: readonly PendingCall[];
  readonly isPlain: boolean;
  readonly subagents: readonly Subagent[];
}

function MessageBody({ message, sessionId, pending, isPlain, subagents }: MessageBodyProps) {
  const { content, role, structured_output } = message;
  const results = toolResultsOf(content);
  const isMarkdown = role === "assistant" && !isPlain;
  return (
    <div className="message-body">
      <CalledStoriesOf sessionId={sessionId} replyId={message.id}>
        {content.map((block) => (
          <MessageBlock
            key={`${block.type} ${block.id}`}
            block={block}
            isGrowing={false}
            drawText={(text) => (isMarkdown ? <Markdown text={text} /> : drawPlain(text))}
            drawAside={drawPlain}
            drawCall={(call) => (
              <ToolCard
                call={call}
                sessionId={sessionId}
                result={results.get(call.id)}
                pending={pending.find(({ tool_call }) => tool_call.id === call.id)}
                subagents={subagents}
              />
            )}
          />
        ))}
      </CalledStoriesOf>
      {structured_output && <JsonViewer value={structured_output} label="structured output" />}
    </div>
  );
}

function drawPlain(text: string): ReactNode {
  return <p className="plain-text">{text}</p>;
}
