// Agent definitions. A PATCH creates a new version; a session keeps the version that it was opened with, unless it
// follows the latest.
import * as z from "zod";

import { A2aSettingsSchema } from "../a2a/contract.ts";
import { MAX_ALLOWED_MODELS, MAX_FALLBACK_MODELS } from "../models/limits.ts";
import { MAX_RULE_CHARACTERS, MAX_RULES } from "../permission/limits.ts";
import {
  DEFAULT_MAX_ITERS,
  MAX_MAX_ITERS,
  MAX_REPLY_SECONDS,
  MAX_REPLY_TOKENS,
} from "../replies/limits.ts";
import { MAX_LOG_RETENTION_SECONDS, MIN_LOG_RETENTION_SECONDS } from "../events/limits.ts";
import { PermissionModeSchema, PermissionRuleSchema } from "../messages/permission.ts";
import { MetadataSchema, NameSchema, pageOf, TimestampSchema } from "../schemas/common.ts";
import { ContextSettingsSchema } from "../context/contract.ts";
import { HooksSchema } from "../hooks/contract.ts";
import { MemorySettingsSchema } from "../memory/contract.ts";
import { ModelDefinitionSchema, type ModelDefinition } from "../models/contract.ts";
import { PlanSettingsSchema } from "../plans/contract.ts";
import { SharedStateSettingsSchema } from "../shared-state/contract.ts";
import { AgentSkillsSchema } from "../skills/contract.ts";
import { HttpCodeAgentSchema } from "./http-code-agent.ts";
import { OnInterruptSchema } from "./on-interrupt.ts";
import { WarningSchema } from "../warning.ts";
import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";
import { ToolGroupsSchema } from "../tool-groups/contract.ts";
import { areNamesUnique, ToolsSchema } from "../tools/contract.ts";
import { ToolNameSchema, WaitingSecondsSchema } from "../tools/named-tool.ts";
import { VoiceSettingsSchema } from "../voice/contract.ts";

export { namesOfTools } from "../tools/contract.ts";
export type { ToolDefinition } from "../tools/contract.ts";

/**
 * A permission rule of the agent, stored with all four members. The length of its content is bounded so that matching
 * takes bounded time.
 */
const RuleSchema = PermissionRuleSchema.strict().extend({
  rule_content: z.string().max(MAX_RULE_CHARACTERS).nullable().default(null),
  source: z.string().default("agent"),
});

const ONLY_MODELS = {
  message: "an agent of another system is an agent's `model`, and no further one beside it",
};

function areModels(models: readonly ModelDefinition[]): boolean {
  return models.every(({ provider }) => provider !== "a2a");
}

const definition = {
  name: NameSchema,
  system_prompt: z.string().max(200_000),
  model: ModelDefinitionSchema,
  /** Fallbacks, tried in this order when `model` fails before its first output. */
  fallback_models: z
    .array(ModelDefinitionSchema)
    .max(MAX_FALLBACK_MODELS)
    .refine(areModels, ONLY_MODELS)
    .optional(),
  /** Further models that a reply may ask for by `name`, beside `model` and the fallbacks. */
  allowed_models: z
    .array(ModelDefinitionSchema)
    .max(MAX_ALLOWED_MODELS)
    .refine(areNamesUnique, { message: "two models have the same name" })
    .refine(areModels, ONLY_MODELS)
    .optional(),
  tools: ToolsSchema,
  /** Groups of its tools, which are switched as a whole; a tool in none of them is always there. */
  tool_groups: ToolGroupsSchema.optional(),
  /** Whether the agent switches its groups itself, with `reset_equipped_tools`; false when left out. */
  meta_tool: z.boolean().optional(),
  max_iters: z.number().int().min(1).max(MAX_MAX_ITERS),
  /**
   * The step after the last round of a reply that has no answer yet: `summarize` lets the model say what was done, in
   * one more call without tools. `stop` when left out.
   */
  on_max_iters: z.enum(["stop", "summarize"]).optional(),
  /** The text of a reply that a user has interrupted; nothing when left out. */
  on_interrupt: OnInterruptSchema.optional(),
  /** Budget of one reply; when it is used up the reply ends with an error. */
  budget: z
    .strictObject({
      /** Input plus output tokens of all its model calls; checked before each call. */
      max_tokens: z.number().int().min(1).max(MAX_REPLY_TOKENS).optional(),
      /** Seconds of running time; waiting for confirmations and external results does not count. */
      max_seconds: z.number().int().min(1).max(MAX_REPLY_SECONDS).optional(),
    })
    .optional(),
  permission: z.strictObject({
    mode: PermissionModeSchema.default("default"),
    rules: z.array(RuleSchema).max(MAX_RULES).default([]),
    /** Whether mode `bypass` lets sinks run while the context has untrusted content; they ask when left out. */
    bypass_untrusted: z.boolean().optional(),
  }),
  /**
   * The reaction to a quota of the tenant that runs out during a reply: `end` ends it with the error `quota_exceeded`,
   * `park` suspends it until there is room. `end` when left out.
   */
  on_limit: z.enum(["end", "park"]).optional(),
  /** Seconds until a confirmation request expires; a day when left out. */
  confirmation_ttl: WaitingSecondsSchema.optional(),
  /** Default output schema of replies whose request sets none; null means plain text. */
  structured_output: StructuredSchemaSchema.nullable().optional(),
  shared_state: SharedStateSettingsSchema.optional(),
  /** The model makes and follows plans; null for none, as when left out. */
  plan: PlanSettingsSchema.nullable().optional(),
  /** Folders of instructions whose names and descriptions the model is told, and whose files it reads. */
  skills: AgentSkillsSchema.optional(),
  /** Long-term memory; null for none, as when left out. */
  memory: MemorySettingsSchema.nullable().optional(),
  /** Settings of what the model is sent of a conversation. */
  context: ContextSettingsSchema.optional(),
  /** Gives the replies in place of the model loop: a function of the deployment, or a server; null for none, as when left out. */
  code_agent: z.union([ToolNameSchema, HttpCodeAgentSchema]).nullable().optional(),
  /**
   * Seconds after the end of a reply from which on its log keeps one delta for those of a block that follow each other;
   * null for all of them for good, as when left out.
   */
  log_retention: z
    .number()
    .int()
    .min(MIN_LOG_RETENTION_SECONDS)
    .max(MAX_LOG_RETENTION_SECONDS)
    .nullable()
    .optional(),
  /** Asked before and after the steps of a reply; behind those of the session. */
  hooks: HooksSchema.optional(),
  /** The agent as a server of A2A; null for none, as when left out. */
  a2a: A2aSettingsSchema.nullable().optional(),
  /** Models by which the agent hears and speaks; null for none, as when left out. */
  voice: VoiceSettingsSchema.nullable().optional(),
  metadata: MetadataSchema,
};

