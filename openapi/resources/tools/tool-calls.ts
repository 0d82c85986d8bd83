// Tools that are called by hand.
import { CalledToolSchema, ToolCallCreateSchema } from "../../../protocol/tools/tool-calls.ts";
import { AGENT_ID, EXAMPLE_TIME } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

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

export const TOOL_CALLS = {
  operations: {
    callTool: {
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
  },
  pathParameters: { tool_name: "The name of a tool in the agent's definition." },

  fieldDescriptions: {
    "ToolCall.input": "What the tool gets; it has to fit the tool's `input_schema`.",
    "ToolCall.version": "The version whose tool is called; the newest when left out.",
    "ToolCall.session_id":
      "A session of this agent in whose name the tool is called: its version, rules and end user count. In place of `version`.",
    "CalledTool.version": "The version whose tool was called.",
    "CalledTool.session_id": "The session in whose name it was called, or null.",
    "CalledTool.permission": "What the permission rules decide about such a call of a model.",
    "CalledTool.permission.behavior": "`allow` or `ask`: a call that is denied is refused.",
    "CalledTool.permission.reason": "Why, or null.",
    "CalledTool.permission.rule": "The rule that decided, or null.",
    "CalledTool.result": "As the block of a message.",
    "CalledTool.result.type": "Always `tool_result`.",
    "CalledTool.result.id": "The call's id, which the tool's server was told.",
    "CalledTool.result.name": "The tool.",
    "CalledTool.result.output": "Text and media, in the order in which they came.",
    "CalledTool.result.state": "`error` for a tool that failed, or took too long.",
    "CalledTool.result.metadata": "What the tool's server said beside its output.",
    "CalledTool.result.created_at": "When it was called.",
    "CalledTool.result.finished_at": "When its result was there.",
    "CalledTool.is_truncated": "Whether a part of the output was left out, as it is too large.",
    "CalledTool.http_status": "The status of an http tool's server, or null.",
    "CalledTool.duration_ms": "Milliseconds that the tool took.",
  },
  examples: {
    callNewest: { summary: "The newest version's tool", value: { input: { order_id: "A-1003" } } },
    calledTool: { summary: "What the tool's server answered", value: called },
  },
} as const satisfies Resource;
