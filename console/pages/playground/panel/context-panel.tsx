import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";

import type { SessionContext } from "../../../../sdk/index.ts";
import type { SessionViewStatus } from "../../../../sdk/react/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { LoadingState } from "../../../components/loading-state.tsx";
import { LongText } from "../long-text.tsx";
import { usePlayground } from "../playground-context.ts";

/** Content of the next model call, with its tokens. Read anew when a reply ends or waits. */
export function ContextPanel({ status }: { readonly status: SessionViewStatus }) {
  const reprise = useReprise();
  const { sessionId } = usePlayground();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["context", sessionId, status],
    queryFn: () => reprise.session(sessionId).context(),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Reading the context…" />;
  return (
    <div className="panel-content">
      <div className="panel-head">
        <p className="quiet">What the next model call would be sent.</p>
        <button
          type="button"
          className="button button-small"
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          <RefreshCw size={14} aria-hidden />
          Refresh
        </button>
      </div>
      <TokenBar context={data} />
      {data.compressing && <p className="quiet">A summary of the older messages is being made.</p>}
      {data.failure && (
        <p role="note" className="message-error">
          The last summary failed: {data.failure.error.message}
        </p>
      )}
      <Part title="System prompt" tokens={data.tokens.system_prompt}>
        <LongText text={data.system_prompt} />
      </Part>
      {data.summary && (
        <Part title="Summary of what was said before" tokens={null}>
          <LongText text={data.summary.text} />
        </Part>
      )}
      <Part title={`Tools (${data.tools.length})`} tokens={data.tokens.tools}>
        <ul className="panel-list">
          {data.tools.map(({ name, tokens }) => (
            <li key={name}>
              <code>{name}</code> <Tokens tokens={tokens} />
            </li>
          ))}
        </ul>
      </Part>
      {data.hints.map(({ source, text, tokens }, index) => (
        <Part key={`${index} ${source}`} title={`Hint: ${source}`} tokens={tokens}>
          <LongText text={text} />
        </Part>
      ))}
      {data.messages.map(({ message, tokens }) => (
        <Part key={message.id} title={`${message.role}: ${message.name}`} tokens={tokens}>
          <JsonViewer value={message.content} label={`message ${message.id}`} openLevels={2} />
        </Part>
      ))}
    </div>
  );
}

function TokenBar({ context }: { readonly context: SessionContext }) {
  const { context_size, soft_threshold, hard_threshold, tokens } = context;
  const share = (part: number) => `${Math.min(100, (100 * part) / Math.max(1, context_size))}%`;
  const kinds = [
    ["system prompt", tokens.system_prompt],
    ["tools", tokens.tools],
    ["messages", tokens.messages],
  ] as const;
  return (
    <div className="token-use">
      <p>
        <strong>{tokens.total.toLocaleString()}</strong> of {context_size.toLocaleString()} tokens
      </p>
      <div className="token-bar" aria-hidden>
        {kinds.map(([kind, count]) => (
          <span key={kind} data-kind={kind} style={{ width: share(count) }} />
        ))}
        <i className="token-mark" style={{ left: share(soft_threshold) }} />
        <i className="token-mark" style={{ left: share(hard_threshold) }} />
      </div>
      <ul className="token-kinds">
        {kinds.map(([kind, count]) => (
          <li key={kind} data-kind={kind}>
            {kind} {count.toLocaleString()}
          </li>
        ))}
      </ul>
      <p className="quiet">
        Summarised between replies above {soft_threshold.toLocaleString()}, before a call above{" "}
        {hard_threshold.toLocaleString()}.
      </p>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly tokens: number | null;
  readonly children: React.ReactNode;
}

function Part({ title, tokens, children }: PartProps) {
  return (
    <details className="panel-part">
      <summary>
        <span className="panel-part-title">{title}</span>
        {tokens !== null && <Tokens tokens={tokens} />}
      </summary>
      {children}
    </details>
  );
}

function Tokens({ tokens }: { readonly tokens: number }) {
  return <span className="quiet panel-tokens">{tokens.toLocaleString()} tokens</span>;
}
