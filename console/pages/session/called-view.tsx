import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { useMemo } from "react";

import type { Session, SessionSummary } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import type { Subagent } from "../../components/called/called-of.ts";
import { formatCompact, formatMoney } from "../../components/charts/format-number.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useAgentNames } from "../../components/use-agent-names.ts";
import { useLiveList } from "../../components/use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const LABEL = "Called agents";
/** Replies whose calls are known beside the sessions: the newest. */
const MOST_REPLIES = 20;

interface CalledRow extends SessionSummary {
  /** As the reply that has called has it; undefined for one of an older reply. */
  readonly subagent: Subagent | undefined;
  readonly replyId: string | undefined;
}

const keyOf = ({ id }: SessionSummary): string => id;

/** Sessions of the agents that replies of this one have called, newest first. */
export function CalledView({ session: { id, cursor } }: { readonly session: Session }) {
  const reprise = useReprise();
  const names = useAgentNames();
  const key = ["called sessions", id];
  const list = reprise.sessions.list({ parent_session_id: id, limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  useLiveList(key, list, { keyOf, label: LABEL });
  const calls = useCalls(id, cursor);
  const { rows } = paged;
  const shown = useMemo(
    () => rows.map((row): CalledRow => ({ ...row, ...(calls.get(row.id) ?? NO_CALL) })),
    [rows, calls],
  );
  const columns = useMemo(() => columnsOf(id, names), [id, names]);
  return (
    <PagedTable
      label={LABEL}
      columns={columns}
      paged={{ ...paged, rows: shown, first: undefined }}
      keyOf={keyOf}
      empty={
        <EmptyState icon={Bot} title="No agent was called">
          <p>
            An agent with a tool of the type <code>agent</code> gives work to another one. Each call
            is a session of its own, which is listed here.
          </p>
          <p>
            <a href="/docs/agents-as-tools">Read about agents as tools</a>
          </p>
        </EmptyState>
      }
    />
  );
}

type Call = Pick<CalledRow, "subagent" | "replyId">;
const NO_CALL: Call = { subagent: undefined, replyId: undefined };

/** The calls of the newest replies, by the sessions that they have opened. */
function useCalls(sessionId: string, cursor: number): ReadonlyMap<string, Call> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["called by", sessionId, cursor],
    queryFn: () => reprise.session(sessionId).replies.list({ limit: MOST_REPLIES }).page(null),
    placeholderData: (before) => before,
  });
  return useMemo(
    () =>
      new Map(
        (data?.data ?? []).flatMap(({ id, subagents = [] }) =>
          subagents.map((subagent) => [subagent.session_id, { subagent, replyId: id }] as const),
        ),
      ),
    [data],
  );
}

function columnsOf(
  sessionId: string,
  names: ReadonlyMap<string, string>,
): readonly Column<CalledRow>[] {
  return [
    { label: "Session", cell: (row) => <SessionLink session={row} /> },
    {
      label: "Agent",
      from: "tablet",
      cell: ({ agent_id, agent_version }) => (
        <>
          <bdi title={agent_id}>{names.get(agent_id) ?? agent_id}</bdi>{" "}
          <span className="quiet">v{agent_version}</span>
        </>
      ),
    },
    { label: "Status", cell: (row) => <StatusBadge status={statusOf(row)} /> },
    {
      label: "Tokens",
      align: "end",
      from: "desktop",
      cell: ({ subagent }) =>
        subagent ? formatCompact(subagent.input_tokens + subagent.output_tokens) : "–",
    },
    {
      label: "Cost",
      align: "end",
      from: "desktop",
      cell: ({ subagent, cost_usd }) => {
        const cost = subagent ? subagent.cost_usd : cost_usd;
        return cost === null ? "–" : formatMoney(cost);
      },
    },
    {
      label: "Called by",
      from: "tablet",
      cell: ({ replyId }) =>
        replyId === undefined ? (
          <span className="quiet">an older reply</span>
        ) : (
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId }}
            search={{ tab: "timeline", reply: replyId } as never}
            className="code above-row"
          >
            {replyId.slice(-8)}
          </Link>
        ),
    },
    {
      label: "Called",
      align: "end",
      from: "tablet",
      cell: ({ created_at }) => <TimeStamp at={created_at} />,
    },
  ];
}

/** A list knows a session as of the end of its last reply; its caller knows whether it works. */
function statusOf({ subagent, status, failure }: CalledRow): string {
  if (subagent?.status === "working" && status === "idle") return "working";
  if (subagent?.status === "waiting") return "waiting";
  return failure ? "failed" : status === "idle" ? "ended" : status;
}
