import { useQuery } from "@tanstack/react-query";

import type { SessionContext } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { MessageCard } from "./message-card.tsx";

interface ContextViewProps {
  readonly sessionId: string;
  /** When it moves, the context is another. */
  readonly cursor: number;
}

/** Content of the next model call, with its tokens; where a summary stands for older messages. */
export function ContextView({ sessionId, cursor }: ContextViewProps) {
  const reprise = useReprise();
  const { data, error, refetch } = useQuery({
    queryKey: ["context", sessionId, cursor],
    queryFn: () => reprise.session(sessionId).context(),
    placeholderData: (before) => before,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Counting the context…" />;
  const { system_prompt, summary, tools, hints, messages, failure, compressing, tokens } = data;
  return (
    <div className="context-view">
      <Window context={data} />
      {compressing && <p role="status">A summary is due or being made.</p>}
      {failure && (
        <p className="message-error">
          The last compression failed: {failure.error.type}: {failure.error.message}
        </p>
      )}
      <Part title="System prompt" count={tokens.system_prompt}>
        <p className="plain-text">{system_prompt || "none"}</p>
      </Part>
      <Part title={`Tools (${tools.length})`} count={tokens.tools}>
        <ul className="context-tools">
          {tools.map(({ name, tokens: count }) => (
            <li key={name}>
              <code>{name}</code> <span className="quiet">{count.toLocaleString()} tokens</span>
            </li>
          ))}
        </ul>
      </Part>
      {summary && (
        <Part title="Summary of older messages" count={null}>
          <p className="plain-text">{summary.text}</p>
        </Part>
      )}
      <h2>
        Messages <span className="quiet">{tokens.messages.toLocaleString()} tokens</span>
      </h2>
      <ol className="messages" aria-label="Messages of the context">
        {messages.map(({ message, tokens: count }) => (
          <li key={message.id} className="context-message">
            <span className="quiet">{count.toLocaleString()} tokens</span>
            <MessageCard message={message} sessionId={sessionId} pending={[]} />
          </li>
        ))}
      </ol>
      {hints.map(({ source, text, tokens: count }, index) => (
        // Two hints may come from one source.
        <Part key={index} title={`Hint from ${source}`} count={count}>
          <p className="plain-text">{text}</p>
        </Part>
      ))}
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly count: number | null;
  readonly children: React.ReactNode;
}

function Part({ title, count, children }: PartProps) {
  return (
    <details className="aside-block">
      <summary>
        {title} {count !== null && <span className="quiet">{count.toLocaleString()} tokens</span>}
      </summary>
      {children}
    </details>
  );
}

const PARTS = [
  ["system_prompt", "system prompt"],
  ["tools", "tools"],
  ["messages", "messages"],
] as const;

/** Use of the model's window, and the threshold of compression. */
function Window({ context }: { readonly context: SessionContext }) {
  const { tokens, context_size, soft_threshold, hard_threshold, token_counter } = context;
  const percent = (count: number) => `${Math.min(100, (100 * count) / context_size)}%`;
  return (
    <section aria-label="Window">
      <p>
        <strong>{tokens.total.toLocaleString()}</strong> of {context_size.toLocaleString()} tokens{" "}
        <span className="quiet">
          ({percent(tokens.total).replace(/(\.\d).*%/, "$1%")}, counted by {token_counter})
        </span>
      </p>
      <div className="window-bar" aria-hidden>
        {PARTS.map(([name]) => (
          <span key={name} data-part={name} style={{ width: percent(tokens[name]) }} />
        ))}
        <i style={{ left: percent(soft_threshold) }} />
        <i style={{ left: percent(hard_threshold) }} />
      </div>
      <p className="quiet">
        {PARTS.map(([name, label]) => `${label} ${tokens[name].toLocaleString()}`).join(" · ")} ·
        summaries between replies above {soft_threshold.toLocaleString()}, before a call above{" "}
        {hard_threshold.toLocaleString()}
      </p>
    </section>
  );
}
