import { Link } from "@tanstack/react-router";
import { CircleCheck, OctagonPause } from "lucide-react";

import type { Replay, ReplayStop } from "../../../../sdk/index.ts";
import { formatCount, formatMoney } from "../../../components/charts/format-number.ts";
import { StatCards } from "../../../components/charts/stat-cards.tsx";
import { CodeId } from "../../../components/code-id.tsx";
import { ReplayedReplyCard } from "./replayed-reply-card.tsx";
import { changeInPercent, stopWords } from "./replay-words.ts";

interface ReplayReportProps {
  readonly replay: Replay;
  readonly onNext: () => void;
}

/** Result of a replay: the sums, the place where it stopped, and each reply beside its record. */
export function ReplayReport({ replay, onNext }: ReplayReportProps) {
  const { replies, version, session_id, stopped, next_reply_id } = replay;
  const name = version === null ? "the draft" : `version ${version}`;
  return (
    <section className="replay-report" aria-label="Result of the replay">
      <header className="version-head">
        <h2>What {name} did</h2>
        <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className="code">
          {session_id}
        </Link>
      </header>
      {stopped ? (
        <Stopped stopped={stopped} />
      ) : (
        <p role="status" className="notice">
          <CircleCheck size={16} aria-hidden />
          {replies.length === 1
            ? "The reply was run to its end."
            : `All ${replies.length} replies were run to their end.`}
        </p>
      )}
      <Sums replay={replay} />
      <ol className="card-list" aria-label="Replies">
        {replies.map((reply, index) => (
          <li key={reply.reply_id}>
            <ReplayedReplyCard
              reply={reply}
              number={index + 1}
              name={name}
              stopped={stopped?.reply_id === reply.reply_id ? stopped : null}
            />
          </li>
        ))}
      </ol>
      {next_reply_id !== null && (
        <p className="button-row">
          There are more replies than one replay may run.
          <button type="button" className="button" onClick={onNext}>
            Choose the next ones
          </button>
        </p>
      )}
    </section>
  );
}

function Stopped({ stopped }: { readonly stopped: ReplayStop }) {
  const { reason, detail, tool_call, error } = stopped;
  return (
    <div role="alert" className="notice replay-stop" data-tone="waiting">
      <OctagonPause size={18} aria-hidden />
      <div>
        <strong>{stopWords(reason)}</strong>
        {tool_call && (
          <p className="code">
            {tool_call.tool_name} {tool_call.input}
          </p>
        )}
        <p>{detail}</p>
        {error && (
          <p>
            <code>{error.type}</code> {error.message}
          </p>
        )}
        {reason === "confirmation_required" && (
          <p>Choose above how such a question is answered, and replay it again.</p>
        )}
        {tool_call && <CodeId id={tool_call.reply_id} what="reply id" />}
      </div>
    </div>
  );
}

function Sums({ replay: { summary } }: { readonly replay: Replay }) {
  const { replies, answers_changed, calls, approvals, recorded, replayed } = summary;
  const [before, after] = [tokensOf(recorded.usage), tokensOf(replayed.usage)];
  return (
    <StatCards
      label="What changed"
      stats={[
        { label: "Answers changed", value: answers_changed, note: `of ${formatCount(replies)}` },
        {
          label: "Calls changed",
          value: formatCount(calls.changed + calls.new + calls.gone),
          note: parts([
            [calls.same, "same"],
            [calls.changed, "other input"],
            [calls.new, "new"],
            [calls.gone, "gone"],
          ]),
        },
        {
          label: "Approvals changed",
          value: formatCount(approvals.newly_asked + approvals.skipped + approvals.gone),
          note: parts([
            [approvals.newly_asked, "newly asked"],
            [approvals.skipped, "not asked any more"],
            [approvals.gone, "gone with the call"],
            [approvals.still_asked, "as before"],
          ]),
        },
        {
          label: "Tokens",
          value: formatCount(after),
          note: compare(formatCount(before), before, after),
        },
        {
          label: "Cost",
          value: formatMoney(replayed.cost_usd),
          note: compare(
            formatMoney(recorded.cost_usd),
            recorded.cost_usd ?? 0,
            replayed.cost_usd ?? 0,
          ),
        },
        {
          label: "Model calls",
          value: formatCount(replayed.model_calls),
          note: compare(
            formatCount(recorded.model_calls),
            recorded.model_calls,
            replayed.model_calls,
          ),
        },
      ]}
    />
  );
}

/** Counts that are not zero: "1 same, 2 new". */
function parts(counts: readonly (readonly [count: number, what: string])[]): string {
  const named = counts.filter(([count]) => count > 0);
  return named.map(([count, what]) => `${formatCount(count)} ${what}`).join(", ") || "none";
}

function compare(recorded: string, before: number, after: number): string {
  return [`${recorded} recorded`, changeInPercent(before, after)].filter(Boolean).join(" · ");
}

function tokensOf({ input_tokens, output_tokens }: Replay["summary"]["recorded"]["usage"]): number {
  return input_tokens + output_tokens;
}
