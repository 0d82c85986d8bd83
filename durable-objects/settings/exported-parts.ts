import type { AgentStateParts } from "../../agent/state/agent-state-parts.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** Members of an exported state that abilities say, for the agent of the next reply. */
export function exportedParts(
  { agent }: Pick<SessionInit, "agent">,
  { abilities }: Pick<SessionTables, "abilities">,
): Required<AgentStateParts> {
  const parts = listAbilities().map((ability) =>
    ability.state && ability.exports ? ability.exports(abilities.read(ability.state), agent) : {},
  );
  return {
    tool_context: Object.assign({}, ...parts.map(({ tool_context }) => tool_context)),
    tasks_context: Object.assign({}, ...parts.map(({ tasks_context }) => tasks_context)),
  };
}
