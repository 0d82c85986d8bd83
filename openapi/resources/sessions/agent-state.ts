// Export and import of a session as AgentScope's AgentState.
import {
  AgentStateInputSchema,
  AgentStateSchema,
} from "../../../protocol/sessions/session-state.ts";
import { EXAMPLE_TIME, SESSION_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const message = {
  name: "user",
  content: [
    {
      type: "text",
      text: "Where is my order A-1001?",
      id: "b1e0c7d2f6a94d5d8f2c6f8f0d4a1c3e",
      created_at: EXAMPLE_TIME,
      finished_at: null,
    },
  ],
  role: "user",
  id: "phone-5-message-1",
  metadata: {},
  created_at: EXAMPLE_TIME,
  usage: null,
  finished_at: EXAMPLE_TIME,
  finished_reason: null,
  structured_output: null,
  error: null,
};

const agentState = {
  session_id: SESSION_ID,
  summary: "",
  context: [message],
  context_truncated: false,
  reply_context: { reply_id: "", cur_iter: 0, structured_schema: null, structured_output: null },
  permission_context: {
    mode: "default",
    working_directories: {},
    allow_rules: {},
    deny_rules: {},
    ask_rules: {},
  },
  tool_context: {
    max_cache_files: 100,
    max_cache_bytes: 25_000,
    read_file_cache: [],
    activated_groups: [],
  },
  tasks_context: { tasks: [] },
  middle_context: {},
};

export const AGENT_STATE = {
  operations: {
    readState: {
      tag: "Sessions",
      summary: "Export a session as an AgentState",
      description: [
        "AgentScope's format of a session: the summary of its context and the messages after it, of which the newest fit",
        "into 8 MB, and the session's own permission. The agent's rules are not included. Needs `permission_rules:read` too.",
      ].join(" "),
      answers: {
        200: { description: "The state.", json: AgentStateSchema, examples: ["agentState"] },
      },
    },
    writeState: {
      tag: "Sessions",
      summary: "Import an AgentState into an empty session",
      description: [
        "Older names are accepted. A summary becomes that of the context, one of more than 20,000 characters and its media",
        "the first message; unfinished calls get an interrupted result; what belongs to an agent's process (caches, middleware) is not kept. Permission that differs from",
        "the session's needs `permission_rules:write` too. The same state again changes nothing.",
      ].join(" "),
      request: { json: AgentStateInputSchema, examples: ["broughtState"] },
      answers: {
        200: { description: "The state as the session has it now.", json: AgentStateSchema },
      },
      errors: ["reply_running", "reply_awaiting", "conflict"],
    },
  },

  fieldDescriptions: {
    "AgentState.context": "The messages, oldest first.",
    "AgentState.context_truncated": "Whether older messages were left out.",
    "AgentState.middle_context":
      "The states of abilities, by name; `shared_state` is `{state, version}`.",
    "AgentState.permission_context": "The permission of the session's tool calls.",
    "AgentState.permission_context.allow_rules": "Rules by the name of their tool.",
    "AgentState.permission_context.ask_rules": "Rules by the name of their tool.",
    "AgentState.permission_context.deny_rules": "Rules by the name of their tool.",
    "AgentState.permission_context.mode": "The decision for calls that no rule matches.",
    "AgentState.permission_context.working_directories": "The directories by path.",
    "AgentState.reply_context": "The current reply.",
    "AgentState.reply_context.cur_iter": "Its completed rounds.",
    "AgentState.reply_context.reply_id": "The reply's id; empty while none runs or waits.",
    "AgentState.reply_context.structured_output": "Its structured output, or null.",
    "AgentState.reply_context.structured_schema": "JSON Schema of its structured output, or null.",
    "AgentState.summary": "The summary of the messages before `context`; empty when there is none.",
    "AgentState.tasks_context": "The subtasks of the current plan as AgentScope's tasks.",
    "AgentState.tasks_context.tasks": "The tasks.",
    "AgentState.tool_context": "State of tools; empty here, but for the groups.",
    "AgentState.tool_context.activated_groups":
      "The active groups of tools. An import switches the agent's groups by it, unless it is empty.",
    "AgentState.tool_context.max_cache_bytes": "Maximal size of the cache in KiB.",
    "AgentState.tool_context.max_cache_files": "Maximal number of files in the cache.",
    "AgentState.tool_context.read_file_cache": "The cached files.",
    "AgentState.cur_iter": "Not kept.",
  },
  examples: {
    agentState: { summary: "One message", value: agentState },
    broughtState: {
      summary: "A conversation from elsewhere",
      value: { context: [message] },
    },
  },
} as const satisfies Resource;
