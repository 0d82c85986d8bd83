// Long-term memory: an agent's settings for it, and what a store of memories holds.
import * as z from "zod";

import { CredentialIdSchema, OPENAI_BASE_URL } from "../models/contract.ts";
import { PageQuerySchema, pageOf, TimestampSchema } from "../schemas/common.ts";
import { CallReasonsSchema } from "../messages/call-reasons.ts";
import {
  DEFAULT_RETRIEVED,
  MAX_KEYWORD_CHARACTERS,
  MAX_EMBEDDING_DIMENSIONS,
  MAX_MEMORY_CHARACTERS,
  MAX_MEMORY_PATH_CHARACTERS,
  MAX_RETRIEVED,
} from "./limits.ts";

/** An OpenAI-compatible endpoint for embeddings: `POST <base_url>/embeddings`. @public */
export const EmbeddingSchema = z
  .strictObject({
    /** The model's name. */
    name: z.string().min(1).max(200),
    /** OpenAI's own when left out. */
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    /** A credential of type `model`: sent as `Authorization: Bearer <secret>`. */
    credential_id: CredentialIdSchema,
    /** Sent to the endpoint, for models that give vectors of several sizes. */
    dimensions: z.number().int().min(8).max(MAX_EMBEDDING_DIMENSIONS).optional(),
    /** The cosine that a memory needs to be found by what it means. */
    min_similarity: z.number().min(0).max(1).optional(),
  })
  .meta({ id: "Embedding", description: "An OpenAI-compatible endpoint for embeddings." });
export type EmbeddingDefinition = z.infer<typeof EmbeddingSchema>;

/** The address below which the requests of an embedding go: its own `base_url`, or OpenAI's. */
export function embeddingUrlOf({ base_url }: Pick<EmbeddingDefinition, "base_url">): string {
  return base_url ?? OPENAI_BASE_URL;
}

/** An agent's `memory`. */
export const MemorySettingsSchema = z.strictObject({
  /** The one who reads and writes memories: the agent with its tools, the platform around each reply, or both. */
  mode: z.enum(["agent_control", "static_control", "both"]).default("agent_control"),
  /** The memories of one end user, or those that all end users of the agent share. */
  scope: z.enum(["end_user", "agent"]).default("end_user"),
  /** Memories that one search gives at most. */
  retrieve_limit: z.number().int().min(1).max(MAX_RETRIEVED).default(DEFAULT_RETRIEVED),
  /** Search by meaning, beside the search by words; by words alone when left out. */
  embedding: EmbeddingSchema.nullable().optional(),
});
export type MemorySettings = z.infer<typeof MemorySettingsSchema>;

/** The text of a memory. */
const MemoryContentSchema = z
  .string()
  .max(MAX_MEMORY_CHARACTERS)
  .refine((content) => content.trim() !== "", { message: "a memory is a text" })
  .refine((content) => !/\p{Surrogate}/u.test(content), {
    message: "holds half of a surrogate pair",
  });

/** A place in the store, such as `profile/city`: what is written there takes the place of what was. */
const MemoryPathSchema = z
  .string()
  .max(MAX_MEMORY_PATH_CHARACTERS)
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Surrogate}\s/][^\p{Cc}\p{Cf}\p{Surrogate}/]*(?:\/[^\p{Cc}\p{Cf}\p{Surrogate}/]+)*$/u,
    {
      message: "a path is names with / between them, such as profile/city",
    },
  );

/** The conversation that a memory is from; null members where there was none. @public */
export const MemorySourceSchema = z
  .object({
    session_id: z.string().nullable(),
    reply_id: z.string().nullable(),
    tool_call_id: z.string().nullable(),
  })
  .meta({ id: "MemorySource", description: "The conversation that a memory is from." });
export type MemorySource = z.infer<typeof MemorySourceSchema>;

