import { useQuery } from "@tanstack/react-query";
import { Timer } from "lucide-react";
import { useState } from "react";

import type { Reply, ReplyDiagnostics } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import type { Filters } from "../../components/use-filters.ts";
import {
  formatCost,
  formatDuration,
  layOutWaterfall,
  type WaterfallRow,
} from "./lay-out-waterfall.ts";
import { scaleOf, type TimeScale } from "./scale-of.ts";
import { useMarks } from "./use-marks.ts";

interface TimelineProps {
  readonly sessionId: string;
  /** When it moves, there is something new. */
  readonly cursor: number;
  /** State of the address, which names the reply that is shown. */
  readonly filters: Filters;
}

/** Replies to choose from: the newest of the session. */
const MOST_REPLIES = 100;
const RUNNING_MS = 1_000;

/** Activity of a reply, one bar for each model call and tool call, with its waits. */
export function Timeline({ sessionId, cursor, filters }: TimelineProps) {
  const reprise = useReprise();
  const { data, error, refetch } = useQuery({
    queryKey: ["replies", sessionId, cursor],
    queryFn: () => reprise.session(sessionId).replies.list({ limit: MOST_REPLIES }).page(null),
    placeholderData: (before) => before,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the replies…" />;
  const [newest] = data.data;
  if (!newest) {
    return (
      <EmptyState icon={Timer} title="No reply yet">
        <p>When the agent has answered, each of its model calls and tools has a bar here.</p>
      </EmptyState>
    );
  }
  const shown = filters.values["reply"] ?? newest.id;
  return (
    <div className="timeline">
      <label className="timeline-choice">
        <span className="field-label">Reply</span>
        <select
          className="input"
          value={shown}
          onChange={(event) => filters.set("reply", event.target.value)}
        >
          {!data.data.some(({ id }) => id === shown) && <option value={shown}>{shown}</option>}
          {data.data.map((reply, index) => (
            <option key={reply.id} value={reply.id}>
              {nameOf(reply, index)}
            </option>
          ))}
        </select>
      </label>
      <ReplyWaterfall key={shown} sessionId={sessionId} replyId={shown} />
    </div>
  );
}

function nameOf({ id, status }: Reply, index: number): string {
  return `${index === 0 ? "newest" : `${index} before it`} · ${status.replaceAll("_", " ")} · ${id}`;
}

function ReplyWaterfall({
  sessionId,
  replyId,
}: {
  readonly sessionId: string;
  readonly replyId: string;
}) {
  const reprise = useReprise();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ["diagnostics", sessionId, replyId],
    queryFn: () => reprise.session(sessionId).diagnostics(replyId),
    refetchInterval: ({ state }) => (isOpen(state.data) ? RUNNING_MS : false),
  });
  const marks = useMarks(sessionId, replyId);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the timeline…" />;
  const { rows, totalMs } = layOutWaterfall(data, marks, dataUpdatedAt);
  const scale = scaleOf(rows, totalMs);
  const omitted = data.model_calls_omitted + data.tool_calls_omitted;
  return (
    <>
      <Totals diagnostics={data} totalMs={totalMs} />
      {data.hint !== null && <p className="check-hint">{data.hint}</p>}
      <ol className="waterfall" aria-label="Timeline">
        {rows.map((row) => (
          <Row key={row.key} row={row} scale={scale} />
        ))}
      </ol>
      <p className="waterfall-legend quiet">
        <span className="waterfall-key" data-kind="model" /> model
        <span className="waterfall-key" data-kind="tool" /> tool
        <span className="waterfall-key" data-kind="permission" /> waits for a person
        <span className="waterfall-key" data-kind="external_result" /> waits for a result
      </p>
      {scale.shortened.length > 0 && (
        <p className="quiet">
          Waits in which nothing runs are drawn shorter than they were; the numbers are true.
        </p>
      )}
      {omitted > 0 && <p className="quiet">{omitted.toLocaleString()} older calls are left out.</p>}
    </>
  );
}

function isOpen(diagnostics: ReplyDiagnostics | undefined): boolean {
  return /^(running|awaiting)/.test(diagnostics?.status ?? "");
}

function Totals({
  diagnostics,
  totalMs,
}: {
  readonly diagnostics: ReplyDiagnostics;
  readonly totalMs: number;
}) {
  const { status, summary, model_calls, tool_calls, agent_version, recovery } = diagnostics;
  const usages = model_calls.flatMap(({ usage }) => (usage ? [usage] : []));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const costs = model_calls.map(({ cost_usd }) => cost_usd);
  const known = costs.filter((cost) => cost !== null);
  return (
    <>
      <p>
        <StatusBadge status={status} /> {summary}
      </p>
      <dl className="facts">
        <div>
          <dt>From first to last</dt>
          <dd>{formatDuration(totalMs)}</dd>
        </div>
        <div>
          <dt>Running</dt>
          <dd>{formatDuration(recovery.ran_ms)}</dd>
        </div>
        <div>
          <dt>Model calls</dt>
          <dd>{model_calls.length}</dd>
        </div>
        <div>
          <dt>Tool calls</dt>
          <dd>{tool_calls.length}</dd>
        </div>
        <div>
          <dt>Tokens in and out</dt>
          <dd>
            {sum(usages.map(({ input_tokens }) => input_tokens)).toLocaleString()} ·{" "}
            {sum(usages.map(({ output_tokens }) => output_tokens)).toLocaleString()}
          </dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>
            {known.length === 0 ? "price not known" : formatCost(sum(known))}
            {known.length > 0 && known.length < costs.length && " and what has no price"}
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>{agent_version}</dd>
        </div>
      </dl>
    </>
  );
}

function Row({ row, scale }: { readonly row: WaterfallRow; readonly scale: TimeScale }) {
  const [isShown, setIsShown] = useState(false);
  const { kind, label, outcome, bars, durationMs, firstOutputMs, tokens, costUsd } = row;
  const percent = (part: number) => `${100 * part}%`;
  return (
    <li>
      <button
        type="button"
        className="waterfall-row"
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <span className="waterfall-label">
          <span className="code">{label}</span>
          <span className="quiet">{outcome}</span>
        </span>
        <span className="waterfall-track" aria-hidden>
          {bars.map(({ kind: what, startMs, endMs }) => (
            <span
              key={`${what} ${startMs}`}
              className="waterfall-bar"
              data-kind={what === "work" ? kind : what}
              style={{
                left: percent(scale.at(startMs)),
                width: percent(scale.at(endMs) - scale.at(startMs)),
              }}
            />
          ))}
          {firstOutputMs !== null && (
            <span
              className="waterfall-first"
              style={{ left: percent(scale.at(row.startMs + firstOutputMs)) }}
            />
          )}
        </span>
        <span className="waterfall-numbers">
          {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
          {tokens && (
            <span className="quiet">
              {tokens.input.toLocaleString()} + {tokens.output.toLocaleString()} tokens
            </span>
          )}
          {costUsd !== null && <span className="quiet">{formatCost(costUsd)}</span>}
        </span>
      </button>
      {isShown && <JsonViewer value={row.detail} label={row.key} openLevels={2} />}
    </li>
  );
}
