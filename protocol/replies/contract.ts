// Replies: request and answer shapes.
import * as z from "zod";

import { TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import { ElicitationSchema } from "../mcp/elicitation.ts";
import { McpTaskSchema } from "../mcp/task.ts";
import { ToolCallBlockSchema } from "../messages/blocks.ts";
import { AuthorizationRequiredSchema, CallReasonsSchema } from "../messages/call-reasons.ts";
import { ErrorInfoSchema, MsgSchema, UsageSchema } from "../messages/messages.ts";
import { PermissionRuleSchema } from "../messages/permission.ts";
import { modelOptions, ReplyModelOptionsSchema } from "../models/model-options.ts";
import { MAX_MESSAGE_BLOCKS } from "../requests/limits.ts";
import { CursorSchema, MetadataSchema, pageOf, TimestampSchema } from "../schemas/common.ts";
import { AnswerFormatSchema, MessageFormatSchema } from "../schemas/event-format.ts";
import { CostSchema } from "../schemas/money.ts";
import type { Frozen } from "../messages/frozen.ts";
import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";
import { withoutSpeech } from "../voice/events.ts";
import { MAX_INPUT_MESSAGES } from "./limits.ts";

/** A message from a client: its role is `user`, or `assistant` with text and data to set a scene. */
export const InputMessageSchema = z
  .strictObject({
    id: z.string().min(1).max(128).optional(),
    name: z.string().min(1).max(200).default("user"),
    role: z
      .enum(["user", "assistant"], {
        error:
          "a client's message has the role user or assistant; the system prompt is the agent's",
      })
      .default("user"),
    content: z.union([z.string(), z.array(TextOrMediaBlockSchema).max(MAX_MESSAGE_BLOCKS)]),
    metadata: MetadataSchema.overwrite(withoutSpeech).default({}),
    created_at: z.string().max(64).optional(),
    // A stored Msg may be sent back unchanged; members that only the platform sets are ignored.
    usage: z.unknown().optional(),
    finished_at: z.unknown().optional(),
    finished_reason: z.unknown().optional(),
    structured_output: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  .meta({
    id: "InputMessage",
    description:
      "A message from a client. A stored Msg may be sent back as it is: members that only the platform sets are ignored.",
  });
export type InputMessage = z.infer<typeof InputMessageSchema>;

/** Messages come first in the union: when both alternatives fail equally, the errors of the first are reported. */
export const ReplyInputSchema = z.union([
  z.string().min(1),
  InputMessageSchema,
  z.array(InputMessageSchema).min(1).max(MAX_INPUT_MESSAGES),
  z.array(TextOrMediaBlockSchema).min(1).max(MAX_INPUT_MESSAGES),
]);

export const ReplyCreateSchema = z
  .strictObject({
    input: ReplyInputSchema,
    /** Answer with the reply's events as SSE. */
    stream: z.boolean().optional(),
    /** Answer 202 at once. */
    background: z.boolean().optional(),
    /** Output schema of this reply, overriding the agent's `structured_output`; null means plain text. */
    structured_schema: StructuredSchemaSchema.nullable().optional(),
    ...modelOptions,
    /** The reaction to another reply that runs or waits. */
    on_busy: z.enum(["reject", "queue", "interrupt"]).default("reject"),
  })
  .refine((reply) => !(reply.stream && reply.background), {
    path: ["background"],
    message: "a reply is streamed or runs in the background; give one of the two",
  })
  .meta({ id: "ReplyCreate" });

export const ReplyCreateQuerySchema = z.object({
  /** Dialect of the streamed events, or of the whole reply. */
  format: AnswerFormatSchema,
});

export const ReplyStatusSchema = z
  .enum([
    "running",
    "awaiting_permission",
    "awaiting_external_result",
    "completed",
    "interrupted",
    "exceed_max_iters",
    "error",
  ])
  .meta({
    id: "ReplyStatus",
    description: "`awaiting_…`: the reply waits for an answer from a person or an external system.",
  });
export type ReplyStatus = z.infer<typeof ReplyStatusSchema>;

/** A tool call that waits for a confirmation or an external result. */
export const PendingCallSchema = z
  .object({
    kind: z.enum(["permission", "external_result"]),
    tool_call: ToolCallBlockSchema,
    input_hash: z.string().nullable(),
    expires_at: TimestampSchema.nullable(),
    suggested_rules: z.array(PermissionRuleSchema),
    /** The sentence with which to ask a person, as plain text; left out of calls that wait for a result. */
    question: z.string().optional(),
    /** JSON pointers to what an edit may change; left out where it may change everything. */
    editable: z.array(z.string()).optional(),
    /** Left out of calls that wait for a result, and of those that asked before this member was there. */
    reasons: CallReasonsSchema.optional(),
    /** The request of an MCP tool's server to a person; left out of calls that wait for a result. */
    elicitation: ElicitationSchema.optional(),
    /** The sign-in that it waits for, in place of a result; left out of all other calls. */
    authorization: AuthorizationRequiredSchema.extend({ expires_at: TimestampSchema }).optional(),
    /**
     * Set when the input and the rules were too large for this answer and left out: the reply's message contains them.
     */
    omitted: z.object({ bytes: z.number().int().nonnegative() }).optional(),
  })
  .meta({ id: "PendingCall", description: "A tool call that waits for an answer." });
export interface PendingCall extends Frozen<z.infer<typeof PendingCallSchema>> {}

/** A task that the server of an MCP tool has given in place of a result. @public */
export const ReplyTaskSchema = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  ...McpTaskSchema.shape,
});
export interface ReplyTask extends Frozen<z.infer<typeof ReplyTaskSchema>> {}

/** A call of a called agent that waits for an answer, in whichever session below the reply it is. @public */
export const SubagentPendingCallSchema = PendingCallSchema.extend({
  /** The session whose reply waits. */
  session_id: z.string(),
  agent_id: z.string(),
  /** The reply that waits, which an answer names. */
  reply_id: z.string(),
}).meta({
  id: "SubagentPendingCall",
  description: "A tool call of a called agent that waits for an answer.",
});
export interface SubagentPendingCall extends Frozen<z.infer<typeof SubagentPendingCallSchema>> {}

/** An agent that a call of the reply has called. @public */
export const ReplySubagentSchema = z.object({
  tool_call_id: z.string(),
  /** The session in which the agent works. */
  session_id: z.string(),
  agent_id: z.string(),
  /** `waiting`: for room in a quota, or for others of the reply to end. `ended`: also one that was stopped. */
  status: z.enum(["waiting", "working", "ended"]),
  /** Of the agent and of those that it has called, as far as it was heard of; it is in no other usage of this reply. */
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  cost_usd: CostSchema,
  /** Calls that wait for an answer in its session, and in those below it. Left out when there is none. */
  pending: z.array(SubagentPendingCallSchema).optional(),
});
export interface ReplySubagent extends Frozen<z.infer<typeof ReplySubagentSchema>> {}

export const ReplySchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    status: ReplyStatusSchema,
    /** The message folded from the stored events so far; null before `REPLY_START`. */
    message: MsgSchema.nullable(),
    pending: z.array(PendingCallSchema),
    /** Tasks of servers for the reply's calls, which end without an answer of a person. Left out when there is none. */
    tasks: z.array(ReplyTaskSchema).optional(),
    /** Agents that the reply's calls have called. Left out when there is none. */
    subagents: z.array(ReplySubagentSchema).optional(),
    error: ErrorInfoSchema.nullable(),
    usage: UsageSchema.nullable(),
    /** Options of the reply's model calls; left out when its request has set nothing. */
    model_options: ReplyModelOptionsSchema.optional(),
    /** The stream position that `message` is folded to; in a 202, the one before `REPLY_START`. */
    cursor: CursorSchema,
  })
  .meta({ id: "Reply", description: "One answer of the agent, from the input to its end." });
export interface Reply extends Frozen<z.infer<typeof ReplySchema>> {}
export const ReplyPageSchema = pageOf(ReplySchema).meta({ id: "ReplyPage" });

export const InterruptQuerySchema = z.strictObject({
  /** `keep` lets queued replies run afterwards; `drop` ends them without running. */
  queued: z.enum(["keep", "drop"]).default("keep"),
  /** The form of the reply. */
  format: MessageFormatSchema,
});
export type InterruptQuery = z.infer<typeof InterruptQuerySchema>;

export const InterruptResultSchema = z
  .object({
    /** False when no reply was running or queued. */
    interrupted: z.boolean(),
    reply: ReplySchema.nullable(),
  })
  .meta({ id: "InterruptResult" });
export interface InterruptResult extends Frozen<z.infer<typeof InterruptResultSchema>> {}
