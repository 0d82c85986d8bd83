import { Link } from "@tanstack/react-router";

import { ChoiceField } from "../../../components/forms/fields.tsx";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import { useAgents } from "../../../components/use-names.ts";

interface AgentChoiceProps {
  readonly entry: JsonObject;
  readonly onChange: (entry: unknown) => void;
}

/** The called agent by its name, in place of an id to copy; nothing where the console may not read agents. */
export function AgentChoice({ entry, onChange }: AgentChoiceProps) {
  const agents = useAgents();
  if (agents.size === 0) return null;
  const id = typeof entry["agent_id"] === "string" ? entry["agent_id"] : "";
  const known = [...agents.values()].map((agent) => [agent.id, agent.name] as const);
  const others = agents.has(id) ? [] : [[id, id === "" ? "Choose an agent" : id] as const];
  return (
    <div className="agent-choice">
      <ChoiceField
        label="The called agent by name"
        value={id}
        options={[...others, ...known]}
        onChange={(agent_id) => onChange({ ...entry, agent_id })}
      />
      {agents.has(id) && (
        <Link to="/agents/$agentId" params={{ agentId: id }}>
          Open this agent
        </Link>
      )}
    </div>
  );
}
