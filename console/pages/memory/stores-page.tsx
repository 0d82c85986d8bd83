import { Link, useNavigate } from "@tanstack/react-router";
import { BookMarked } from "lucide-react";
import { useMemo } from "react";

import type { Agent, MemoryStoreFilter, MemoryStoreRecord } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { useMemoryRoom } from "../../components/memory/use-memory-room.ts";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useLiveList } from "../../components/use-live-list.ts";
import { useAgents } from "../../components/use-names.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { NewStore } from "./new-store.tsx";

const LABEL = "Memory stores";
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
  const key = ["memory-stores", filter];
  const list = reprise.memoryStores.list({ ...filter, limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  const live = useLiveList(key, list, { keyOf, label: LABEL });
  const columns = useMemo(() => columnsOf(agents, room), [agents, room]);
  const fields = useMemo(() => fieldsOf(agents), [agents]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPage
      title="Memory"
      subtitle="What agents remember: a store for each end user of an agent, or one for all of them"
      hasRefresh
      live={live}
      actions={
        mayWrite && (
          <AddDialog label="New store" title="Make a memory store">
            {(close) => (
              <NewStore
                agents={agents}
                onCancel={close}
                onMade={(id) => {
                  paged.refresh();
                  void navigate({ to: "/memory/$storeId", params: { storeId: id } });
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
        empty: isFiltered ? <NoneFits /> : <NoStores />,
      }}
    >
      <FilterBar fields={fields} filters={filters} />
    </ListPage>
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

/** An agent is chosen by its name; by its id where the console may not read agents. */
function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  const options = [...agents.values()].map(({ id, name }) => [id, name] as const);
  return [
    options.length === 0
      ? { name: "agent_id", label: "Agent id", kind: "text" }
      : { name: "agent_id", label: "Agent", kind: "choice", options },
    { name: "end_user_id", label: "End user", kind: "text" },
  ];
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
