import { adoptPlans, plansWithTasks } from "../../agent/plans/adopt-plans.ts";
import {
  adoptToolGroups,
  switchesWithActivated,
} from "../../agent/tool-groups/adopt-tool-groups.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import { TOOL_GROUPS } from "../../protocol/tool-groups/events.ts";
import { PLAN } from "../../protocol/plans/events.ts";
import type { OpenSession } from "../session/open-session.ts";
import { equippedAgent } from "../settings/equipped-agent.ts";

/** The states of abilities, with the tasks of `tasks_context` in the plan's, and with the activated groups. */
export function importedMiddleContext(
  { init }: OpenSession,
  { middle_context, tasks_context, tool_context }: AgentStateInput,
): unknown {
  const agent = equippedAgent(init);
  const given = membersOf(middle_context);
  const kept = adoptPlans(given[PLAN], agent);
  const now = new Date().toISOString();
  const plans = plansWithTasks(kept, membersOf(tasks_context)["tasks"], { agent, now });
  const switches = switchesWithActivated(
    adoptToolGroups(given[TOOL_GROUPS], agent),
    membersOf(tool_context)["activated_groups"],
    agent,
  );
  return { ...given, [PLAN]: plans, [TOOL_GROUPS]: switches };
}

function membersOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}
