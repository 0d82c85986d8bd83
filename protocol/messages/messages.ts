// Msg: one message of a conversation, the unit of storage and transfer.
import * as z from "zod";

import { ContentBlockSchema } from "./blocks.ts";
import { currentTimestamp, generateId } from "./defaults.ts";
import { findRoleViolation } from "./find-role-violation.ts";
import { RoleSchema } from "./role.ts";

const count = z.number().int().nonnegative();

/**
 * Speech of a message: what was heard of the user, and what the agent has said.
 * @public
 */
export const AudioUsageSchema = z
  .object({
    /** Milliseconds that were heard. */
    input_ms: count.optional(),
    /** Milliseconds that were said, also those that nobody played. */
    output_ms: count.optional(),
    /** Tokens of `input_tokens` that were audio, where the provider tells them. */
    input_tokens: count.optional(),
    /** Tokens of `output_tokens` that were audio, where the provider tells them. */
    output_tokens: count.optional(),
  })
  .meta({
    id: "AudioUsage",
    only: "answer",
    description:
      "Speech by direction: milliseconds heard and said, and the tokens among the others that were audio, where the provider tells them.",
  });
export type AudioUsage = z.infer<typeof AudioUsageSchema>;

/** Token counts, summed over the model calls of a reply; of a spoken message of the user, those of writing it down. */
export const UsageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_input_tokens: count.default(0),
    cache_creation_input_tokens: count.default(0),
    /** Missing where nothing was spoken. */
    audio: AudioUsageSchema.optional(),
  })
  .meta({
    id: "Usage",
    only: "answer",
    description: "Tokens, summed over the model calls of a reply.",
  });
export type Usage = z.infer<typeof UsageSchema>;

export const ErrorTypeSchema = z.enum([
  "authentication",
  "permission",
  "rate_limit",
  "invalid_request",
  "upstream",
  "connection",
  "internal",
  "setup",
  "output_limit",
  "quota_exceeded",
  "unknown",
]);
export type ErrorType = z.infer<typeof ErrorTypeSchema>;

/**
 * The reason that a reply failed. `message` is a fixed text per type, or one that names a credential; never an
 * exception's own.
 */
export const ErrorInfoSchema = z
  .object({
    type: ErrorTypeSchema.default("unknown"),
    message: z.string(),
  })
  .meta({
    id: "ErrorInfo",
    only: "answer",
    description: "Why a reply failed. The message is a fixed text, which may name a credential.",
  });
export type ErrorInfo = z.infer<typeof ErrorInfoSchema>;

export const FinishedReasonSchema = z.enum([
  "completed",
  "interrupted",
  "exceed_max_iters",
  "error",
]);
export type FinishedReason = z.infer<typeof FinishedReasonSchema>;

/**
 * The role limits the content (user: text and data; system: text; assistant: any). Checked here and in the
 * constructors; `appendEvent` does not check it.
 */
export const MsgSchema = z
  .object({
    name: z.string(),
    content: z.array(ContentBlockSchema),
    role: RoleSchema,
    id: z.string().default(generateId),
    metadata: z.record(z.string(), z.unknown()).default({}),
    created_at: z.string().default(currentTimestamp),
    usage: UsageSchema.nullable().default(null),
    finished_at: z.string().nullable().default(null),
    finished_reason: FinishedReasonSchema.nullable().default(null),
    structured_output: z.record(z.string(), z.unknown()).nullable().default(null),
    error: ErrorInfoSchema.nullable().default(null),
  })
  .superRefine((message, context) => {
    const violation = findRoleViolation(message.role, message.content);
    if (violation) {
      context.addIssue({
        code: "custom",
        path: ["content", violation.index, "type"],
        message: violation.detail,
      });
    }
  })
  .meta({
    id: "Msg",
    description:
      "One turn of a conversation. An assistant's message is the fold of its reply's events; its id is the reply's.",
  });
export type Msg = z.infer<typeof MsgSchema>;
