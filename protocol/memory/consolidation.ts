// Consolidations: jobs in which a model goes over the memories of a store, and settles what says the same or otherwise.
import * as z from "zod";

import { UsageSchema } from "../messages/messages.ts";
import { PageQuerySchema, pageOf, TimestampSchema } from "../schemas/common.ts";
import { CostSchema } from "../schemas/money.ts";
import {
  MAX_CONSOLIDATION_INSTRUCTIONS_CHARACTERS,
  MAX_CONSOLIDATION_TOKENS,
  MIN_CONSOLIDATION_TOKENS,
} from "./limits.ts";

export const MemoryConsolidationCreateSchema = z
  .strictObject({
    /** The name of one of the agent's models. */
    model: z.string().min(1).max(200).optional(),
    /** Words for the model, beside the platform's own. */
    instructions: z.string().min(1).max(MAX_CONSOLIDATION_INSTRUCTIONS_CHARACTERS).optional(),
    /** Tokens of all its model calls, input and output. */
    max_tokens: z
      .number()
      .int()
      .min(MIN_CONSOLIDATION_TOKENS)
      .max(MAX_CONSOLIDATION_TOKENS)
      .optional(),
  })
  .meta({
    id: "MemoryConsolidationCreate",
    description: "A consolidation; an empty object is one by the agent's own model.",
  });

/** Names of a job's failure. */
const ConsolidationErrorSchema = z
  .object({
    code: z.enum([
      /** The model's provider has failed, or was not asked: its setup is wrong. */
      "model_failed",
      "model_timed_out",
      /** The answer is not of the form that was asked for. */
      "answer_invalid",
      /** The answer names a memory that the model was not shown. */
      "unknown_memory",
      "hook_refused",
      "max_tokens",
      "quota_exceeded",
      /** The agent has no such model any more. */
      "model_gone",
      "internal",
    ]),
    message: z.string(),
  })
  .meta({ id: "MemoryConsolidationError", description: "Why a consolidation has ended early." });
export type ConsolidationError = z.infer<typeof ConsolidationErrorSchema>;

const count = z.number().int().nonnegative();

export const MemoryConsolidationSchema = z
  .object({
    id: z.string(),
    store_id: z.string(),
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    /** The model's name. */
    model: z.string(),
    instructions: z.string().nullable(),
    max_tokens: count.nullable(),
    /** Memories that the store had when it began. */
    memories: count,
    read: count,
    written: count,
    superseded: count,
    skipped: count,
    /** Null before the first answer of a model. */
    usage: UsageSchema.nullable(),
    cost_usd: CostSchema,
    error: ConsolidationErrorSchema.nullable(),
    created_at: TimestampSchema,
    /** Null while it is queued. */
    started_at: TimestampSchema.nullable(),
    ended_at: TimestampSchema.nullable(),
  })
  .meta({
    id: "MemoryConsolidation",
    description: "A job that settles what memories of a store say twice, or otherwise.",
  });
export type MemoryConsolidation = z.infer<typeof MemoryConsolidationSchema>;
export type ConsolidationStatus = MemoryConsolidation["status"];
export const MemoryConsolidationPageSchema = pageOf(MemoryConsolidationSchema).meta({
  id: "MemoryConsolidationPage",
});

export const MemoryConsolidationQuerySchema = PageQuerySchema;
