import { memo } from "react";

import type { ContentBlock, Msg } from "../../../../sdk/index.ts";
import { omittedOf } from "../../../../sdk/index.ts";
import type { OutgoingMessage, SessionCall } from "../../../../sdk/react/index.ts";
import { DataBlockView } from "../../../components/data-block-view.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeStamp } from "../../../components/time-stamp.tsx";
import { GrowingMarkdown } from "./growing-markdown.tsx";
import { LiveToolCard } from "./live-tool-card.tsx";
import { LongText } from "../long-text.tsx";
import { OutgoingNote } from "./outgoing-note.tsx";
import { WholeMessage } from "./whole-message.tsx";

type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

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
  const { role, name, created_at, usage, finished_reason, error } = message;
  const isOdd = finished_reason !== null && finished_reason !== "completed";
  return (
    <article className="message" data-role={role} aria-label={`${name}, ${role}`}>
      <header className="message-head">
        <strong>{name}</strong>
        <span className="quiet">{role === name ? "" : role}</span>
        {isOdd && <StatusBadge status={finished_reason} />}
        <TimeStamp at={created_at} />
      </header>
      {omittedOf(message) ? (
        <WholeMessage messageId={message.id}>
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
      {error && (
        <p role="note" className="message-error">
          {error.type}: {error.message}
        </p>
      )}
      {outgoing && <OutgoingNote outgoing={outgoing} />}
      {usage && (
        <footer className="message-foot quiet">
          {usage.input_tokens.toLocaleString()} tokens in, {usage.output_tokens.toLocaleString()}{" "}
          out
        </footer>
      )}
    </article>
  );
});

function Blocks({ message, isOpen, calls }: ChatMessageProps) {
  const { content, role, structured_output } = message;
  const results = new Map<string, ToolResult>();
  for (const block of content) if (block.type === "tool_result") results.set(block.id, block);
  return (
    <div className="message-body">
      {content.map((block) => (
        <Block
          key={`${block.type} ${block.id}`}
          block={block}
          isModel={role === "assistant"}
          isOpen={isOpen}
          result={block.type === "tool_call" ? results.get(block.id) : undefined}
          call={calls.find(({ tool_call }) => tool_call.id === block.id)}
        />
      ))}
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
}

const Block = memo(function Block({ block, isModel, isOpen, result, call }: BlockProps) {
  switch (block.type) {
    case "text":
      if (!isModel) return <LongText text={block.text} />;
      return <GrowingMarkdown text={block.text} isGrowing={isOpen && block.finished_at === null} />;
    case "thinking":
      return <Thinking text={block.thinking} isGrowing={isOpen && block.finished_at === null} />;
    case "hint":
      return (
        <details className="aside-block">
          <summary>
            Hint for the model{block.source === null ? "" : ` from ${block.source}`}
          </summary>
          <LongText
            text={typeof block.hint === "string" ? block.hint : JSON.stringify(block.hint, null, 2)}
          />
        </details>
      );
    case "data":
      return <DataBlockView block={block} />;
    case "tool_call":
      return <LiveToolCard block={block} result={result} call={call} isOpen={isOpen} />;
    case "tool_result":
      // Shown with its call.
      return null;
    default:
      return block satisfies never;
  }
});

/** Open while the model thinks, closed when it has, unless the reader decides otherwise. */
function Thinking({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  return (
    <details className="aside-block" open={isGrowing}>
      <summary>{isGrowing ? "Thinking…" : "Thinking"}</summary>
      <LongText text={text} />
    </details>
  );
}
