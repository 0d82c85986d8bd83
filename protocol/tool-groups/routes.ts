// Routes on the groups of tools of a session.
import { SessionToolGroupsSchema, ToolGroupsWriteSchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { TOOL_GROUP_WORDS } from "./words.ts";

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

const TOOL_GROUP_ROUTES = [
  {
    name: "readToolGroups",
    method: "GET",
    path: "/v1/sessions/{session_id}/tool-groups",
    access: "sessions:read",
    verb: "read",
    body: "none",
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

  {
    name: "writeToolGroups",
    method: "PUT",
    path: "/v1/sessions/{session_id}/tool-groups",
    access: "replies:write",
    verb: "reply",
    body: "json",
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
] as const satisfies readonly DocumentedRoute[];

export const TOOL_GROUP_CONTRACT = {
  routes: TOOL_GROUP_ROUTES,
  fields: TOOL_GROUP_WORDS,
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
} as const satisfies Contract;
