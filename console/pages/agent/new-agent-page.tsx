import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Lock } from "lucide-react";
import { useCallback } from "react";

import type { AgentDefinition } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";
import { useFilters } from "../../components/use-filters.ts";
import { AGENT_EXAMPLES } from "./agent-examples.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { definitionIn } from "./definition.ts";

/** A new agent: first what it begins with, then its form. */
export function NewAgentPage() {
  const filters = useFilters();
  const chosen = AGENT_EXAMPLES.find(({ id }) => id === filters.values["from"]);
  const mayWrite = useMay("agents:write");
  return (
    <div className="detail-page">
      <Link to="/agents" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Agents
      </Link>
      <PageHeader
        title="New agent"
        subtitle={chosen ? `From the example “${chosen.title}”` : "Begin with one of these"}
      >
        {chosen && (
          <button type="button" className="button" onClick={() => filters.set("from", "")}>
            Other examples
          </button>
        )}
      </PageHeader>
      {!mayWrite && (
        <EmptyState icon={Lock} title="This console may not create agents">
          <p>
            Sign in with a link of a key that holds the scope <code>agents:write</code>.
          </p>
        </EmptyState>
      )}
      {mayWrite && !chosen && (
        <ul className="example-cards" aria-label="Examples">
          {AGENT_EXAMPLES.map(({ id, title, words }) => (
            <li key={id}>
              <button
                type="button"
                className="example-card"
                onClick={() => filters.set("from", id)}
              >
                <strong>{title}</strong>
                <span className="quiet">{words}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && chosen && <NewAgent key={chosen.id} definition={chosen.definition} />}
    </div>
  );
}

function NewAgent({ definition }: { readonly definition: JsonObject }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const validate = useCallback(
    (next: JsonObject, signal: AbortSignal) =>
      reprise.agents.validate(next as AgentDefinition, { signal }),
    [reprise],
  );
  async function create(next: JsonObject): Promise<JsonObject> {
    const agent = await reprise.agents.create(next as AgentDefinition);
    queries.removeQueries({ queryKey: ["agents"] });
    await navigate({ to: "/agents/$agentId", params: { agentId: agent.id } });
    return definitionIn(agent);
  }
  return (
    <DefinitionEditor
      saved={definition}
      isNew
      isReadOnly={false}
      validate={validate}
      onSave={create}
    />
  );
}
