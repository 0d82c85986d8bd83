import { LoaderCircle, Wrench } from "lucide-react";

import type { ContentBlock } from "../../../../sdk/index.ts";
import type { SessionCall } from "../../../../sdk/react/index.ts";
import { CalledAgentView } from "../../../components/called/called-agent-view.tsx";
import { calledOf } from "../../../components/called/called-of.ts";
import type { Subagent } from "../../../components/called/called-of.ts";
import { ToolOutput } from "../../../components/message/tool-output.tsx";
import type { ToolResult } from "../../../components/message/tool-results.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeStamp } from "../../../components/time-stamp.tsx";
import { usePlayground } from "../playground-context.ts";
import { ApprovalForm } from "./approval-form.tsx";
import { CallProgress } from "./call-progress.tsx";
import { waitingStatus } from "../../../components/waiting/waiting-words.ts";
import { OutsideForm } from "./outside-form.tsx";
import { ToolText } from "./tool-text.tsx";

interface LiveToolCardProps {
  readonly block: Extract<ContentBlock, { type: "tool_call" }>;
  /** Undefined while it has none. */
  readonly result: ToolResult | undefined;
  /** Wait of the call; undefined for one that does not wait. */
  readonly call: SessionCall | undefined;
  /** Whether its reply runs or waits. */
  readonly isOpen: boolean;
  /** Agents that its reply has called. */
  readonly subagents: readonly Subagent[];
}

/** A call of a tool from its first letter to its result, with what a person has to do about it. */
export function LiveToolCard({ block, result, call, isOpen, subagents }: LiveToolCardProps) {
  const { sessionId } = usePlayground();
  const called = calledOf(block.id, subagents, result);
  const { name, input, finished_at } = block;
  const state = stateOf(block, result);
  const isBusy = isOpen && (state === "is written" || state === "allowed" || state === "running");
  const isWritten = finished_at !== null || !isOpen || state !== "is written";
  return (
    <section className="tool-card" data-waits={call !== undefined} aria-label={`Call of ${name}`}>
      <header className="tool-head">
        {isBusy ? (
          <LoaderCircle size={16} className="spinner" aria-hidden />
        ) : (
          <Wrench size={16} aria-hidden />
        )}
        <strong className="code">{name}</strong>
        {result && result.finished_at !== null && (
          <span className="quiet">{durationOf(result.created_at, result.finished_at)}</span>
        )}
        <StatusBadge status={call && state === "submitted" ? waitingStatus(call) : state} />
      </header>
      {call?.question !== undefined && !call.elicitation && (
        <p className="tool-question">{call.question}</p>
      )}
      {call?.expires_at != null && (
        <p className="quiet">
          Expires <TimeStamp at={call.expires_at} />
        </p>
      )}
      <h3>Input</h3>
      <ToolText text={input} label={`input of ${name}`} isGrowing={!isWritten} />
      {isBusy && <CallProgress callId={block.id} />}
      {called && <CalledAgentView called={called} callId={block.id} sessionId={sessionId} />}
      {call?.kind === "permission" && <ApprovalForm call={call} />}
      {call?.kind === "external_result" && <OutsideForm call={call} />}
      <ToolOutput
        result={result}
        drawText={(text) => (
          <ToolText
            text={text}
            label={`result of ${name}`}
            isGrowing={result?.state === "running"}
          />
        )}
      />
    </section>
  );
}

/** State in the words of the page. */
function stateOf(
  { state, finished_at }: LiveToolCardProps["block"],
  result: LiveToolCardProps["result"],
): string {
  if (state === "asking" || state === "submitted") return state;
  if (result) return result.state;
  if (state === "pending" && finished_at === null) return "is written";
  return state;
}

function durationOf(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  if (!Number.isFinite(ms) || ms < 0) return "";
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
