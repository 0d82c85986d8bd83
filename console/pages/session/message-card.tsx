import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ContentBlock, Msg, PendingCall } from "../../../sdk/index.ts";
import { omittedOf } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { DataBlockView } from "../../components/data-block-view.tsx";
import { ToolCard } from "./tool-card.tsx";

interface MessageCardProps {
  readonly message: Msg;
  readonly sessionId: string;
  readonly pending: readonly PendingCall[];
  /** Text as it is: a text that grows with each frame would be parsed anew each time. */
  readonly isPlain?: boolean;
  /** Buttons at the end of its head. */
  readonly children?: ReactNode;
}

/** One message: who, when, what was said and done, and how it ended. */
export function MessageCard(props: MessageCardProps) {
  const { message, sessionId, pending, isPlain = false, children } = props;
  const omitted = omittedOf(message);
  const { role, name, created_at, usage, finished_reason, error } = message;
  const isOdd = finished_reason !== null && finished_reason !== "completed";
  return (
    <article className="message" data-role={role} aria-label={`${name}, ${role}`}>
      <header className="message-head">
        <strong>{name}</strong>
        <span className="quiet">{role === name ? "" : role}</span>
        <TimeStamp at={created_at} />
        {isOdd && <StatusBadge status={finished_reason} />}
        {children}
      </header>
      {omitted ? (
        <OmittedMessage sessionId={sessionId} messageId={message.id} bytes={omitted.bytes} />
      ) : (
        <MessageBody {...{ message, sessionId, pending, isPlain }} />
      )}
      {error && (
        <p role="note" className="message-error">
          {error.type}: {error.message}
        </p>
      )}
      {usage && (
        <footer className="message-foot quiet">
          {usage.input_tokens.toLocaleString()} tokens in, {usage.output_tokens.toLocaleString()}{" "}
          out
        </footer>
      )}
    </article>
  );
}

function MessageBody({
  message,
  sessionId,
  pending,
  isPlain,
}: {
  readonly message: Msg;
  readonly sessionId: string;
  readonly pending: readonly PendingCall[];
  readonly isPlain: boolean;
}) {
  const { content, role, structured_output } = message;
  const results = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block]] : [])),
  );
  return (
    <div className="message-body">
      {content.map((block) => (
        <Block
          key={`${block.type} ${block.id}`}
          block={block}
          sessionId={sessionId}
          isMarkdown={role === "assistant" && !isPlain}
          results={results}
          pending={pending}
        />
      ))}
      {structured_output && <JsonViewer value={structured_output} label="structured output" />}
    </div>
  );
}

interface BlockProps {
  readonly block: ContentBlock;
  readonly sessionId: string;
  readonly isMarkdown: boolean;
  readonly results: ReadonlyMap<string, Extract<ContentBlock, { type: "tool_result" }>>;
  readonly pending: readonly PendingCall[];
}

function Block({ block, sessionId, isMarkdown, results, pending }: BlockProps) {
  switch (block.type) {
    case "text":
      return isMarkdown ? (
        <Markdown text={block.text} />
      ) : (
        <p className="plain-text">{block.text}</p>
      );
    case "thinking":
      return (
        <details className="aside-block">
          <summary>Thinking</summary>
          <p className="plain-text">{block.thinking}</p>
        </details>
      );
    case "hint":
      return (
        <details className="aside-block">
          <summary>
            Hint for the model{block.source === null ? "" : ` from ${block.source}`}
          </summary>
          <p className="plain-text">
            {typeof block.hint === "string" ? block.hint : JSON.stringify(block.hint, null, 2)}
          </p>
        </details>
      );
    case "data":
      return <DataBlockView block={block} />;
    case "tool_call": {
      const waits = pending.find(({ tool_call }) => tool_call.id === block.id);
      return (
        <ToolCard {...{ call: block, sessionId, result: results.get(block.id), pending: waits }} />
      );
    }
    case "tool_result":
      // Shown with its call.
      return null;
    default:
      return block satisfies never;
  }
}

/** A message that is too large for a list: it is read whole on demand. */
function OmittedMessage({
  sessionId,
  messageId,
  bytes,
}: {
  readonly sessionId: string;
  readonly messageId: string;
  readonly bytes: number;
}) {
  const reprise = useReprise();
  const [isWanted, setIsWanted] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["message", sessionId, messageId],
    queryFn: () => reprise.session(sessionId).message(messageId),
    enabled: isWanted,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data)
    return (
      <MessageBody message={data.message} sessionId={sessionId} pending={[]} isPlain={false} />
    );
  return (
    <button type="button" className="button" disabled={isWanted} onClick={() => setIsWanted(true)}>
      {isWanted ? "Loading…" : `Show this message of ${Math.ceil(bytes / 1_000)} kB`}
    </button>
  );
}
