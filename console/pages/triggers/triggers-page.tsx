import { Link, useNavigate } from "@tanstack/react-router";
import { AlarmClock } from "lucide-react";
import { useMemo } from "react";

import type { Agent, Trigger } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { agentField } from "../../components/list-page/agent-field.ts";
import { ResourceList } from "../../components/list-page/resource-list.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useAgents } from "../../components/use-names.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { NewTrigger } from "./new-trigger.tsx";
import { TargetName } from "./trigger-target.tsx";
import { wordsOfCause } from "./trigger-words.ts";

const STATUSES = ["active", "paused", "completed"] as const;
const keyOf = ({ id }: Trigger): string => id;

/** All triggers of the tenant, newest first, with what begins them and when they have last run. */
export function TriggersPage() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const filters = useFilters();
  const agents = useAgents();
  const mayWrite = useMay("triggers:write");
  const { agent_id, status: chosen } = filters.values;
  const status = STATUSES.find((one) => one === chosen);
  const filter = { ...(agent_id !== undefined && { agent_id }), ...(status && { status }) };
  const columns = useMemo(() => columnsOf(agents), [agents]);
  const fields = useMemo(() => fieldsOf(agents), [agents]);
  return (
    <ResourceList
      title="Triggers"
      subtitle="Replies that begin by a schedule, by a webhook of another system, or by hand"
      label="Triggers"
      queryKey="triggers"
      filter={filter}
      list={reprise.triggers.list({ ...filter, limit: PAGE_ROWS })}
      keyOf={keyOf}
      columns={columns}
      fields={fields}
      filters={filters}
      noneFits={<NoneFits />}
      empty={<NoTriggers />}
      add={
        mayWrite
          ? {
              label: "New trigger",
              title: "Make a trigger",
              form: (done) => <NewTrigger agents={agents} {...done} />,
              open: (triggerId) =>
                void navigate({ to: "/triggers/$triggerId", params: { triggerId } }),
            }
          : null
      }
    />
  );
}

function columnsOf(agents: ReadonlyMap<string, Agent>): readonly Column<Trigger>[] {
  return [
    {
      label: "Trigger",
      cell: ({ id, name }) => (
        <Link to="/triggers/$triggerId" params={{ triggerId: id }} className="row-link">
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      label: "Answers",
      from: "tablet",
      cell: (trigger) => <TargetName trigger={trigger} agents={agents} />,
    },
    { label: "Runs", cell: (trigger) => wordsOfCause(trigger) },
    { label: "State", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: "Last run",
      align: "end",
      from: "tablet",
      cell: ({ last_run_at }) => (last_run_at === null ? "never" : <TimeStamp at={last_run_at} />),
    },
    {
      label: "Next run",
      align: "end",
      cell: ({ status, upcoming_runs_at: [next] }) =>
        next === undefined || status !== "active" ? "" : <TimeStamp at={next} />,
    },
  ];
}

function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  return [
    agentField(agents),
    {
      name: "status",
      label: "State",
      kind: "choice",
      options: STATUSES.map((status) => [status, status] as const),
    },
  ];
}

function NoneFits() {
  return (
    <EmptyState icon={AlarmClock} title="No trigger fits these filters">
      <p>Take a filter off to see the others.</p>
    </EmptyState>
  );
}

function NoTriggers() {
  return (
    <EmptyState icon={AlarmClock} title="There are no triggers yet">
      <p>
        A trigger asks an agent, or a room, something at certain times, or when another system posts
        a webhook to its address.
      </p>
      <p>
        <a href="/docs/triggers">Read about triggers</a>
      </p>
    </EmptyState>
  );
}
