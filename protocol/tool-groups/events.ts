// Groups of tools on the wire: the meta tool, and the event of a change.

/** The ability's name, by which the log's snapshots of its state are known; also the `source` of its hints. */
export const TOOL_GROUPS = "tool_groups";

/** The tool by which an agent equips itself, as AgentScope names it. */
export const RESET_EQUIPPED_TOOLS = "reset_equipped_tools";

/** The group of all tools that are in no other; no group may have its name. */
export const BASIC_GROUP = "basic";

/** The `name` of the `CUSTOM` event of a change; its `value` is a {@link ToolGroupsChangedValue}. */
export const TOOL_GROUPS_CHANGED = "tool_groups_changed";

/** Switches by name: true for on. A name that is not among them is as the definition has it. */
export interface ToolSwitches {
  readonly groups: Readonly<Record<string, boolean>>;
  readonly tools: Readonly<Record<string, boolean>>;
}

export interface ToolGroupsChangedValue extends ToolSwitches {
  /** The number of changes so far. */
  readonly version: number;
  /** The groups that are active then, by AgentScope's name. */
  readonly activated_groups: readonly string[];
  /** The credential that has switched; left out when the agent did it. */
  readonly switched_by?: { readonly kind: string; readonly id: string };
}
