// Groups of tools, of agents and of a session; a session's own tools.
import {
  SessionToolGroupsSchema,
  ToolGroupsWriteSchema,
} from "../../../protocol/tool-groups/contract.ts";
import type { Resource } from "../../resource.ts";

const SENT_BACK = "May be sent back as it was read; it changes nothing.";
const SWITCHED =
  "`on` or `off`, as it was switched; null: a group is as its definition says, a tool as its group is.";

const EXAMPLE = {
  groups: [
    {
      name: "browser",
      description: "Reads web pages.",
      notes: "Name the page that you have it from.",
      tools: ["open_page"],
      switched: "on",
      active: true,
    },
  ],
  tools: [
    { name: "lookup_order", origin: "agent", group: null, switched: null, active: true },
    { name: "open_page", origin: "agent", group: "browser", switched: null, active: true },
  ],
  meta_tool: true,
  session_tools: [],
  version: 1,
  cursor: 12,
};

export const TOOL_GROUPS = {
  operations: {
    readToolGroups: {
      tag: "Sessions",
      summary: "Get the tool groups",
      description: [
        "The groups of the session's agent, and each of its tools and of the session's own, with what is active now. With",
        "the version, also as `ETag`, and the stream position: events named `tool_groups_changed` after `cursor` have the",
        "later changes. Client tokens do not see the definitions of the session's own tools.",
      ].join(" "),
      answers: {
        200: {
          description: "The groups and tools.",
          json: SessionToolGroupsSchema,
          headers: ["ETag"],
          examples: ["equippedSession"],
        },
      },
    },
    writeToolGroups: {
      tag: "Sessions",
      summary: "Switch tool groups and tools",
      description: [
        "Sets all switches: what is left out is as the definition has it, so `{}` takes every switch back. At any time; while",
        "a reply runs it holds from its next step on, and a call that waits for an answer does not run once its tool is",
        "switched off. With `If-Match` it is done only at that version. What `GET` answers can be changed and sent back;",
        "what changes nothing makes no version. Needs the right to read too: the scope `sessions:read`, or the verb `read`. Without the scope",
        "`sessions:write`, and with a client token, only groups of an agent with `meta_tool` can be switched.",
      ].join(" "),
      headers: ["If-Match"],
      request: { json: ToolGroupsWriteSchema, examples: ["switchedGroups"] },
      answers: {
        200: {
          description: "The groups and tools after it.",
          json: SessionToolGroupsSchema,
          headers: ["ETag"],
        },
      },
      errors: ["version_mismatch", "insufficient_scope"],
    },
  },

  fieldDescriptions: {
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
    "ToolGroupsWrite.meta_tool": SENT_BACK,
    "ToolGroupsWrite.session_tools": SENT_BACK,
    "ToolGroupsWrite.version": SENT_BACK,
    "ToolGroupsWrite.cursor": SENT_BACK,
    "GroupSwitch.name": "A group of the session's agent.",
    "GroupSwitch.switched": SWITCHED,
    "GroupSwitch.description": SENT_BACK,
    "GroupSwitch.notes": SENT_BACK,
    "GroupSwitch.tools": SENT_BACK,
    "GroupSwitch.active": SENT_BACK,
    "ToolSwitch.name": "A tool of the agent's, or of the session's own.",
    "ToolSwitch.switched": SWITCHED,
    "ToolSwitch.origin": SENT_BACK,
    "ToolSwitch.group": SENT_BACK,
    "ToolSwitch.active": SENT_BACK,
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
    "SessionToolGroup.switched": SWITCHED,
    "SessionToolGroup.active": "Whether it is active now.",
    "SessionTool.name": "Unique in the session.",
    "SessionTool.origin": "Whose tool it is.",
    "SessionTool.group": "Its group; null for a basic tool, which is always there.",
    "SessionTool.switched": SWITCHED,
    "SessionTool.active": "Whether the model has it now.",
  },
  examples: {
    equippedSession: { summary: "An agent with one group", value: EXAMPLE },
    switchedGroups: {
      summary: "One group on, one tool off",
      value: {
        groups: [{ name: "browser", switched: "on" }],
        tools: [{ name: "lookup_order", switched: "off" }],
      },
    },
  },
} as const satisfies Resource;
