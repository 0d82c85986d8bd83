// The context that the model of a session is sent, and its compression on request.
import * as z from "zod";

import { MAX_COMPRESSION_INSTRUCTIONS_CHARACTERS, MAX_SUMMARY_CHARACTERS } from "./limits.ts";
import { ErrorInfoSchema, MsgSchema, UsageSchema } from "../messages/messages.ts";
import { TimestampSchema } from "../schemas/common.ts";

export const CompressSchema = z
  .strictObject({
    /** Points that the summary should attend to, for the model that writes it. */
    instructions: z.string().min(1).max(MAX_COMPRESSION_INSTRUCTIONS_CHARACTERS).optional(),
    /** The reaction to a reply that runs or waits: `queue` compresses when it has ended. */
    on_busy: z.enum(["reject", "queue"]).default("reject"),
  })
  .meta({ id: "Compress", description: "A request for a summary." });
export type Compress = z.infer<typeof CompressSchema>;

/** A summary with what it replaces: the value of the event `context_compressed`. @public */
export const CompressedContextSchema = z
  .object({
    summary_id: z.string(),
    summary: z.string().max(MAX_SUMMARY_CHARACTERS),
    first_message_id: z.string(),
    last_message_id: z.string(),
    /** Null when the whole last message is summarised. */
    last_block_id: z.string().nullable(),
    /** The user's words that the last message answers, when only its first turns are summarised. */
    request: z.string().optional(),
    tokens_before: z.number().int().nonnegative(),
    tokens_after: z.number().int().nonnegative(),
    model: z.string(),
    usage: UsageSchema,
  })
  .meta({ id: "CompressedContext", description: "A summary, and what it replaces." });

export const CompressionSchema = z
  .object({
    /**
     * `queued`: it is made when the open reply has ended, or is still being made. `nothing`: nothing is left to summarise.
     */
    status: z.enum(["completed", "queued", "nothing"]),
    /** The summary's id, also of one that is queued; null when there is nothing to summarise. */
    summary_id: z.string().nullable(),
    /** Null unless it is completed. */
    compressed: CompressedContextSchema.nullable(),
  })
  .meta({ id: "Compression", description: "What became of a request for a summary." });
export type Compression = z.infer<typeof CompressionSchema>;

/** The failure of the last compression that no reply has made. @public */
export const CompressionFailureSchema = z
  .object({
    failed_at: TimestampSchema,
    error: ErrorInfoSchema,
  })
  .meta({
    id: "CompressionFailure",
    description: "How the last summary failed that was made between replies.",
  });
export type CompressionFailure = z.infer<typeof CompressionFailureSchema>;

const tokens = z.number().int().nonnegative();

/** The context that the next model call would be sent, counted. */
export const SessionContextSchema = z
  .object({
    /** Tokens of the model's window, and those above which the context is compressed between replies and before a call. */
    context_size: tokens,
    soft_threshold: tokens,
    hard_threshold: tokens,
    token_counter: z.enum(["provider", "estimate", "chars"]),
    /** `total` decides whether the context is compressed: by the provider's count, where there is one. The parts are estimates. */
    tokens: z.object({ total: tokens, system_prompt: tokens, tools: tokens, messages: tokens }),
    system_prompt: z.string(),
    /** Null when nothing was summarised. */
    summary: z.object({ id: z.string(), text: z.string() }).nullable(),
    tools: z.array(z.object({ name: z.string(), tokens })),
    /** Hints that the next call would add behind the messages, which have the earlier ones. */
    hints: z.array(z.object({ source: z.string(), text: z.string(), tokens })),
    /** Oldest first, as the model sees them. */
    messages: z.array(z.object({ message: MsgSchema, tokens })),
    /** Whether a summary is due or being made. */
    compressing: z.boolean(),
    /** Null when the last one did not fail. */
    failure: CompressionFailureSchema.nullable(),
  })
  .meta({ id: "SessionContext", description: "What the next model call would be sent, counted." });
export type SessionContext = z.infer<typeof SessionContextSchema>;
