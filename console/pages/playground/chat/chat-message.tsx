import { memo, type ReactNode } from "react";

import type { ContentBlock, Msg } from "../../../../sdk/index.ts";
import { omittedOf } from "../../../../sdk/index.ts";
import type { OutgoingMessage, SessionCall } from "../../../../sdk/react/index.ts";
import { mayBeAtWork } from "../../../components/called/called-of.ts";
import { CalledStoriesOf } from "../../../components/called/stories-context.tsx";
import type { Subagent } from "../../../components/called/called-of.ts";
import { useSubagents } from "../../../components/called/use-subagents.ts";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { MessageBlock } from "../../../components/message/message-block.tsx";
import { MessageFrame } from "../../../components/message/message-frame.tsx";
import { toolResultsOf, type ToolResult } from "../../../components/message/tool-results.ts";
import { WholeMessage } from "../../../components/message/whole-message.tsx";
import { LongText } from "../long-text.tsx";
import { usePlayground } from "../playground-context.ts";
import { GrowingMarkdown } from "./growing-markdown.tsx";
import { LiveToolCard } from "./live-tool-card.tsx";
import { OutgoingNote } from "./outgoing-note.tsx";

interface ChatMessageProps {
  readonly message: Msg;
  /** Whether its reply runs or waits. */
  readonly isOpen: boolean;
  /** Its calls that wait for an answer. */
  readonly calls: readonly SessionCall[];
  /** Set while the conversation does not have it. */
  readonly outgoing: OutgoingMessage | undefined;
}

/** One message. Only the one that grows is drawn again, and of it only the block that grows. */
export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  const { message, isOpen, outgoing } = props;
  const { sessionId } = usePlayground();
  return (
    <MessageFrame
      message={message}
      isStateFirst
      note={outgoing && <OutgoingNote outgoing={outgoing} />}
    >
      {omittedOf(message) ? (
        <WholeMessage sessionId={sessionId} messageId={message.id} label="Show this large message">
          {(whole) => <Blocks {...props} message={whole} />}
        </WholeMessage>
      ) : (
        <Blocks {...props} />
      )}
      {isOpen && message.content.length === 0 && (
        <p className="quiet thinking-dots" aria-hidden>
          …
        </p>
      )}
    </MessageFrame>
  );
});

function Blocks({ message, isOpen, calls }: ChatMessageProps) {
  const { content, role, structured_output } = message;
  const { sessionId } = usePlayground();
  const results = toolResultsOf(content);
  const subagents = useSubagents(sessionId, isOpen && mayBeAtWork(content) ? message.id : null);
  return (
    <div className="message-body">
      <CalledStoriesOf sessionId={sessionId} replyId={message.id}>
        {content.map((block) => (
          <Block
            key={`${block.type} ${block.id}`}
            block={block}
            isModel={role === "assistant"}
            isOpen={isOpen}
            result={block.type === "tool_call" ? results.get(block.id) : undefined}
            call={calls.find(({ tool_call }) => tool_call.id === block.id)}
            subagents={subagents}
          />
        ))}
      </CalledStoriesOf>
      {structured_output && (
        <section aria-label="Structured output">
          <h3>Structured output</h3>
          <JsonViewer value={structured_output} label="structured output" openLevels={3} />
        </section>
      )}
    </div>
  );
}

interface BlockProps {
  readonly block: ContentBlock;
  readonly isModel: boolean;
  readonly isOpen: boolean;
  readonly result: ToolResult | undefined;
  readonly call: SessionCall | undefined;
  readonly subagents: readonly Subagent[];
}

const Block = memo(function Block(props: BlockProps) {
  const { block, isModel, isOpen, result, call, subagents } = props;
  const isGrowing = isOpen && block.finished_at === null;
  return (
    <MessageBlock
      block={block}
      isGrowing={isGrowing}
      drawText={(text) =>
        isModel ? <GrowingMarkdown text={text} isGrowing={isGrowing} /> : drawLong(text)
      }
      drawAside={drawLong}
      drawCall={(toolCall) => (
        <LiveToolCard block={toolCall} {...{ result, call, isOpen, subagents }} />
      )}
    />
  );
});

function drawLong(text: string): ReactNode {
  return <LongText text={text} />;
}
