import { useQuery } from "@tanstack/react-query";
import { Cable } from "lucide-react";

import type { Connection, ConnectionStatus } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { ConnectionDetail } from "./connection-detail.tsx";
import { DeleteConnection } from "./delete-connection.tsx";

/** Names of servers by their ids, as far as they are known. */
type Names = ReadonlyMap<string, string>;

const STATUSES: readonly (readonly [ConnectionStatus, string])[] = [
  ["active", "Active"],
  ["waiting", "Waits for a sign-in"],
  ["failed", "Failed"],
];
const MOST_SERVERS = 100;
const NO_NAMES: Names = new Map();

/** The grants that the tenant and its end users have given at MCP servers. */
export function ConnectionsPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const mayDelete = useMay("credentials:write");
  const names = useServerNames();
  const filter = toFilter(filters.values);
  const paged = usePaged(
    ["connections", filter],
    reprise.connections.list({ ...filter, limit: PAGE_ROWS }),
  );
  const columns = [...columnsOf(names), ...(mayDelete ? [deletion(names, paged.refresh)] : [])];
  return (
    <ListPage
      title="Connections"
      subtitle="Who has signed in at which MCP server. Their tokens are shown to nobody"
      table={{
        label: "Connections",
        columns,
        paged,
        keyOf: ({ id }) => id,
        empty: <NoConnections isFiltered={Object.keys(filter).length > 0} />,
      }}
    >
      <FilterBar fields={fieldsOf(names)} filters={filters} />
    </ListPage>
  );
}

function useServerNames(): Names {
  const reprise = useReprise();
  const mayRead = useMay("agents:read");
  const { data } = useQuery({
    queryKey: ["mcp-servers", "suggested"],
    queryFn: () => reprise.mcpServers.list({ limit: MOST_SERVERS }).page(null),
    enabled: mayRead,
  });
  return data ? new Map(data.data.map(({ id, name }) => [id, name])) : NO_NAMES;
}

function fieldsOf(names: Names): readonly FilterField[] {
  const server = { name: "mcp_server_id", label: "MCP server" };
  return [
    names.size > 0
      ? { ...server, kind: "choice", options: [...names] }
      : { ...server, kind: "text" },
    { name: "end_user_id", label: "End user", kind: "text" },
    { name: "status", label: "Status", kind: "choice", options: STATUSES },
  ];
}

interface ConnectionFilter {
  readonly mcp_server_id?: string;
  readonly end_user_id?: string;
  readonly status?: ConnectionStatus;
}

/** An unknown status in the address is none. */
function toFilter(values: Readonly<Record<string, string>>): ConnectionFilter {
  const { mcp_server_id, end_user_id } = values;
  const status = STATUSES.find(([known]) => known === values["status"])?.[0];
  return {
    ...(mcp_server_id !== undefined && { mcp_server_id }),
    ...(end_user_id !== undefined && { end_user_id }),
    ...(status && { status }),
  };
}

function columnsOf(names: Names): readonly Column<Connection>[] {
  return [
    {
      label: "MCP server",
      cell: (connection) => (
        <ConnectionDetail connection={connection} server={serverOf(names, connection)} />
      ),
    },
    {
      label: "End user",
      cell: ({ end_user_id }) => end_user_id ?? <span className="quiet">the tenant itself</span>,
    },
    { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: "Why it failed",
      from: "desktop",
      cell: ({ failure }) => failure !== null && <span title={failure}>{failure}</span>,
    },
    {
      label: "Changed",
      from: "desktop",
      cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
    },
    {
      label: "Created",
      align: "end",
      from: "tablet",
      cell: ({ created_at }) => <TimeStamp at={created_at} />,
    },
  ];
}

function deletion(names: Names, onDeleted: () => void): Column<Connection> {
  return {
    label: "Delete",
    align: "end",
    cell: (connection) => (
      <DeleteConnection
        connection={connection}
        server={serverOf(names, connection)}
        onDeleted={onDeleted}
      />
    ),
  };
}

function serverOf(names: Names, { mcp_server_id }: Connection): string {
  return names.get(mcp_server_id) ?? mcp_server_id;
}

function NoConnections({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={Cable} title="No connection fits these filters">
        <p>Take one off, or check the spelling: filters compare whole ids.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Cable} title="No connections yet">
      <p>
        A connection begins when an agent calls a tool of an MCP server that has OAuth settings, and
        nobody has signed in there yet. The call then waits among the approvals.
      </p>
      <p>
        <a href="/docs/mcp#sign-in">Read about sign-in at MCP servers</a>
      </p>
    </EmptyState>
  );
}
