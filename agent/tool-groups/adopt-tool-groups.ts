// The switches of another session, or of another platform, as those of a new session.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { ExportedToolGroupsSchema } from "../../protocol/tool-groups/contract.ts";
import { mayHaveTool } from "../../protocol/tools/contract.ts";
import { MAX_TOOL_GROUPS, MAX_TOOL_SWITCHES } from "../../protocol/tool-groups/limits.ts";
import { importedVersion } from "../state/imported-version.ts";
import { activeGroups, NOTHING_SWITCHED, type ToolGroupsState } from "./tool-groups-state.ts";

/** As `AbilityFold.adopt`. Of an import, switches of what the agent does not have are left out. */
export function adoptToolGroups(
  snapshot: unknown,
  agent?: AgentDefinition,
): ToolGroupsState | null {
  const read = ExportedToolGroupsSchema.safeParse(snapshot);
  if (!read.success) return null;
  const { version, groups, tools } = read.data;
  if (!agent) return { version, groups, tools };
  const state = {
    version: importedVersion(version),
    groups: only(
      groups,
      (name) => (agent.tool_groups ?? []).some((group) => group.name === name),
      MAX_TOOL_GROUPS,
    ),
    tools: only(tools, (name) => mayHaveTool(agent.tools, name), MAX_TOOL_SWITCHES),
  };
  const isEmpty = Object.keys(state.groups).length + Object.keys(state.tools).length === 0;
  return isEmpty ? null : state;
}

/**
 * The switches of an imported state: those of `middle_context`, with the groups of `tool_context.activated_groups`, which
 * another AgentScope process may have changed. That list has all active groups; an empty one says nothing where there is
 * no state of ours, because a process without groups has one, too.
 * @param kept The switches in `middle_context`, valid; null for none. @param activated Any JSON; undefined for none.
 */
export function switchesWithActivated(
  kept: ToolGroupsState | null,
  activated: unknown,
  { tool_groups = [] }: Pick<AgentDefinition, "tool_groups">,
): ToolGroupsState | null {
  if (!Array.isArray(activated) || (activated.length === 0 && !kept)) return kept;
  const state = kept ?? NOTHING_SWITCHED;
  const before = activeGroups(tool_groups, state).map(({ name }) => name);
  const isSame = tool_groups.every(
    ({ name }) => before.includes(name) === activated.includes(name),
  );
  if (isSame) return kept;
  const groups = Object.fromEntries(
    tool_groups.map(({ name }) => [name, activated.includes(name)]),
  );
  return { ...state, version: Math.max(1, state.version), groups };
}

/** The members whose names are known, as many as there may be. */
function only(
  switches: Readonly<Record<string, boolean>>,
  isKnown: (name: string) => boolean,
  most: number,
): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(switches)
      .filter(([name]) => isKnown(name))
      .slice(0, most),
  );
}
