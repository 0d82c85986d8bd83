import { Link } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";

import type { Agent } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Agent>[] = [
  {
    label: "Name",
    cell: ({ id, name }) => (
      <Link to="/agents/$agentId" params={{ agentId: id }} className="row-link">
        <strong>{name}</strong>
      </Link>
    ),
  },
  { label: "Id", from: "tablet", cell: ({ id }) => <code>{id}</code> },
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
  const mayWrite = useMay("agents:write");
  const paged = usePaged(["agents"], reprise.agents.list({ limit: PAGE_ROWS }));
  return (
    <ListPage
      title="Agents"
      subtitle="Definitions; each change makes a new version"
      actions={
        mayWrite && (
          <Link to="/agents/new" className="button button-primary">
            <Plus size={16} aria-hidden />
            New agent
          </Link>
        )
      }
      table={{
        label: "Agents",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={Bot} title="No agents yet">
            <p>
              An agent is a prompt, a model and tools. Create one here, or with{" "}
              <code>POST /v1/agents</code>.
            </p>
            {mayWrite && (
              <Link to="/agents/new" className="button">
                Begin with an example
              </Link>
            )}
            <p>
              <a href="/docs/guides/first-agent">Read how to make a first agent</a>
            </p>
          </EmptyState>
        ),
      }}
    />
  );
}

function modelOf(model: Agent["model"]): string {
  return "name" in model && model.name ? `${model.provider} · ${model.name}` : model.provider;
}
