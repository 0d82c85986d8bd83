import { Link } from "@tanstack/react-router";
import { Bot, Wrench } from "lucide-react";

import type { ContentBlock, Msg } from "../../../sdk/index.ts";
import { MessageBlock } from "../message/message-block.tsx";
import { ToolOutput } from "../message/tool-output.tsx";
import { toolResultsOf, type ToolResult } from "../message/tool-results.ts";
import { StatusBadge } from "../status-badge.tsx";
import { calledBy, type CalledStories, type CalledStory } from "./called-fold.ts";

/** Levels of agents that are drawn inside each other; what is deeper is in its session. */
const MAX_LEVELS = 8;
/** Characters of a text in a story: the whole of it is in the session. */
const MAX_CHARACTERS = 6_000;

interface CalledStoryViewProps {
  readonly story: CalledStory;
  /** Of all agents below the reply. */
  readonly stories: CalledStories;
  readonly level?: number;
}

/** The conversation of a called agent, as its caller was told it, with the agents that it has called in turn. */
export function CalledStoryView({ story, stories, level = 1 }: CalledStoryViewProps) {
  const { messages, isOmitted } = story;
  return (
    <div className="called-story">
      {messages.map((message) => (
        <StoryMessage key={message.id} {...{ message, story, stories, level }} />
      ))}
      {isOmitted && (
        <p className="quiet">
          It has done more than its caller keeps: only starts, ends and questions are here. The
          whole is in{" "}
          <Link to="/sessions/$sessionId" params={{ sessionId: story.sessionId }}>
            its session
          </Link>
          .
        </p>
      )}
    </div>
  );
}

interface StoryMessageProps extends Required<CalledStoryViewProps> {
  readonly message: Msg;
}

function StoryMessage({ message, story, stories, level }: StoryMessageProps) {
  const { content, error } = message;
  const results = toolResultsOf(content);
  const draw = (text: string) => <p className="plain-text">{cut(text)}</p>;
  return (
    <>
      {content.map((block) => (
        <MessageBlock
          key={`${block.type} ${block.id}`}
          block={block}
          isGrowing={false}
          drawText={draw}
          drawAside={draw}
          drawCall={(call) => (
            <StoryCall {...{ call, story, stories, level }} result={results.get(call.id)} />
          )}
        />
      ))}
      {error && (
        <p role="note" className="message-error">
          {error.type}: {error.message}
        </p>
      )}
    </>
  );
}

interface StoryCallProps extends Required<CalledStoryViewProps> {
  readonly call: Extract<ContentBlock, { type: "tool_call" }>;
  readonly result: ToolResult | undefined;
}

function StoryCall({ call, result, story, stories, level }: StoryCallProps) {
  const below = calledBy(stories, { sessionId: story.sessionId, callId: call.id });
  const Icon = below.length > 0 ? Bot : Wrench;
  return (
    <details className="called-call">
      <summary>
        <Icon size={14} aria-hidden />
        <span className="code">{call.name}</span>
        <StatusBadge status={result?.state ?? call.state} />
      </summary>
      <pre className="plain-text">{cut(call.input)}</pre>
      {level < MAX_LEVELS &&
        below.map((other) => (
          <div key={other.sessionId} className="called-below">
            <p className="called-head">
              <strong>
                <bdi>{other.agentName}</bdi>
              </strong>
              <Link to="/sessions/$sessionId" params={{ sessionId: other.sessionId }}>
                Its session
              </Link>
            </p>
            <CalledStoryView story={other} stories={stories} level={level + 1} />
          </div>
        ))}
      <ToolOutput
        result={result}
        drawText={(text) => <pre className="plain-text">{cut(text)}</pre>}
      />
    </details>
  );
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
