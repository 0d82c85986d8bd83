import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hourglass, Square } from "lucide-react";
import { useEffect } from "react";

import type { SessionTask } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

interface TasksViewProps {
  readonly sessionId: string;
  readonly cursor: number;
}

/** Calls that go on without their replies, and those that wait for tasks of MCP servers: people may stop them. */
export function TasksView({ sessionId, cursor }: TasksViewProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayStop = useMay("replies:write");
  const queryKey = ["session-tasks", sessionId];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => reprise.session(sessionId).tasks.list(),
  });
  useEffect(() => void refetch(), [cursor, refetch]);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the tasks…" />;
  if (data.length === 0) {
    return (
      <EmptyState icon={Hourglass} title="No tasks">
        <p>A call of a tool with background_after_ms that takes longer goes on here.</p>
      </EmptyState>
    );
  }
  const stop = async (id: string) => {
    await reprise.session(sessionId).tasks.cancel(id);
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <DataTable
      label="Tasks"
      columns={mayStop ? [...COLUMNS, stopColumn(stop)] : COLUMNS}
      rows={data}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<SessionTask>[] = [
  { label: "Tool", cell: ({ tool_name }) => <span className="code">{tool_name}</span> },
  {
    label: "State",
    cell: ({ status, paused }) => (
      <>
        <StatusBadge status={status} />
        {paused && <span className="quiet"> waits for a message</span>}
      </>
    ),
  },
  { label: "Waits for", from: "desktop", cell: wordsOfWait },
  {
    label: "Why",
    from: "desktop",
    cell: ({ message }) => <span title={message ?? ""}>{message}</span>,
  },
  {
    label: "Began the reply",
    from: "tablet",
    cell: ({ woken_reply_id }) =>
      woken_reply_id === null ? (
        <span className="quiet">–</span>
      ) : (
        <Link to="." search={{ tab: "timeline" } as never} className="code">
          {woken_reply_id.slice(-8)}
        </Link>
      ),
  },
  {
    label: "Task",
    from: "desktop",
    cell: ({ id }) => <CodeId id={id} what="task id" />,
  },
  {
    label: "Since",
    from: "tablet",
    align: "end",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

function wordsOfWait({ status, kind, waits_for }: SessionTask): string {
  if (status !== "working" && status !== "input_required") return "–";
  if (kind === "mcp") return "a task of an MCP server";
  if (kind === "a2a") return "a task of another system's agent";
  return waits_for === "callback" ? "a result that is posted" : "the end of its request";
}

function stopColumn(onStop: (id: string) => Promise<void>): Column<SessionTask> {
  return {
    label: "Stop",
    align: "end",
    cell: ({ id, tool_name, status }) =>
      status === "working" || status === "input_required" ? (
        <DangerDialog
          title={`Stop this task of ${tool_name}?`}
          action="Stop"
          button={{ icon: Square, name: `Stop the task of ${tool_name}`, look: "small icon" }}
          onConfirm={() => onStop(id)}
        >
          <p>It will have no result, and what its tool has done already stays done.</p>
        </DangerDialog>
      ) : null,
  };
}
