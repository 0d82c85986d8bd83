// Words of fields that the schemas of this room have.
export const TOOL_GROUP_WORDS = {
  "Agent.tool_groups":
    "Groups of its tools; the model has those of active groups, and the tools in no group.",
  "Agent.meta_tool":
    "Whether the agent chooses its groups itself, with the tool `reset_equipped_tools`. False when left out.",
  "ToolGroup.name": "Unique in the agent; not `basic`.",
  "ToolGroup.description": "What the group is for: the model reads it when it chooses.",
  "ToolGroup.notes": "What the model is told while the group is active; null for nothing.",
  "ToolGroup.active": "Whether sessions begin with it. False when left out.",
  "ToolGroup.tools":
    "Names of tools of the agent, also those of its MCP servers (`mcp__<server>__<tool>`), which are not checked. A tool is in one group at most.",
  "Session.tools":
    "All of the session's own tools, beside its agent's; 32 at most. Their names are not those of the agent's tools, and none is of type `mcp`. A change holds from the next reply on, and an empty list removes them. They need `agents:write`.",
  "ToolGroupsWrite.groups": "Groups that are left out are as their definition says.",
  "ToolGroupsWrite.tools": "Tools that are left out are as their group is.",
  "ToolGroupsWrite.meta_tool": "May be sent back as it was read; it changes nothing.",
  "ToolGroupsWrite.session_tools": "May be sent back as it was read; it changes nothing.",
  "ToolGroupsWrite.version": "May be sent back as it was read; it changes nothing.",
  "ToolGroupsWrite.cursor": "May be sent back as it was read; it changes nothing.",
  "GroupSwitch.name": "A group of the session's agent.",
  "GroupSwitch.switched":
    "`on` or `off`, as it was switched; null: a group is as its definition says, a tool as its group is.",
  "GroupSwitch.description": "May be sent back as it was read; it changes nothing.",
  "GroupSwitch.notes": "May be sent back as it was read; it changes nothing.",
  "GroupSwitch.tools": "May be sent back as it was read; it changes nothing.",
  "GroupSwitch.active": "May be sent back as it was read; it changes nothing.",
  "ToolSwitch.name": "A tool of the agent's, or of the session's own.",
  "ToolSwitch.switched":
    "`on` or `off`, as it was switched; null: a group is as its definition says, a tool as its group is.",
  "ToolSwitch.origin": "May be sent back as it was read; it changes nothing.",
  "ToolSwitch.group": "May be sent back as it was read; it changes nothing.",
  "ToolSwitch.active": "May be sent back as it was read; it changes nothing.",
  "SessionToolGroups.groups": "The groups of the session's agent, in their order.",
  "SessionToolGroups.tools":
    "The agent's own tools, then the session's, also those that are not active. Of its MCP servers: those in groups, and those that the open reply has, or the last one had.",
  "SessionToolGroups.meta_tool": "Whether the agent can switch the groups itself.",
  "SessionToolGroups.session_tools":
    "The definitions of the session's own tools. Left out for client tokens.",
  "SessionToolGroups.version": "The number of changes so far.",
  "SessionToolGroups.cursor": "Its stream position: later events change it.",
  "SessionToolGroup.name": "Unique in the agent.",
  "SessionToolGroup.description": "What the group is for.",
  "SessionToolGroup.notes": "What the model is told while the group is active; null for nothing.",
  "SessionToolGroup.tools": "The names of its tools.",
  "SessionToolGroup.switched":
    "`on` or `off`, as it was switched; null: a group is as its definition says, a tool as its group is.",
  "SessionToolGroup.active": "Whether it is active now.",
  "SessionTool.name": "Unique in the session.",
  "SessionTool.origin": "Whose tool it is.",
  "SessionTool.group": "Its group; null for a basic tool, which is always there.",
  "SessionTool.switched":
    "`on` or `off`, as it was switched; null: a group is as its definition says, a tool as its group is.",
  "SessionTool.active": "Whether the model has it now.",
} as const;
