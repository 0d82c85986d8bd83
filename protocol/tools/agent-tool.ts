// Another agent of the tenant as a tool: each call begins a session of that agent, whose answer is the result.
import * as z from "zod";

import { MAX_AGENT_DEPTH } from "./limits.ts";
import { ToolNameSchema, toolFlags } from "./named-tool.ts";

const { read_only, rule_argument, rule_syntax, editable } = toolFlags;
const { returns_untrusted, sink, return_direct, confirmation_message } = toolFlags;

/** The input of an agent whose tool has no schema of its own. */
const MESSAGE_SCHEMA = {
  type: "object",
  properties: {
    message: {
      type: "string",
      minLength: 1,
      description: "The task, with all that the agent has to know: it sees nothing else.",
    },
  },
  required: ["message"],
  additionalProperties: false,
};

export const AgentToolSchema = z
  .strictObject({
    type: z.literal("agent"),
    name: ToolNameSchema,
    description: z.string().max(4_096).default(""),
    /** An agent of the same tenant. */
    agent_id: z.string().min(1).max(64),
    /** The version that is called; the newest one at each call when left out. */
    version: z.number().int().positive().optional(),
    /** JSON Schema of the call's input: an object. A `message` alone is told to the agent as text, all else as JSON. */
    input_schema: z.record(z.string(), z.json()).default(MESSAGE_SCHEMA),
    /** The agent may be called where it is at work already, further up; false when left out. */
    allow_recursion: z.boolean().optional(),
    /** The levels of agents that there may be below the first one. */
    max_depth: z.number().int().min(1).max(MAX_AGENT_DEPTH).optional(),
    read_only,
    /** Each call has a session of its own. */
    concurrency_safe: z.boolean().default(true),
    rule_argument,
    rule_syntax,
    editable,
    /** The results are untrusted content; true when left out. */
    returns_untrusted,
    sink,
    return_direct,
    confirmation_message,
  })
  .meta({
    id: "AgentTool",
    description:
      "Another agent of the tenant: each call is a session of it, beside the one that calls.",
  });
export type AgentTool = z.infer<typeof AgentToolSchema>;
