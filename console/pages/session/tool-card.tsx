import { Wrench } from "lucide-react";

import type { ContentBlock, PendingCall } from "../../../sdk/index.ts";
import { CalledAgentView } from "../../components/called/called-agent-view.tsx";
import { calledOf } from "../../components/called/called-of.ts";
import type { Subagent } from "../../components/called/called-of.ts";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { parseTree } from "../../components/message/parse-tree.ts";
import { ToolOutput } from "../../components/message/tool-output.tsx";
import type { ToolResult } from "../../components/message/tool-results.ts";
import { WaitingNote } from "../../components/waiting/waiting-note.tsx";
import { waitingStatus } from "../../components/waiting/waiting-words.ts";

type ToolCall = Extract<ContentBlock, { type: "tool_call" }>;

interface ToolCardProps {
  readonly call: ToolCall;
  readonly sessionId: string;
  /** Undefined while it has none. */
  readonly result: ToolResult | undefined;
  /** Wait of the call; undefined for one that does not wait. */
  readonly pending: PendingCall | undefined;
  /** Agents that the open reply has called. */
  readonly subagents: readonly Subagent[];
}

/** A call of a tool with what it was given and what came back. */
export function ToolCard({ call, sessionId, result, pending, subagents }: ToolCardProps) {
  const called = calledOf(call.id, subagents, result);
  return (
    <section className="tool-card" aria-label={`Call of ${call.name}`}>
      <header className="tool-head">
        <Wrench size={16} aria-hidden />
        <strong className="code">{call.name}</strong>
        <StatusBadge status={stateOf(call, result, pending)} />
      </header>
      {pending?.question !== undefined && !pending.elicitation && (
        <p className="tool-question">{pending.question}</p>
      )}
      {pending && <WaitingNote call={pending} sessionId={sessionId} />}
      {pending?.expires_at != null && (
        <p className="quiet">
          Expires <TimeStamp at={pending.expires_at} />
        </p>
      )}
      <h3>Input</h3>
      <TextOrJson text={call.input} label={`input of ${call.name}`} />
      {called && <CalledAgentView called={called} callId={call.id} sessionId={sessionId} />}
      <ToolOutput
        result={result}
        drawText={(text) => <TextOrJson text={text} label={`result of ${call.name}`} />}
      />
    </section>
  );
}

function stateOf(call: ToolCall, result: ToolResult | undefined, pending: PendingCall | undefined) {
  if (pending && call.state === "submitted") return waitingStatus(pending);
  return result?.state ?? call.state;
}

/** A tool's text: as a tree when it is JSON, else as it is. */
function TextOrJson({ text, label }: { readonly text: string; readonly label: string }) {
  const value = parseTree(text);
  if (value !== undefined) return <JsonViewer value={value} label={label} />;
  return text === "" ? <p className="quiet">empty</p> : <pre className="plain-text">{text}</pre>;
}
