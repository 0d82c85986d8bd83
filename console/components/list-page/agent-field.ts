import type { Agent } from "../../../sdk/index.ts";
import type { FilterField } from "../filter-bar.tsx";

/** The filter by an agent, which is chosen by its name; by its id where the console may not read agents. */
export function agentField(agents: ReadonlyMap<string, Agent>): FilterField {
  const options = [...agents.values()].map(({ id, name }) => [id, name] as const);
  return options.length === 0
    ? { name: "agent_id", label: "Agent id", kind: "text" }
    : { name: "agent_id", label: "Agent", kind: "choice", options };
}
