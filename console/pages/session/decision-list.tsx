import { Link } from "@tanstack/react-router";
import { ShieldQuestion } from "lucide-react";

import type { Decision } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Decision>[] = [
  {
    label: "Event",
    align: "end",
    cell: ({ seq }) => (
      <Link to="." search={{ tab: "events", seq: `${seq}` } as never} className="code">
        {seq}
      </Link>
    ),
  },
  { label: "Tool", cell: ({ tool_name }) => <span className="code">{tool_name}</span> },
  { label: "Decision", cell: ({ behavior }) => <StatusBadge status={behavior} /> },
  { label: "By", cell: ({ decided_by }) => <Actor {...decided_by} /> },
  { label: "Rule", from: "tablet", cell: ruleOf },
  {
    label: "Why",
    from: "desktop",
    cell: ({ reason }) => <span title={reason ?? ""}>{reason}</span>,
  },
  {
    label: "Input",
    from: "tablet",
    cell: ({ edited_input }) =>
      edited_input === null ? (
        <span className="quiet">as asked</span>
      ) : (
        <code title={edited_input}>{edited_input}</code>
      ),
  },
  {
    label: "When",
    from: "tablet",
    align: "end",
    cell: ({ decided_at }) => <TimeStamp at={decided_at} />,
  },
];

/** Decisions about the session's tool calls, with their makers and rules, newest first. */
export function DecisionList({
  sessionId,
  cursor,
}: {
  readonly sessionId: string;
  readonly cursor: number;
}) {
  const reprise = useReprise();
  const { rows, isLoading, error, loadMore, reload } = usePaged(
    ["session-decisions", sessionId, cursor],
    reprise.session(sessionId).decisions({ limit: PAGE_ROWS }),
  );
  if (isLoading) return <LoadingState label="Loading the decisions…" />;
  if (error && rows.length === 0) return <ErrorState error={error} onRetry={reload} />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={ShieldQuestion} title="No decisions yet">
        <p>Each tool call is allowed, asked about or denied; the record of it comes here.</p>
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Decisions"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ seq, tool_call_id }) => `${seq} ${tool_call_id}`}
      onEnd={loadMore}
    />
  );
}

function Actor({ kind, id, name }: Decision["decided_by"]) {
  return (
    <span title={id ?? undefined}>
      {name ?? kind.replaceAll("_", " ")}{" "}
      {name === undefined && id !== null && <code className="quiet">{id}</code>}
    </span>
  );
}

function ruleOf({ rule }: Decision) {
  if (!rule) return <span className="quiet">none</span>;
  const { behavior, tool_name, rule_content, source } = rule;
  return (
    <span title={`from ${source}`}>
      {behavior} <code>{rule_content ? `${tool_name}(${rule_content})` : tool_name}</code>
    </span>
  );
}
