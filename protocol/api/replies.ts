// Replies: what a client asks for, and what it gets.
import { z } from "zod";

import type { ToolCallBlock } from "../messages/blocks.ts";
import { MAX_INPUT_MESSAGES } from "../limits/replies.ts";
import { MAX_MESSAGE_BLOCKS } from "../limits/requests.ts";
import type { ErrorInfo, Msg, Usage } from "../messages/messages.ts";
import type { Omitted } from "../messages/omitted.ts";
import type { PermissionRule } from "../messages/permission.ts";
import { MetadataSchema } from "./schemas/common.ts";
import { EventFormatSchema } from "./schemas/event-format.ts";
import { TextOrMediaBlockSchema } from "./schemas/media-blocks.ts";
import { StructuredSchemaSchema } from "./schemas/structured-schema.ts";

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
  // A stored Msg may be sent back as it is; what only the platform can know is ignored.
  usage: z.unknown().optional(),
  finished_at: z.unknown().optional(),
  finished_reason: z.unknown().optional(),
  structured_output: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type InputMessage = z.infer<typeof InputMessageSchema>;

/** Messages stand before blocks: of two readings that fit equally badly, the first one's errors are shown. */
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
    /** What the reply has to fill in, instead of the agent's `structured_output`; null for a text. */
    structured_schema: StructuredSchemaSchema.nullable().optional(),
    /** What to do when a reply runs or waits already. */
    on_busy: z.enum(["reject", "queue", "interrupt"]).default("reject"),
  })
  .refine((reply) => !(reply.stream && reply.background), {
    path: ["background"],
    message: "a reply is streamed or runs in the background; give one of the two",
  });
export type ReplyCreate = z.infer<typeof ReplyCreateSchema>;

export const ReplyCreateQuerySchema = z.object({
  /** Of the events that a stream answers with. */
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

/** A tool call that waits for somebody outside. */
export interface PendingCall {
  readonly kind: "permission" | "external_result";
  readonly tool_call: ToolCallBlock;
  readonly input_hash: string | null;
  readonly expires_at: string | null;
  readonly suggested_rules: readonly PermissionRule[];
  /** The input and the rules are too large for an answer and left out: the reply's message has the call. */
  readonly omitted?: Omitted;
}

export interface Reply {
  readonly id: string;
  readonly session_id: string;
  readonly status: ReplyStatus;
  /** The durable fold so far; null before `REPLY_START`. */
  readonly message: Msg | null;
  readonly pending: readonly PendingCall[];
  readonly error: ErrorInfo | null;
  readonly usage: Usage | null;
  /** The stream position that `message` is folded to; in a 202, the one before `REPLY_START`. */
  readonly cursor: number;
}

export const InterruptQuerySchema = z.strictObject({
  /** Replies that wait for their turn are kept and go on, or end without having run. */
  queued: z.enum(["keep", "drop"]).default("keep"),
});
export type InterruptQuery = z.infer<typeof InterruptQuerySchema>;

export interface InterruptResult {
  /** False when nothing ran and nothing waited. */
  readonly interrupted: boolean;
  readonly reply: Reply | null;
}
