// Limits of groups of tools, and of a session's own tools. Each with its unit and its reason.

/** Groups of one agent: each is a member in the schema of the meta tool, which every model call is sent. */
export const MAX_TOOL_GROUPS = 32;
/** Characters of a group's description: a sentence or two in that schema. */
export const MAX_TOOL_GROUP_DESCRIPTION_CHARACTERS = 1_024;
/** Characters of a group's notes: what a model reads while the group is active. */
export const MAX_TOOL_GROUP_NOTES_CHARACTERS = 4_096;
/** Tools that one session has beside its agent's: they are stored with the session and with its open reply. */
export const MAX_SESSION_TOOLS = 32;
/** Tools that one session may have switched: its own, its agent's and those of MCP servers. Each change has all switches. */
export const MAX_TOOL_SWITCHES = 512;
