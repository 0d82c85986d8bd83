import { TOOL_GROUPS } from "../../protocol/tool-groups/events.ts";
import type { AbilityFold } from "../ability.ts";
import { restoredVersion } from "../json/restored-version.ts";
import { adoptToolGroups } from "./adopt-tool-groups.ts";
import { toolGroupsChangeOf } from "./tool-groups-change-of.ts";
import { NOTHING_SWITCHED, type ToolGroupsState } from "./tool-groups-state.ts";

/** Every change has all switches, so the newest one is the state. */
export const TOOL_GROUPS_FOLD: AbilityFold<ToolGroupsState> = {
  name: TOOL_GROUPS,
  initial: NOTHING_SWITCHED,
  reads: ["CUSTOM"],
  advance(state, event) {
    const change = toolGroupsChangeOf(event);
    if (!change) return state;
    const { version, groups, tools } = change;
    return { version, groups, tools };
  },
  adopt: adoptToolGroups,
  restore: restoredVersion,
};
