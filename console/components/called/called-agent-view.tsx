import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { useState } from "react";

import { formatCompact, formatMoney } from "../charts/format-number.ts";
import { ErrorState } from "../error-state.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { useAgentNames } from "../use-agent-names.ts";
import { CalledQuestion } from "./called-question.tsx";
import { calledBy } from "./called-fold.ts";
import type { Called } from "./called-of.ts";
import { CalledStoryView } from "./called-story-view.tsx";
import { useStories } from "./stories-context.tsx";

interface CalledAgentViewProps {
  readonly called: Called;
  readonly callId: string;
  /** The session whose reply has called it. */
  readonly sessionId: string;
}

/** The agent that a call has called: what it asks, what it does, and the way to its session. */
export function CalledAgentView({ called, callId, sessionId }: CalledAgentViewProps) {
  const { isAtWork, status, tokens, costUsd, questions, agentId } = called;
  // Open while it works, closed when it has ended, unless the reader decides otherwise.
  const [choice, setChoice] = useState<boolean | null>(null);
  const isOpen = choice ?? isAtWork;
  const { stories, isReading, error } = useStories(isOpen);
  const told = calledBy(stories, { sessionId, callId });
  const names = useAgentNames();
  const name = told[0]?.agentName || names.get(agentId) || "An agent";
  return (
    <section className="called-agent" aria-label={`Agent ${name}`}>
      <header className="called-head">
        <Bot size={16} aria-hidden />
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <StatusBadge status={status} />
        {tokens > 0 && (
          <span className="quiet">
            {formatCompact(tokens)} tokens{costUsd !== null && `, ${formatMoney(costUsd)}`}
          </span>
        )}
        <Link to="/sessions/$sessionId" params={{ sessionId: called.sessionId }}>
          Its session
        </Link>
      </header>
      {questions.map((question) => (
        <CalledQuestion
          key={`${question.session_id} ${question.tool_call.id} ${question.input_hash}`}
          question={question}
          callerId={sessionId}
          isDirect={question.session_id === called.sessionId}
        />
      ))}
      <details
        className="aside-block"
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) setChoice(currentTarget.open);
        }}
      >
        <summary>{isAtWork ? "What it does" : "What it has done"}</summary>
        {isOpen && (
          <>
            {error && <ErrorState error={error} />}
            {told.length === 0 && !error && (
              <p className="quiet">
                {isReading
                  ? "Nothing is heard of it yet."
                  : "Its caller has kept nothing of it: see its session."}
              </p>
            )}
            {told.map((story) => (
              <CalledStoryView key={story.sessionId} story={story} stories={stories} />
            ))}
          </>
        )}
      </details>
    </section>
  );
}
