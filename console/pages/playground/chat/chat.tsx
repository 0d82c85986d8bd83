import { ArrowDown, MessageSquareDashed } from "lucide-react";

import type { SessionState } from "../../../../sdk/react/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { LoadingState } from "../../../components/loading-state.tsx";
import type { EventLog } from "../event-log.ts";
import { MessageList } from "./message-list.tsx";
import { usePlayground } from "../playground-context.ts";
import { ResumeNotice } from "./resume-notice.tsx";
import { useStickToBottom } from "./use-stick-to-bottom.ts";

interface ChatProps {
  readonly state: SessionState;
  readonly log: EventLog;
}

/** The conversation as it grows, and what has become of its stream. */
export function Chat({ state, log }: ChatProps) {
  const { actions } = usePlayground();
  const { region, content, isAway, toBottom } = useStickToBottom();
  return (
    <>
      <div
        className="chat-region"
        ref={region}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
      >
        <div className="chat-content" ref={content}>
          {state.hasOlder && (
            <button
              type="button"
              className="button conversation-more"
              disabled={state.isLoadingOlder}
              onClick={() => void actions.loadOlder().catch(() => undefined)}
            >
              {state.isLoadingOlder ? "Loading…" : "Show earlier messages"}
            </button>
          )}
          <MessageList state={state} />
          <Place state={state} />
        </div>
      </div>
      {isAway && (
        <button type="button" className="button button-small chat-down" onClick={toBottom}>
          <ArrowDown size={14} aria-hidden />
          Newest
        </button>
      )}
      <ResumeNotice log={log} />
    </>
  );
}

/** State in place of messages, or behind them. */
function Place({ state }: { readonly state: SessionState }) {
  const { actions } = usePlayground();
  if (state.status === "error") {
    return <ErrorState error={state.error} onRetry={() => actions.reload()} />;
  }
  if (state.messages.length > 0) return null;
  if (state.status === "loading") return <LoadingState label="Loading the conversation…" />;
  return (
    <EmptyState icon={MessageSquareDashed} title="Nothing was said yet">
      <p>Write a message below: the answer appears here word by word.</p>
    </EmptyState>
  );
}
