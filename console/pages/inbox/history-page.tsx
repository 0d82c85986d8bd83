import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useMemo } from "react";

import type { Agent, DecisionFilter, TenantDecision } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { BehaviorBadge, RuleText } from "../../components/rule-text.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useAgents, useKeyNames } from "../../components/use-names.ts";
import { DECIDERS, deciderWords } from "../../components/words/decider-words.ts";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { agentFilter } from "./inbox-filters.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";

const NAMES = [
  "behavior",
  "answered_by",
  "decided_by",
  "tool_name",
  "end_user_id",
  "agent_id",
  "session_id",
] as const;

function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  return [
    {
      name: "behavior",
      label: "Decision",
      kind: "choice",
      options: [
        ["allow", "Allow"],
        ["ask", "Ask"],
        ["deny", "Deny"],
      ],
    },
    {
      name: "answered_by",
      label: "Answered",
      kind: "choice",
      all: "By all",
      options: [
        ["me", "By me"],
        ["others", "By others"],
      ],
    },
    { name: "decided_by", label: "Decided by", kind: "choice", options: Object.entries(DECIDERS) },
    { name: "tool_name", label: "Tool", kind: "text" },
    { name: "end_user_id", label: "End user", kind: "text" },
    agentFilter(agents),
    { name: "session_id", label: "Session id", kind: "text" },
  ];
}

/** @param keys Names of API keys by id. */
function columnsOf(
  agents: ReadonlyMap<string, Agent>,
  keys: ReadonlyMap<string, string>,
): readonly Column<TenantDecision>[] {
  return [
    {
      label: "Call",
      cell: ({ session_id, tool_name, seq }) => (
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: session_id }}
          search={{ tab: "events", seq: `${seq}` } as never}
          className="row-link code"
        >
          {tool_name}
        </Link>
      ),
    },
    { label: "Decision", cell: ({ behavior }) => <BehaviorBadge behavior={behavior} /> },
    {
      label: "Decided by",
      cell: ({ decided_by }) => (
        <span title={decided_by.id ?? undefined}>{deciderWords(decided_by, keys)}</span>
      ),
    },
    {
      label: "Rule or reason",
      from: "tablet",
      cell: ({ rule, reason, is_edited }) => (
        <span title={reason ?? undefined}>
          {is_edited && "with edited arguments "}
          {rule ? <RuleText rule={rule} /> : (reason ?? <span className="quiet">–</span>)}
        </span>
      ),
    },
    {
      label: "End user",
      from: "desktop",
      cell: ({ end_user_id }) => end_user_id ?? <span className="quiet">–</span>,
    },
    {
      label: "Agent",
      from: "desktop",
      cell: ({ agent_id }) =>
        agents.get(agent_id)?.name ?? <span className="code">{agent_id}</span>,
    },
    { label: "When", from: "tablet", cell: ({ decided_at }) => <TimeStamp at={decided_at} /> },
  ];
}

/** Decisions with their makers and rules: questions, refusals and answers of all sessions, newest first. */
export function HistoryPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const filter = toFilter(filters.values);
  const agents = useAgents();
  const keys = useKeyNames();
  const columns = useMemo(() => columnsOf(agents, keys), [agents, keys]);
  const paged = usePaged(
    ["decisions", filter],
    reprise.decisions.list({ ...filter, limit: PAGE_ROWS }),
  );
  return (
    <ListPage
      title="Decisions"
      subtitle="Who decided what, and by which rule; newest first"
      hasRefresh
      table={{
        label: "Decisions",
        columns,
        paged,
        keyOf: ({ session_id, seq, tool_call_id }) => `${session_id} ${seq} ${tool_call_id}`,
        empty: paged.loadMore ? (
          <button type="button" className="button" onClick={paged.loadMore}>
            Look further back
          </button>
        ) : (
          <EmptyState icon={History} title="No decisions here">
            <p>
              {Object.keys(filter).length > 0
                ? "Take a filter off, or check the spelling: filters compare whole names and ids."
                : "Questions, refusals and answers are listed from the first call that a rule asks about or denies."}
            </p>
          </EmptyState>
        ),
      }}
    >
      <InboxTabs shown="history" />
      <FilterBar fields={fieldsOf(agents)} filters={filters} />
    </ListPage>
  );
}

function toFilter(values: Readonly<Record<string, string>>): DecisionFilter {
  const names = NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as DecisionFilter;
}
