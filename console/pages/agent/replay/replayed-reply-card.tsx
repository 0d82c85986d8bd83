import type { ReplayedReply, ReplayStop } from "../../../../sdk/index.ts";
import { formatCount, formatMoney } from "../../../components/charts/format-number.ts";
import { DiffText } from "../../../components/diff/diff-text.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeStamp } from "../../../components/time-stamp.tsx";
import { ReplayedCallRow } from "./replayed-call-row.tsx";

interface ReplayedReplyCardProps {
  readonly reply: ReplayedReply;
  readonly number: number;
  /** Version that ran it: "version 3". */
  readonly name: string;
  /** Why the replay ended in this reply; null when it did not. */
  readonly stopped: ReplayStop | null;
}

/** A reply as it was recorded, beside what became of it. */
export function ReplayedReplyCard({ reply, number, name, stopped }: ReplayedReplyCardProps) {
  const { recorded, replayed, calls, calls_omitted, answer_changed } = reply;
  return (
    <article className="panel" aria-label={`Reply ${number}`}>
      <header className="panel-head">
        <h2>Reply {number}</h2>
        <span className="badge" data-tone={answer_changed ? "waiting" : "quiet"}>
          {answer_changed ? "answer changed" : "same answer"}
        </span>
      </header>
      <div className="panel-columns replay-sides">
        <Side title={`Recorded, version ${recorded.agent_version}`} side={recorded}>
          <TimeStamp at={recorded.created_at} />
        </Side>
        <Side title={`Replayed, ${name}`} side={replayed}>
          {formatCount(replayed.duration_ms)} ms
        </Side>
      </div>
      {answer_changed && recorded.text !== "" && replayed.text !== "" && (
        <details>
          <summary>The answer, line by line</summary>
          <DiffText before={recorded.text} after={replayed.text} />
        </details>
      )}
      {calls.length > 0 && (
        <ul className="replay-calls" aria-label={`Calls of reply ${number}`}>
          {calls.map((call) => (
            <ReplayedCallRow
              key={call.tool_call_id ?? `recorded ${call.recorded_tool_call_id}`}
              call={call}
              isStop={
                stopped?.tool_call != null && stopped.tool_call.tool_call_id === call.tool_call_id
              }
            />
          ))}
        </ul>
      )}
      {calls_omitted > 0 && (
        <p className="quiet">{formatCount(calls_omitted)} more calls, which the sums count.</p>
      )}
    </article>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: ReplayedReply["recorded"] | ReplayedReply["replayed"];
  readonly children: React.ReactNode;
}

function Side({ title, side, children }: SideProps) {
  const { status, text, text_truncated, structured_output, usage, error } = side;
  return (
    <section aria-label={title} className="replay-side">
      <h3>{title}</h3>
      {text === "" && !structured_output ? (
        <p className="quiet">No answer.</p>
      ) : (
        <p className="plain-text replay-text" tabIndex={0}>
          {text}
          {text_truncated && <span className="quiet"> … (cut here)</span>}
        </p>
      )}
      {structured_output && <JsonViewer value={structured_output} label="structured output" />}
      {error && (
        <p className="field-error">
          <code>{error.type}</code> {error.message}
        </p>
      )}
      <p className="quiet replay-numbers">
        <StatusBadge status={status} />
        <span>{formatCount(side.model_calls)} model calls</span>
        {usage && <span>{formatCount(usage.input_tokens + usage.output_tokens)} tokens</span>}
        {side.cost_usd !== null && <span>{formatMoney(side.cost_usd)}</span>}
        <span>{children}</span>
      </p>
    </section>
  );
}
