import type { AbilityDefinition } from "../ability.ts";
import { TOOL_GROUPS_FOLD } from "../tool-groups/tool-groups-fold.ts";
import type { ToolGroupsState } from "../tool-groups/tool-groups-state.ts";
import { toolGroupsAbility } from "./tool-groups-ability.ts";

export const SWITCHED_TOOL_GROUPS: AbilityDefinition<ToolGroupsState> = {
  state: TOOL_GROUPS_FOLD,
  open: ({ agent, stateOf }) => toolGroupsAbility({ agent, read: () => stateOf(TOOL_GROUPS_FOLD) }),
};