export const AgentCreateSchema = z
  .strictObject({
    name: definition.name,
    system_prompt: definition.system_prompt.default(""),
    model: definition.model.default({
      provider: "scripted",
      name: "refund-desk",
      parameters: { tokens_per_second: 0 },
    }),
    fallback_models: definition.fallback_models,
    allowed_models: definition.allowed_models,
    tools: definition.tools.default([]),
    tool_groups: definition.tool_groups,
    meta_tool: definition.meta_tool,
    max_iters: definition.max_iters.default(DEFAULT_MAX_ITERS),
    on_max_iters: definition.on_max_iters,
    on_interrupt: definition.on_interrupt,
    budget: definition.budget,
    on_limit: definition.on_limit,
    permission: definition.permission.default({ mode: "default", rules: [] }),
    confirmation_ttl: definition.confirmation_ttl,
    structured_output: definition.structured_output,
    shared_state: definition.shared_state,
    plan: definition.plan,
    skills: definition.skills,
    memory: definition.memory,
    context: definition.context,
    hooks: definition.hooks,
    code_agent: definition.code_agent,
    log_retention: definition.log_retention,
    a2a: definition.a2a,
    voice: definition.voice,
    metadata: definition.metadata.default({}),
  })
  .meta({
    id: "AgentCreate",
    description:
      "A new agent. Only the name is required: the default model is scripted and needs no key.",
  });
export type AgentDefinition = z.infer<typeof AgentCreateSchema>;

/** Of the answer to a write: parts that say nothing. Left out when there are none. */
const warnings = z.array(WarningSchema).optional();

/** Members that are left out stay unchanged. */
export const AgentUpdateSchema = z.strictObject(definition).partial().meta({
  id: "AgentUpdate",
  description: "Members that are left out do not change. A change creates a new version.",
});
export type AgentUpdate = z.infer<typeof AgentUpdateSchema>;

/** An agent that was checked and not written. */
export const AgentDefinitionSchema = AgentCreateSchema.extend({ warnings }).meta({
  id: "AgentDefinition",
  description: "A definition as it would be stored, with all defaults.",
});

/** Members that an agent has beside its definition. @public */
export const AgentRecordSchema = z.object({
  id: z.string(),
  /** Counts from 1. */
  version: z.number().int().positive(),
  created_at: TimestampSchema,
  updated_at: TimestampSchema,
});
export const AgentSchema = AgentCreateSchema.extend(AgentRecordSchema.shape).meta({
  id: "Agent",
  description: "An agent in its newest version.",
});
export type Agent = AgentDefinition & Readonly<z.infer<typeof AgentRecordSchema>>;
/** The answer to a write. */
export const WrittenAgentSchema = AgentSchema.extend({ warnings }).meta({
  id: "WrittenAgent",
  description: "An agent as a write has left it, with the parts of it that say nothing.",
});
export type WrittenAgent = Agent & Pick<z.infer<typeof WrittenAgentSchema>, "warnings">;
export type CheckedDefinition = AgentDefinition &
  Pick<z.infer<typeof AgentDefinitionSchema>, "warnings">;
export const AgentPageSchema = pageOf(AgentSchema).meta({ id: "AgentPage" });

/** A change of a version of an agent: its definition never changes. */
export const AgentVersionUpdateSchema = z
  .strictObject({
    /**
     * `true` retires it: no session may be given it, and those that have it get the newest one with their next reply. `false`
     * brings it back for sessions that are given it from then on.
     */
    retired: z.boolean(),
  })
  .meta({ id: "AgentVersionUpdate", description: "Whether a version is retired." });

/** Members that a version of an agent has beside its definition. @public */
export const AgentVersionRecordSchema = z.object({
  agent_id: z.string(),
  version: z.number().int().positive(),
  created_at: TimestampSchema,
  /** When it was retired; null for one that sessions may be given. */
  retired_at: TimestampSchema.nullable(),
});
export const AgentVersionSchema = AgentCreateSchema.extend(AgentVersionRecordSchema.shape).meta({
  id: "AgentVersion",
  description: "An agent's definition in one version, which never changes.",
});
/** One version of an agent, whose definition is immutable. */
export type AgentVersion = AgentDefinition & Readonly<z.infer<typeof AgentVersionRecordSchema>>;
export const AgentVersionPageSchema = pageOf(AgentVersionSchema).meta({ id: "AgentVersionPage" });
