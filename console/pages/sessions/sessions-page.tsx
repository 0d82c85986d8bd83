import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessagesSquare, SearchX } from "lucide-react";
import { useMemo } from "react";

import { ApiError, type SessionListFilter, type SessionSummary } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatMoney } from "../../components/charts/format-number.ts";
import { dayStart } from "../../components/day-start.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { isFindable, SearchField } from "../../components/search-field.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useLiveList } from "../../components/use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { EndUserActions } from "./end-user-actions.tsx";
import { InterruptMany } from "./interrupt-many.tsx";
import { ReplayMany } from "./replay-many.tsx";

const FIELDS: readonly FilterField[] = [
  {
    name: "status",
    label: "Status",
    kind: "choice",
    options: [
      ["running", "Running"],
      ["waiting", "Waiting"],
      ["awaiting_permission", "Waits for permission"],
      ["awaiting_external_result", "Waits for a result"],
      ["failed", "Failed"],
      ["idle", "Idle"],
    ],
  },
  { name: "agent_name", label: "Agent’s name", kind: "text" },
  { name: "agent_id", label: "Agent id", kind: "text" },
  { name: "end_user_id", label: "End user", kind: "text" },
  { name: "parent_session_id", label: "Called by session", kind: "text" },
  { name: "room_id", label: "Room id", kind: "text" },
  { name: "min_cost_usd", label: "Cost from, in USD", kind: "text" },
  { name: "from", label: "From", kind: "date" },
  { name: "to", label: "To", kind: "date" },
];

const LABEL = "Sessions";
/** Milliseconds between two looks at what runs. */
const RUNNING_MS = 4_000;

function columnsWith(running: ReadonlySet<string>): readonly Column<SessionSummary>[] {
  return [
    {
      label: "Session",
      cell: (session) => (
        <>
          {session.parent_session_id != null && (
            <>
              <Link
                to="/sessions"
                search={{ parent_session_id: session.parent_session_id } as never}
                className="badge above-row"
                title={`Called by a reply of ${session.parent_session_id}: show all that it has called`}
              >
                called
              </Link>{" "}
            </>
          )}
          <SessionLink session={session} />
        </>
      ),
    },
    {
      label: "Status",
      cell: ({ id, status, failure }) => (
        <StatusBadge status={running.has(id) ? "running" : failure ? "failed" : status} />
      ),
    },
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
      label: "Cost",
      from: "desktop",
      align: "end",
      cell: ({ cost_usd }) => (cost_usd === null ? "–" : formatMoney(cost_usd)),
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
}

const keyOf = ({ id }: SessionSummary): string => id;

/** All sessions of the tenant, newest first, as they are now. */
export function SessionsPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const filter = toFilter(filters.values);
  const key = ["sessions", filter];
  const list = reprise.sessions.list({ ...filter, limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  const live = useLiveList(key, list, { keyOf, label: LABEL });
  const running = useRunning();
  const isOff = ApiError.isInstance(paged.error) && paged.error.code === "search_off";
  const columns = useMemo(() => columnsWith(running), [running]);
  return (
    <ListPage
      title="Sessions"
      subtitle="Conversations of end users with agents, newest first"
      hasRefresh
      live={live}
      actions={
        filter.status === "running" ? (
          <InterruptMany sessions={paged.rows} />
        ) : (
          <>
            {filter.end_user_id !== undefined && <EndUserActions endUserId={filter.end_user_id} />}
            {/* Of all sessions nobody means to pay for a replay. */}
            {Object.keys(filter).length > 0 && <ReplayMany sessions={paged.rows} />}
          </>
        )
      }
      table={{
        label: LABEL,
        columns,
        paged: isOff ? { ...paged, error: null } : paged,
        keyOf,
        empty: isOff ? <SearchOff /> : <NoSessions filter={filter} />,
      }}
    >
      <SearchField name="search" label="Search titles and first messages" filters={filters} />
      <FilterBar fields={FIELDS} filters={filters} />
      {paged.first?.search_complete === false && (
        <p role="status" className="quiet">
          The index is being made, the newest sessions first: older ones come by themselves.
        </p>
      )}
    </ListPage>
  );
}

/** Lists know a session as of the end of its last reply; the ids of those that run come from their leases. */
function useRunning(): ReadonlySet<string> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["running sessions"],
    queryFn: () => reprise.sessions.list({ status: "running", limit: PAGE_ROWS }).page(null),
    refetchInterval: RUNNING_MS,
  });
  return useMemo(() => new Set(data?.data.map(({ id }) => id)), [data]);
}

function SearchOff() {
  return (
    <EmptyState icon={SearchX} title="The search is off">
      <p>
        There is no index of titles and first messages of this tenant. It is turned on with the{" "}
        <Link to="/quotas">quotas</Link>; the other filters work as before.
      </p>
    </EmptyState>
  );
}

function NoSessions({ filter }: { readonly filter: SessionListFilter }) {
  const { search, ...others } = filter;
  const isFiltered = Object.keys(others).length > 0;
  if (search !== undefined) {
    return (
      <EmptyState icon={SearchX} title={`No session has “${search}”`}>
        <p>
          Titles and first messages were searched
          {isFiltered && ", in the sessions that fit the filters"}, for all words of it; the last
          one may be the beginning of a word. What was said later is not searched.
        </p>
      </EmptyState>
    );
  }
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
  search,
  status,
  agent_id,
  agent_name,
  end_user_id,
  parent_session_id,
  room_id,
  min_cost_usd,
  from,
  to,
}: Readonly<Record<string, string>>): SessionListFilter {
  const after = from === undefined ? null : dayStart(from, 0);
  const cost = min_cost_usd === undefined ? null : Number(min_cost_usd.replace(",", "."));
  const before = to === undefined ? null : dayStart(to, 1);
  return {
    ...(search !== undefined && isFindable(search) && { search }),
    ...(status !== undefined && { status: status as SessionListFilter["status"] }),
    ...(agent_id !== undefined && { agent_id }),
    ...(agent_name !== undefined && { agent_name }),
    ...(end_user_id !== undefined && { end_user_id }),
    ...(parent_session_id !== undefined && { parent_session_id }),
    ...(room_id !== undefined && { room_id }),
    ...(cost !== null && { min_cost_usd: cost }),
    ...(after !== null && { created_after: after }),
    ...(before !== null && { created_before: before }),
  };
}
