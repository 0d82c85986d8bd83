// The switches of a session, as the log's changes make them, and what follows from them for an agent's groups.
import type { ToolGroup } from "../../protocol/tool-groups/contract.ts";
import type { ToolSwitches } from "../../protocol/tool-groups/events.ts";

export interface ToolGroupsState extends ToolSwitches {
  /** The number of changes so far. */
  readonly version: number;
}

export const NOTHING_SWITCHED: ToolGroupsState = { version: 0, groups: {}, tools: {} };

/** The setting that a name was switched to; null when it was not. */
export function switchOf(
  switches: Readonly<Record<string, boolean>>,
  name: string,
): boolean | null {
  return Object.hasOwn(switches, name) ? (switches[name] ?? null) : null;
}

/** A group that was never switched is as its definition says. */
export function isGroupActive(
  { name, active }: Pick<ToolGroup, "name" | "active">,
  { groups }: Pick<ToolSwitches, "groups">,
): boolean {
  return switchOf(groups, name) ?? active;
}

/** In the order of the definition. */
export function activeGroups(
  groups: readonly ToolGroup[],
  switches: Pick<ToolSwitches, "groups">,
): readonly ToolGroup[] {
  return groups.filter((group) => isGroupActive(group, switches));
}

/** The group that each tool of a group is in. */
export function groupsByTool(groups: readonly ToolGroup[]): ReadonlyMap<string, ToolGroup> {
  return new Map(groups.flatMap((group) => group.tools.map((tool) => [tool, group] as const)));
}