/** A store as the registry has it. */
export const MemoryStoreRecordSchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    /** Null for the store that all end users of the agent share. */
    end_user_id: z.string().nullable(),
    memories: z.number().int().nonnegative(),
    bytes: z.number().int().nonnegative(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({
    id: "MemoryStore",
    description: "The memories of one agent and end user, or of one agent.",
  });
export type MemoryStoreRecord = z.infer<typeof MemoryStoreRecordSchema>;
export const MemoryStorePageSchema = pageOf(MemoryStoreRecordSchema).meta({
  id: "MemoryStorePage",
});

const written = {
  path: z.string().nullable(),
  /** `sha256:` and 64 hex digits over the UTF-8 bytes of the content. */
  content_sha256: z.string().nullable(),
  source: MemorySourceSchema.nullable(),
  /** The call whose untrusted result was in the context when it was made; null for a trusted one. */
  untrusted: CallReasonsSchema.shape.untrusted.element.nullable(),
  /** The version that this one took the place of. */
  supersedes: z.string().nullable(),
};

export const MemorySchema = z
  .object({
    id: z.string(),
    store_id: z.string(),
    ...written,
    content: z.string(),
    content_sha256: z.string(),
    /** Counts from 1. */
    version: z.number().int().positive(),
    /** The id of this version. */
    version_id: z.string(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "Memory", description: "A memory as its newest version has it." });
export type Memory = z.infer<typeof MemorySchema>;

export const MemoryVersionSchema = z
  .object({
    id: z.string(),
    store_id: z.string(),
    memory_id: z.string(),
    version: z.number().int().positive(),
    /** The act that made it. */
    operation: z.enum(["recorded", "corrected", "superseded", "consolidated"]),
    ...written,
    /** Null when it was redacted. */
    content: z.string().nullable(),
    /** The memory that a consolidation has taken this one into. */
    merged_into: z.string().nullable(),
    created_at: TimestampSchema,
    redacted_at: TimestampSchema.nullable(),
  })
  .meta({
    id: "MemoryVersion",
    description: "A version of a memory, which never changes but by redaction.",
  });
export type MemoryVersion = z.infer<typeof MemoryVersionSchema>;
export type MemoryOperation = MemoryVersion["operation"];
export const MemoryVersionPageSchema = pageOf(MemoryVersionSchema).meta({
  id: "MemoryVersionPage",
});

export const MemoryCreateSchema = z
  .strictObject({
    content: MemoryContentSchema,
    path: MemoryPathSchema.nullable().optional(),
  })
  .meta({ id: "MemoryCreate", description: "A new memory." });

export const MemoryUpdateSchema = z
  .strictObject({
    content: MemoryContentSchema.optional(),
    /** Null takes it away. */
    path: MemoryPathSchema.nullable().optional(),
  })
  .meta({ id: "MemoryUpdate", description: "What is left out stays. A change makes a version." });
export type MemoryUpdate = z.infer<typeof MemoryUpdateSchema>;

/** The agent and the end user whose store is made. */
export const MemoryStoreCreateSchema = z
  .strictObject({
    agent_id: z.string().max(64),
    /** Left out, or null: the store that all end users of the agent share. */
    end_user_id: z.string().min(1).max(200).nullable().optional(),
  })
  .meta({ id: "MemoryStoreCreate" });

export const MemoryStoreQuerySchema = PageQuerySchema.extend({
  agent_id: z.string().max(64).optional(),
  end_user_id: z.string().min(1).max(200).optional(),
});

export const MemoryQuerySchema = PageQuerySchema.extend({
  /** Finds memories by words and, with an embedding, by what they mean; the best first, in place of the newest. */
  search: z.string().min(1).max(MAX_KEYWORD_CHARACTERS).optional(),
  /** Memories at this path and below it. */
  path: z.string().min(1).max(MAX_MEMORY_PATH_CHARACTERS).optional(),
});

export const MemoryVersionQuerySchema = PageQuerySchema.extend({
  memory_id: z.string().max(64).optional(),
});

/** A list of memories, and what a search has to say beside it. */
export const FoundMemoriesSchema = pageOf(MemorySchema)
  .extend({
    /** Of a search: a sentence about what was not found or not possible; null otherwise. */
    note: z.string().nullable(),
  })
  .meta({ id: "FoundMemories" });
export type FoundMemories = z.infer<typeof FoundMemoriesSchema>;

/** Versions that a redaction has emptied. */
export const RedactedMemorySchema = z
  .object({
    memory_id: z.string(),
    /** Versions whose content is gone: all of the memory. */
    version_ids: z.array(z.string()),
    redacted_at: TimestampSchema,
  })
  .meta({ id: "RedactedMemory", description: "A memory whose content is gone in all versions." });
export type RedactedMemory = z.infer<typeof RedactedMemorySchema>;
