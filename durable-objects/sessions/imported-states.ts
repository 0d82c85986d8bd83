import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { OpenSession } from "./open-session.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";

/** States of abilities in an imported state, by name, with what it says of them in members of AgentScope's. */
export function importedStates({ init }: OpenSession, input: AgentStateInput): unknown {
  const given = membersOf(input.middle_context);
  const parts = {
    tool_context: membersOf(input.tool_context),
    tasks_context: membersOf(input.tasks_context),
  };
  const context = { agent: equippedAgent(init), now: new Date().toISOString() };
  const adopted = listAbilities().flatMap((ability) => {
    if (!ability.state || !ability.adopts) return [];
    const { name } = ability.state;
    return [[name, ability.adopts(given[name], parts, context)] as const];
  });
  return { ...given, ...Object.fromEntries(adopted) };
}

function membersOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}
