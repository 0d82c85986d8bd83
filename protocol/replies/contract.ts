// Replies: request and answer shapes.
import { z } from "zod";

import type { McpTask } from "../mcp/task-events.ts";
import type { Elicitation } from "../mcp/input-requests.ts";
import type { AuthorizationRequired } from "../messages/authorization.ts";
import type { ToolCallBlock } from "../messages/blocks.ts";
import { MAX_INPUT_MESSAGES } from "./limits.ts";
import { MAX_MESSAGE_BLOCKS } from "../requests/limits.ts";
import type { ErrorInfo, Msg, Usage } from "../messages/messages.ts";
import type { Omitted } from "../messages/omitted.ts";
import type { PermissionRule } from "../messages/permission.ts";
import type { CallReasons } from "../messages/asked-because.ts";
import { modelOptions, type ReplyModelOptions } from "../models/model-options.ts";
import { MetadataSchema } from "../schemas/common.ts";
import { EventFormatSchema } from "../schemas/event-format.ts";
import { TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";

/** A message from a client: its role is `user`, or `assistant` with text and data to set a scene. */
export const InputMessageSchema = z.strictObject({
  id: z.string().min(1).max(128).optional(),
  name: z.string().min(1).max(200).default("user"),
  role: z
    .enum(["user", "assistant"], {
      error: "a client's message has the role user or assistant; the system prompt is the agent's",
    })
    .default("user"),
  content: z.union([z.string(), z.array(TextOrMediaBlockSchema).max(MAX_MESSAGE_BLOCKS)]),
  metadata: MetadataSchema.default({}),
  created_at: z.string().max(64).optional(),
  // A stored Msg may be sent back unchanged; members that only the platform sets are ignored.
  usage: z.unknown().optional(),
  finished_at: z.unknown().optional(),
  finished_reason: z.unknown().optional(),
  structured_output: z.unknown().optional(),
  error: z.unknown().optional(),
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
  });

export const ReplyCreateQuerySchema = z.object({
  /** Dialect of the streamed events. */
  format: EventFormatSchema,
});

export type ReplyStatus =
  | "running"
  | "awaiting_permission"
  | "awaiting_external_result"
  | "completed"
  | "interrupted"
  | "exceed_max_iters"
  | "error";

/** A tool call that waits for a confirmation or an external result. */
export interface PendingCall {
  readonly kind: "permission" | "external_result";
  readonly tool_call: ToolCallBlock;
  readonly input_hash: string | null;
  readonly expires_at: string | null;
  readonly suggested_rules: readonly PermissionRule[];
  /** The sentence with which to ask a person, as plain text; left out of calls that wait for a result. */
  readonly question?: string;
  /** JSON pointers to what an edit may change; left out where it may change everything. */
  readonly editable?: readonly string[];
  /** Left out of calls that wait for a result, and of those that asked before this member was there. */
  readonly reasons?: CallReasons;
  /** The request of an MCP tool's server to a person; left out of calls that wait for a result. */
  readonly elicitation?: Omit<Elicitation, "held">;
  /** The sign-in that it waits for, in place of a result; left out of all other calls. */
  readonly authorization?: AuthorizationRequired;
  /**
   * Set when the input and the rules were too large for this answer and left out: the reply's message contains them.
   */
  readonly omitted?: Omitted;
}

/** A task that the server of an MCP tool has given in place of a result. */
export interface ReplyTask extends McpTask {
  readonly tool_call_id: string;
  readonly tool_name: string;
}

export interface Reply {
  readonly id: string;
  readonly session_id: string;
  readonly status: ReplyStatus;
  /** The message folded from the stored events so far; null before `REPLY_START`. */
  readonly message: Msg | null;
  readonly pending: readonly PendingCall[];
  /**
   * Tasks of servers for the reply's calls: nobody has to answer them. Left out when there is none.
   */
  readonly tasks?: readonly ReplyTask[];
  readonly error: ErrorInfo | null;
  readonly usage: Usage | null;
  /** Options of the reply's model calls; left out when its request has set nothing. */
  readonly model_options?: ReplyModelOptions;
  /** The stream position that `message` is folded to; in a 202, the one before `REPLY_START`. */
  readonly cursor: number;
}

export const InterruptQuerySchema = z.strictObject({
  /** `keep` lets queued replies run afterwards; `drop` ends them without running. */
  queued: z.enum(["keep", "drop"]).default("keep"),
});
export type InterruptQuery = z.infer<typeof InterruptQuerySchema>;

export interface InterruptResult {
  /** False when no reply was running or queued. */
  readonly interrupted: boolean;
  readonly reply: Reply | null;
}
