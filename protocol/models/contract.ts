// The models of an agent: which provider, by which address and credential.
import * as z from "zod";

import { refineRemoteAgent, remoteAgentMembers } from "../a2a/remote-agent.ts";
import { SendReasoningSchema } from "./events.ts";
import { MIN_MODEL_STALL_MS, MODEL_ANSWER_MS } from "./limits.ts";

const parameters = z.record(z.string(), z.json()).default({});
/** Context window of the model, in tokens. */
const contextSize = z.number().int().positive().optional();

/** A credential's id, where a definition may name one. */
export const CredentialIdSchema = z.string().min(1).max(64).optional();
const baseUrl = z.url({ protocol: /^https?$/ }).optional();
/**
 * Milliseconds without a byte after which a model call is abandoned and retried; a stream of heartbeats alone may last
 * longer.
 */
const stallMs = z.number().int().min(MIN_MODEL_STALL_MS).max(MODEL_ANSWER_MS).optional();

/**
 * The part of the model's unsigned reasoning that goes back to it: none, that since the user's last message, or all. As
 * the endpoint's documents say when left out, else none.
 */
const sendReasoning = SendReasoningSchema.optional();

export const OPENAI_BASE_URL = "https://api.openai.com/v1";
const ANTHROPIC_BASE_URL = "https://api.anthropic.com";

export const ModelDefinitionSchema = z
  .discriminatedUnion("provider", [
    /** The embedded, deterministic model: no key, no network. */
    z
      .strictObject({
        provider: z.literal("scripted"),
        name: z.string().min(1).default("refund-desk"),
        parameters: z
          .strictObject({
            /** Pace of the stream; 0 sends as fast as it can. */
            tokens_per_second: z.number().min(0).max(10_000).default(0),
          })
          .prefault({}),
        context_size: contextSize,
      })
      .meta({
        id: "ScriptedModel",
        description: "The embedded, deterministic model: no key, no network.",
      }),
    /** Any OpenAI-compatible endpoint, by chat completions or by the Responses API. */
    z
      .strictObject({
        provider: z.literal("openai"),
        /** `chat_completions` when left out. */
        api: z.enum(["chat_completions", "responses"]).optional(),
        name: z.string().min(1),
        base_url: baseUrl,
        /** A credential of type `model`: sent as `Authorization: Bearer <secret>`. */
        credential_id: CredentialIdSchema,
        parameters,
        context_size: contextSize,
        stall_ms: stallMs,
        send_reasoning: sendReasoning,
      })
      .meta({
        id: "OpenAiModel",
        description: "Any OpenAI-compatible endpoint, by chat completions or by the Responses API.",
      }),
    /** Anthropic's Messages API. */
    z
      .strictObject({
        provider: z.literal("anthropic"),
        name: z.string().min(1),
        base_url: baseUrl,
        /** A credential of type `model`: sent as `x-api-key: <secret>`. */
        credential_id: CredentialIdSchema,
        parameters,
        context_size: contextSize,
        stall_ms: stallMs,
        send_reasoning: sendReasoning,
      })
      .meta({ id: "AnthropicModel", description: "A model of Anthropic, by the Messages API." }),
    /** An agent of another system, which gives the replies: it has its own prompt, tools and memory. */
    z
      .strictObject({
        provider: z.literal("a2a"),
        /** As replies show it. */
        name: z.string().min(1).default("remote-agent"),
        ...remoteAgentMembers,
      })
      .superRefine(refineRemoteAgent)
      .meta({
        id: "RemoteAgentModel",
        description:
          "An agent of another system, over A2A: it is sent new and observed messages alone, and gives the replies.",
      }),
  ])
  .meta({ id: "Model" });
export type ModelDefinition = z.infer<typeof ModelDefinitionSchema>;
export type RemoteAgentModel = Extract<ModelDefinition, { provider: "a2a" }>;
/** A model that requests are sent to. */
export type RemoteModelDefinition = Exclude<ModelDefinition, { provider: "scripted" | "a2a" }>;

/** Whether the definition is that of a model, which is sent whole conversations. */
export function isRemoteModel(definition: ModelDefinition): definition is RemoteModelDefinition {
  return definition.provider !== "scripted" && definition.provider !== "a2a";
}

/** The address that the requests of a model go to: its own `base_url`, or its provider's. */
export function baseUrlOf({ provider, base_url }: RemoteModelDefinition): string {
  return base_url ?? (provider === "anthropic" ? ANTHROPIC_BASE_URL : OPENAI_BASE_URL);
}
