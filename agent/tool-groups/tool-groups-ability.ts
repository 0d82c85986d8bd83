// Groups of tools: which tools the model has, a tool with which it chooses, and a hint with the notes of active groups.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { mayHaveTool } from "../../protocol/tools/contract.ts";
import { TOOL_GROUPS } from "../../protocol/tool-groups/events.ts";
import type { Ability, Settlement } from "../ability.ts";
import { toolGroupsEvent } from "./change-tool-groups.ts";
import { chosenGroups, metaTool } from "./meta-tool.ts";
import {
  activeGroups,
  groupsByTool,
  isGroupActive,
  switchOf,
  type ToolGroupsState,
} from "./tool-groups-state.ts";
import {
  describeEquipment,
  equipmentHint,
  inactiveText,
  switchedOffText,
} from "./tool-groups-text.ts";

const NONE_ACTIVE =
  "<system-hint>No group of tools is active any more: notes on groups above do not hold now.</system-hint>";
const NO_NOTES =
  "<system-hint>The notes on groups of tools above do not hold any more.</system-hint>";

interface ToolGroupsAccess {
  /** With the session's own tools among its tools. */
  readonly agent: Pick<AgentDefinition, "tools" | "tool_groups" | "meta_tool">;
  /** The current state; people change it too. */
  readonly read: () => ToolGroupsState;
}

export function toolGroupsAbility({ agent, read }: ToolGroupsAccess): Ability {
  const { tools, tool_groups: groups = [], meta_tool = false } = agent;
  const hasMetaTool = meta_tool && groups.length > 0;
  const groupOf = groupsByTool(groups);

  function withholds(name: string): string | null {
    if (!mayHaveTool(tools, name)) return null;
    const state = read();
    const switched = switchOf(state.tools, name);
    if (switched !== null) return switched ? null : switchedOffText(name);
    const group = groupOf.get(name);
    if (!group || isGroupActive(group, state)) return null;
    return inactiveText(name, group.name, { active: activeGroups(groups, state), hasMetaTool });
  }

  if (groups.length === 0) return { name: TOOL_GROUPS, withholds };
  const declared = hasMetaTool ? [metaTool(groups)] : [];
  return {
    name: TOOL_GROUPS,
    withholds,
    hint: {
      source: TOOL_GROUPS,
      outlivesReply: true,
      replacesEarlier: true,
      // Without the meta tool there may be active groups that have no notes.
      retraction: hasMetaTool ? NONE_ACTIVE : NO_NOTES,
      text: () => equipmentHint(activeGroups(groups, read()), hasMetaTool),
    },
    tools: {
      kind: "log",
      declare: () => declared,
      settle({ input }, { message }): Settlement {
        const before = read();
        const chosen = chosenGroups(groups, input);
        const isSame = groups.every((group) => isGroupActive(group, before) === chosen[group.name]);
        const after = { groups: isSame ? before.groups : chosen, tools: before.tools };
        const event = toolGroupsEvent(before, after, groups, { reply_id: message.id });
        const text = describeEquipment(
          activeGroups(groups, after),
          (tool) => switchOf(after.tools, tool) !== false,
        );
        return { text, ...(event && { events: [event] }) };
      },
    },
  };
}
