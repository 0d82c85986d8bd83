import { Link, useNavigate } from "@tanstack/react-router";
import { BookMarked } from "lucide-react";
import { useMemo } from "react";

import type { Agent, MemoryStoreFilter, MemoryStoreRecord } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { agentField } from "../../components/list-page/agent-field.ts";
import { ResourceList } from "../../components/list-page/resource-list.tsx";
import { useMemoryRoom } from "../../components/memory/use-memory-room.ts";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useAgents } from "../../components/use-names.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { NewStore } from "./new-store.tsx";

const keyOf = ({ id }: MemoryStoreRecord): string => id;

/** All memory stores of the tenant, newest first, with their sizes as they are now. */
export function MemoryStoresPage() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const filters = useFilters();
  const agents = useAgents();
  const room = useMemoryRoom();
  const mayWrite = useMay("memories:write");
  const filter = toFilter(filters.values);
  const columns = useMemo(() => columnsOf(agents, room), [agents, room]);
  const fields = useMemo(() => fieldsOf(agents), [agents]);
  return (
    <ResourceList
      title="Memory"
      subtitle="What agents remember: a store for each end user of an agent, or one for all of them"
      label="Memory stores"
      queryKey="memory-stores"
      filter={filter}
      list={reprise.memoryStores.list({ ...filter, limit: PAGE_ROWS })}
      keyOf={keyOf}
      columns={columns}
      fields={fields}
      filters={filters}
      noneFits={<NoneFits />}
      empty={<NoStores />}
      add={
        mayWrite
          ? {
              label: "New store",
              title: "Make a memory store",
              form: (done) => <NewStore agents={agents} {...done} />,
              open: (storeId) => void navigate({ to: "/memory/$storeId", params: { storeId } }),
            }
          : null
      }
    />
  );
}

function columnsOf(
  agents: ReadonlyMap<string, Agent>,
  room: number | null,
): readonly Column<MemoryStoreRecord>[] {
  return [
    {
      label: "Of",
      cell: ({ id, end_user_id }) => (
        <Link to="/memory/$storeId" params={{ storeId: id }} className="row-link">
          {end_user_id === null ? "all its end users" : <bdi>{end_user_id}</bdi>}
        </Link>
      ),
    },
    {
      label: "Agent",
      cell: ({ agent_id }) => {
        const name = agents.get(agent_id)?.name;
        return name === undefined ? (
          <span className="code">{agent_id}</span>
        ) : (
          <bdi title={agent_id}>{name}</bdi>
        );
      },
    },
    {
      label: "Memories",
      align: "end",
      cell: ({ memories }) => (
        <>
          {room !== null && memories >= room && (
            <>
              <span className="badge" data-tone="bad">
                full
              </span>{" "}
            </>
          )}
          {memories.toLocaleString()}
        </>
      ),
    },
    { label: "Size", align: "end", from: "tablet", cell: ({ bytes }) => formatBytes(bytes) },
    {
      label: "Changed",
      align: "end",
      from: "tablet",
      cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
    },
  ];
}

function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  return [agentField(agents), { name: "end_user_id", label: "End user", kind: "text" }];
}

function toFilter({
  agent_id,
  end_user_id,
}: Readonly<Record<string, string>>): Pick<MemoryStoreFilter, "agent_id" | "end_user_id"> {
  return {
    ...(agent_id !== undefined && { agent_id }),
    ...(end_user_id !== undefined && { end_user_id }),
  };
}

function NoneFits() {
  return (
    <EmptyState icon={BookMarked} title="No store fits these filters">
      <p>
        Nothing is remembered of this end user, or by this agent. Filters compare whole ids: check
        the spelling, or take one off.
      </p>
    </EmptyState>
  );
}

function NoStores() {
  return (
    <EmptyState icon={BookMarked} title="Nothing is remembered yet">
      <p>
        An agent with <code>memory</code> in its definition remembers its end users from one
        conversation to the next. Its stores come with the first memory.
      </p>
      <p>
        <a href="/docs/memory">Read about memory</a>
      </p>
    </EmptyState>
  );
}
