import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ChoiceField } from "../../components/forms/fields.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { AgentRules } from "./agent-rules.tsx";
import { SessionRules } from "./session-rules.tsx";

const FIELDS: readonly FilterField[] = [{ name: "session_id", label: "Session id", kind: "text" }];
/** Agents that are offered; others are reached by the address of their own page. */
const OFFERED_AGENTS = 100;

/** The rules of an agent or of a session in order of precedence, with a simulator. */
export function RulesPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const mayReadAgents = useMay("agents:read");
  const { session_id: sessionId, agent_id: chosenId } = filters.values;
  const { data, error, refetch } = useQuery({
    queryKey: ["rules-agents"],
    enabled: mayReadAgents,
    queryFn: () => reprise.agents.list({ limit: OFFERED_AGENTS }).page(),
  });
  const agents = data?.data ?? [];
  const agentId = chosenId ?? agents[0]?.id;
  const isOffered = agents.some(({ id }) => id === agentId);
  const options = agents.map(({ id, name }) => [id, name] as const);
  return (
    <div className="detail-page">
      <PageHeader
        title="Permission rules"
        subtitle="What is allowed, asked and denied, in order of precedence"
      />
      <div className="form-row">
        {mayReadAgents && sessionId === undefined && options.length > 0 && (
          <ChoiceField
            label="Agent"
            value={agentId ?? ""}
            options={isOffered || !agentId ? options : [[agentId, agentId] as const, ...options]}
            onChange={(id) => filters.set("agent_id", id)}
          />
        )}
        <FilterBar fields={FIELDS} filters={filters} />
      </div>
      {sessionId !== undefined ? (
        <SessionRules key={sessionId} sessionId={sessionId} />
      ) : (
        <>
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {mayReadAgents && !data && !error && <LoadingState label="Loading agents…" />}
          {(data || !mayReadAgents) && agentId === undefined && (
            <EmptyState icon={Scale} title={mayReadAgents ? "No agents yet" : "Whose rules?"}>
              <p>
                {mayReadAgents
                  ? "Rules belong to an agent, and sessions may add some of their own. Create an agent first."
                  : "Enter the id of a session to see its rules."}
              </p>
            </EmptyState>
          )}
          {mayReadAgents && agentId !== undefined && <AgentRules key={agentId} agentId={agentId} />}
        </>
      )}
    </div>
  );
}
