// Routes on tools that are called by hand, and the words of tools.
import { CalledToolSchema, ToolCallCreateSchema } from "./tool-calls.ts";
import { AGENT_ID, EXAMPLE_TIME } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { TOOL_WORDS } from "./words.ts";

const called = {
  agent_id: AGENT_ID,
  version: 1,
  session_id: null,
  permission: { behavior: "ask", reason: "Mode: default", rule: null },
  result: {
    type: "tool_result",
    id: "call_01kaj2vh1k4n7q1s5v9x3z6b0d",
    name: "lookup_order",
    output: [
      {
        type: "text",
        id: "blk_01kaj2vh2m5p8s2u6w0y4a7c1e",
        text: '{"order_id":"A-1003","state":"delivered"}',
        created_at: EXAMPLE_TIME,
        finished_at: EXAMPLE_TIME,
      },
    ],
    state: "success",
    metadata: {},
    created_at: EXAMPLE_TIME,
    finished_at: EXAMPLE_TIME,
  },
  is_truncated: false,
  http_status: 200,
  duration_ms: 42,
};

const TOOL_ROUTES = [
  {
    name: "callTool",
    method: "POST",
    path: "/v1/agents/{agent_id}/tools/{tool_name}/call",
    access: "tools:call",
    keeps_keys: "database",
    body: "json",
    tag: "Agents",
    summary: "Call a tool by hand",
    description: [
      "Runs an http or code tool of the agent with an input of yours, and answers with its result. The tool is really",
      "called, with the agent's credentials; nothing of it enters a session. The input has to fit the tool's schema. What",
      "the permission rules decide about such a call of a model is in the answer; a call that they deny is refused, and one",
      "that they ask about runs, since the caller is the person. With `session_id` the version, the rules and the end user",
      "of that session count. It takes 30 seconds at most, counts as a running reply meanwhile, and is in the audit.",
    ].join(" "),
    request: { json: ToolCallCreateSchema, examples: ["callNewest"] },
    answers: {
      200: {
        description: "The tool was called; `result.state` says how it ended.",
        json: CalledToolSchema,
        examples: ["calledTool"],
      },
    },
    errors: [
      "agent_mismatch",
      "conflict",
      "denied_by_rule",
      "quota_exceeded",
      "session_unreadable",
    ],
  },
] as const satisfies readonly DocumentedRoute[];

export const TOOL_CONTRACT = {
  routes: TOOL_ROUTES,
  pathParameters: {
    tool_name: { form: "any", description: "The name of a tool in the agent's definition." },
  },
  fields: TOOL_WORDS,
  examples: {
    callNewest: { summary: "The newest version's tool", value: { input: { order_id: "A-1003" } } },
    calledTool: { summary: "What the tool's server answered", value: called },
  },
} as const satisfies Contract;
