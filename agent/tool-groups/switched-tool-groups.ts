import type { AbilityDefinition } from "../ability.ts";
import { adoptToolGroups, switchesWithActivated } from "./adopt-tool-groups.ts";
import { TOOL_GROUPS_FOLD } from "./tool-groups-fold.ts";
import { activeGroups, type ToolGroupsState } from "./tool-groups-state.ts";
import { toolGroupsAbility } from "./tool-groups-ability.ts";

export const SWITCHED_TOOL_GROUPS: AbilityDefinition<ToolGroupsState> = {
  state: TOOL_GROUPS_FOLD,
  open: ({ agent, stateOf }) => toolGroupsAbility({ agent, read: () => stateOf(TOOL_GROUPS_FOLD) }),
  exports: (state, { tool_groups = [] }) => ({
    tool_context: { activated_groups: activeGroups(tool_groups, state).map(({ name }) => name) },
  }),
  adopts: (given, { tool_context }, { agent }) =>
    switchesWithActivated(adoptToolGroups(given, agent), tool_context["activated_groups"], agent),
};
