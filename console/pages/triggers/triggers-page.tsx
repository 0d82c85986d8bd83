import { Link, useNavigate } from "@tanstack/react-router";
import { AlarmClock } from "lucide-react";
import { useMemo } from "react";

import type { Agent, Trigger } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useLiveList } from "../../components/use-live-list.ts";
import { useAgents } from "../../components/use-names.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { NewTrigger } from "./new-trigger.tsx";
import { TargetName } from "./trigger-target.tsx";
import { wordsOfCause } from "./trigger-words.ts";

const LABEL = "Triggers";
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
  const key = ["triggers", filter];
  const list = reprise.triggers.list({ ...filter, limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  const live = useLiveList(key, list, { keyOf, label: LABEL });
  const columns = useMemo(() => columnsOf(agents), [agents]);
  const fields = useMemo(() => fieldsOf(agents), [agents]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPage
      title="Triggers"
      subtitle="Replies that begin by a schedule, by a webhook of another system, or by hand"
      hasRefresh
      live={live}
      actions={
        mayWrite && (
          <AddDialog label="New trigger" title="Make a trigger">
            {(close) => (
              <NewTrigger
                agents={agents}
                onCancel={close}
                onMade={(triggerId) => {
                  paged.refresh();
                  void navigate({ to: "/triggers/$triggerId", params: { triggerId } });
                }}
              />
            )}
          </AddDialog>
        )
      }
      table={{
        label: LABEL,
        columns,
        paged,
        keyOf,
        empty: isFiltered ? <NoneFits /> : <NoTriggers />,
      }}
    >
      <FilterBar fields={fields} filters={filters} />
    </ListPage>
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
  const options = [...agents.values()].map(({ id, name }) => [id, name] as const);
  return [
    options.length === 0
      ? { name: "agent_id", label: "Agent id", kind: "text" }
      : { name: "agent_id", label: "Agent", kind: "choice", options },
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
