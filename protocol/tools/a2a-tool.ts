// An agent of another system as a tool, over A2A: each call is a task of that agent.
import * as z from "zod";

import { MAX_REMOTE_ANSWER_SECONDS } from "../a2a/client-limits.ts";
import { refineRemoteAgent, remoteAgentMembers } from "../a2a/remote-agent.ts";
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

export const A2aToolSchema = z
  .strictObject({
    type: z.literal("a2a"),
    name: ToolNameSchema,
    description: z.string().max(4_096).default(""),
    ...remoteAgentMembers,
    /** JSON Schema of the call's input: an object. A `message` alone is told to the agent as text, all else as JSON. */
    input_schema: z.record(z.string(), z.json()).default(MESSAGE_SCHEMA),
    /** The agent remembers the calls before in the session, or each call begins anew. */
    context: z.enum(["call", "session"]).optional(),
    /** Seconds that a question of the agent waits for a person, before its task is cancelled. */
    answer_ttl: z.number().int().min(1).max(MAX_REMOTE_ANSWER_SECONDS).optional(),
    read_only,
    /** Each call is a task of its own. */
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
  .superRefine(refineRemoteAgent)
  .meta({
    id: "A2aTool",
    description: "An agent of another system, over A2A: each call is a task of that agent.",
  });
export type A2aTool = z.infer<typeof A2aToolSchema>;
