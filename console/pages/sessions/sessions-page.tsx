import { Link } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";

import type { SessionListFilter, SessionSummary } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { dayStart } from "../../components/day-start.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const FIELDS: readonly FilterField[] = [
  {
    name: "status",
    label: "Status",
    kind: "choice",
    options: [
      ["awaiting_permission", "Waits for permission"],
      ["awaiting_external_result", "Waits for a result"],
      ["idle", "Idle"],
    ],
  },
  { name: "agent_id", label: "Agent id", kind: "text" },
  { name: "end_user_id", label: "End user", kind: "text" },
  { name: "from", label: "From", kind: "date" },
  { name: "to", label: "To", kind: "date" },
];

const COLUMNS: readonly Column<SessionSummary>[] = [
  {
    label: "Session",
    cell: ({ id }) => (
      <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="row-link code">
        {id}
      </Link>
    ),
  },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    label: "End user",
    from: "tablet",
    cell: ({ end_user_id }) => end_user_id ?? <span className="quiet">–</span>,
  },
  {
    label: "Created",
    from: "tablet",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
  {
    label: "Agent",
    from: "desktop",
    cell: ({ agent_id, agent_version }) => (
      <>
        <span className="code">{agent_id}</span> <span className="quiet">v{agent_version}</span>
      </>
    ),
  },
];

/** All sessions of the tenant, newest first. */
export function SessionsPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const filter = toFilter(filters.values);
  const paged = usePaged(
    ["sessions", filter],
    reprise.sessions.list({ ...filter, limit: PAGE_ROWS }),
  );
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPage
      title="Sessions"
      subtitle="Conversations of end users with agents, newest first"
      hasRefresh
      table={{
        label: "Sessions",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: <NoSessions isFiltered={isFiltered} />,
      }}
    >
      <FilterBar fields={FIELDS} filters={filters} />
    </ListPage>
  );
}

function NoSessions({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={MessagesSquare} title="No session fits these filters">
        <p>Take one off, or check the spelling of an id: filters compare whole ids.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={MessagesSquare} title="No sessions yet">
      <p>
        A session is one conversation of an end user with an agent. Your back end opens one with{" "}
        <code>POST /v1/sessions</code>.
      </p>
      <p>
        <a href="/docs/guides/first-agent">Read how to make a first agent</a>
      </p>
    </EmptyState>
  );
}

/** The names of the address in the API's terms: days begin and end in the reader's zone. */
function toFilter({
  status,
  agent_id,
  end_user_id,
  from,
  to,
}: Readonly<Record<string, string>>): SessionListFilter {
  const after = from === undefined ? null : dayStart(from, 0);
  const before = to === undefined ? null : dayStart(to, 1);
  return {
    ...(status !== undefined && { status: status as SessionListFilter["status"] }),
    ...(agent_id !== undefined && { agent_id }),
    ...(end_user_id !== undefined && { end_user_id }),
    ...(after !== null && { created_after: after }),
    ...(before !== null && { created_before: before }),
  };
}
