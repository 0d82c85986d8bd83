// Long-term memory: an agent's settings for it, and what a store of memories holds.
import * as z from "zod";

import { CredentialIdSchema, OPENAI_BASE_URL } from "../models/contract.ts";
import {
  DEFAULT_RETRIEVED,
  MAX_EMBEDDING_DIMENSIONS,
  MAX_MEMORY_CHARACTERS,
  MAX_MEMORY_PATH_CHARACTERS,
  MAX_RETRIEVED,
} from "./limits.ts";

/** An OpenAI-compatible endpoint for embeddings: `POST <base_url>/embeddings`. */
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
  })
  .meta({ id: "Embedding", description: "An OpenAI-compatible endpoint for embeddings." });
export type EmbeddingDefinition = z.infer<typeof EmbeddingSchema>;

/** The address below which the requests of an embedding go: its own `base_url`, or OpenAI's. */
export function embeddingUrlOf({ base_url }: Pick<EmbeddingDefinition, "base_url">): string {
  return base_url ?? OPENAI_BASE_URL;
}

/** An agent's `memory`. */
export const MemorySettingsSchema = z.strictObject({
  /** Who reads and writes memories: the agent with its tools, the platform around each reply, or both. */
  mode: z.enum(["agent_control", "static_control", "both"]).default("agent_control"),
  /** The memories of one end user, or those that all end users of the agent share. */
  scope: z.enum(["end_user", "agent"]).default("end_user"),
  /** Memories that one search gives at most. */
  retrieve_limit: z.number().int().min(1).max(MAX_RETRIEVED).default(DEFAULT_RETRIEVED),
  /** Search by meaning, beside the search by words; by words alone when left out. */
  embedding: EmbeddingSchema.nullable().optional(),
});
export type MemorySettings = z.infer<typeof MemorySettingsSchema>;
export type MemoryScope = MemorySettings["scope"];

/** The text of a memory. */
export const MemoryContentSchema = z
  .string()
  .max(MAX_MEMORY_CHARACTERS)
  .refine((content) => content.trim() !== "", { message: "a memory is a text" })
  .refine((content) => !/\p{Surrogate}/u.test(content), {
    message: "holds half of a surrogate pair",
  });

/** A place in the store, such as `profile/city`: what is written there takes the place of what was. */
export const MemoryPathSchema = z
  .string()
  .max(MAX_MEMORY_PATH_CHARACTERS)
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Surrogate}\s/][^\p{Cc}\p{Cf}\p{Surrogate}/]*(?:\/[^\p{Cc}\p{Cf}\p{Surrogate}/]+)*$/u,
    {
      message: "a path is names with / between them, such as profile/city",
    },
  );

/** The conversation that a memory is from; null members where there was none. */
export const MemorySourceSchema = z
  .object({
    session_id: z.string().nullable(),
    reply_id: z.string().nullable(),
    tool_call_id: z.string().nullable(),
  })
  .meta({ id: "MemorySource", description: "The conversation that a memory is from." });
export type MemorySource = z.infer<typeof MemorySourceSchema>;
