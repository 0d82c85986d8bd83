import { Bot } from "lucide-react";

import type { Agent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Agent>[] = [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { label: "Id", from: "tablet", cell: ({ id }) => <CodeId id={id} what="agent id" /> },
  { label: "Model", cell: ({ model }) => modelOf(model) },
  { label: "Tools", from: "tablet", align: "end", cell: ({ tools }) => tools.length },
  { label: "Version", align: "end", cell: ({ version }) => `v${version}` },
  {
    label: "Changed",
    from: "tablet",
    align: "end",
    cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
  },
];

/** All agents of the tenant, newest first. */
export function AgentsPage() {
  const reprise = useReprise();
  const { rows, isLoading, isLoadingMore, error, loadMore, reload } = usePaged(["agents"], (page) =>
    reprise.agents.list({ limit: PAGE_ROWS }).page(page),
  );
  return (
    <div className="list-page">
      <PageHeader title="Agents" subtitle="Definitions; each change makes a new version" />
      {isLoading && <LoadingState label="Loading agents…" />}
      {error && rows.length === 0 && <ErrorState error={error} onRetry={reload} />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyState icon={Bot} title="No agents yet">
          <p>
            An agent is a prompt, a model and tools. Create one with <code>POST /v1/agents</code>.
          </p>
          <p>
            <a href="/docs/first-agent">Read how to make a first agent</a>
          </p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Agents"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          onEnd={loadMore}
          footer={isLoadingMore && <LoadingState label="Loading more…" />}
        />
      )}
    </div>
  );
}

function modelOf(model: Agent["model"]): string {
  return "name" in model && model.name ? `${model.provider} · ${model.name}` : model.provider;
}
