// Agent definitions. A PATCH makes a new version; a session keeps the one it was opened with.
import { z } from "zod";

import { MAX_WAITING_SECONDS } from "../limits/answers.ts";
import { MAX_FALLBACK_MODELS, MODEL_ANSWER_MS, MIN_MODEL_STALL_MS } from "../limits/models.ts";
import { MAX_RULE_CHARACTERS, MAX_RULES } from "../limits/permission-rules.ts";
import {
  DEFAULT_MAX_ITERS,
  MAX_MAX_ITERS,
  MAX_REPLY_SECONDS,
  MAX_REPLY_TOKENS,
} from "../limits/replies.ts";
import {
  DEFAULT_TOOL_MAX_BYTES,
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_TOOL_MAX_BYTES,
  MAX_TOOL_TIMEOUT_MS,
  MAX_TOOLS,
  MAX_EDITABLE_POINTERS,
} from "../limits/tools.ts";
import {
  PermissionModeSchema,
  PermissionRuleSchema,
  RuleSyntaxSchema,
} from "../messages/permission.ts";
import { UPDATE_SHARED_STATE_TOOL } from "../shared-state.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../structured-output.ts";
import { MetadataSchema, NameSchema, type TimestampSchema } from "./schemas/common.ts";
import { HeaderFieldsSchema, SecretHeadersSchema } from "./schemas/header-fields.ts";
import { refineToolHeaders } from "./secret-headers.ts";
import { SharedStateSettingsSchema } from "./shared-state.ts";
import { StructuredSchemaSchema } from "./schemas/structured-schema.ts";
import { refineToolSchemas } from "./schemas/refine-tool-schemas.ts";

const parameters = z.record(z.string(), z.json()).default({});
/** Tokens that the model can read at once. */
const contextSize = z.number().int().positive().optional();

const credentialId = z.string().min(1).max(64).optional();

/** Where a model of provider `openai` is when its definition names no `base_url`. */
export const DEFAULT_OPENAI_BASE_URL = "https://api.openai.com/v1";

export const ModelSchema = z.discriminatedUnion("provider", [
  /** The embedded, deterministic model: no key, no network. */
  z.strictObject({
    provider: z.literal("scripted"),
    name: z.string().min(1).default("refund-desk"),
    parameters: z
      .strictObject({
        /** Pace of the stream; 0 sends as fast as it can. */
        tokens_per_second: z.number().min(0).max(10_000).default(0),
      })
      .prefault({}),
    context_size: contextSize,
  }),
  /** Any OpenAI-compatible chat completions endpoint. */
  z.strictObject({
    provider: z.literal("openai"),
    name: z.string().min(1),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    /** A credential of type `model`: sent as `Authorization: Bearer <secret>`. */
    credential_id: credentialId,
    parameters,
    context_size: contextSize,
    /** Milliseconds without a byte after which a call is given up and made again; heartbeats alone last longer. */
    stall_ms: z.number().int().min(MIN_MODEL_STALL_MS).max(MODEL_ANSWER_MS).optional(),
  }),
]);
export type ModelDefinition = z.infer<typeof ModelSchema>;

/** Model providers take these names and no others. `__proto__` gets lost where names are the keys of an object. */
export const ToolNameSchema = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
  message: "a tool's name is 1 to 64 letters, digits, _ and -, and not __proto__",
});

const waitingSeconds = z.number().int().min(1).max(MAX_WAITING_SECONDS);

const InputPointerSchema = z
  .string()
  .max(256)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { message: "a JSON pointer begins with /" });

const toolFlags = {
  /** Looks and changes nothing: runs without asking. */
  read_only: z.boolean().default(false),
  /** May run beside other calls of the same turn. */
  concurrency_safe: z.boolean().default(false),
  /** Doing it twice with the same key is doing it once. */
  idempotent: z.boolean().default(false),
  /** Changes files: mode `accept_edits` lets it inside the working directories. */
  edits_files: z.boolean().optional(),
  /** JSON pointer of the part of the input that rules with content look at. */
  rule_argument: InputPointerSchema.optional(),
  /** How they look at it; `exact` when left out. */
  rule_syntax: RuleSyntaxSchema.optional(),
  /** JSON pointers of what a person may change in an input before it runs; any part when left out, none when empty. */
  editable: z.array(InputPointerSchema).max(MAX_EDITABLE_POINTERS).optional(),
};

/** A tool that is a POST to the tenant's own server. */
export const HttpToolSchema = z.strictObject({
  type: z.literal("http"),
  name: ToolNameSchema,
  description: z.string().max(4_096).default(""),
  /** JSON Schema of the call's input: an object. */
  input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
  url: z.url({ protocol: /^https?$/ }),
  /** What describes the request itself (`content-type`, `idempotency-key`, `webhook-*` …) is not theirs to set. */
  headers: HeaderFieldsSchema.optional(),
  /** Credentials of type `tool` by the header that each secret is sent in, as it is. */
  secret_headers: SecretHeadersSchema.optional(),
  /** A credential of type `tool`: sent as `Authorization: Bearer <secret>`. */
  credential_id: credentialId,
  /** A credential whose secret is `whsec_…`: requests are then signed as Standard Webhooks are. */
  signing_credential_id: credentialId,
  timeout_ms: z.number().int().min(1).max(MAX_TOOL_TIMEOUT_MS).default(DEFAULT_TOOL_TIMEOUT_MS),
  max_bytes: z.number().int().min(1).max(MAX_TOOL_MAX_BYTES).default(DEFAULT_TOOL_MAX_BYTES),
  ...toolFlags,
});
export type HttpTool = z.infer<typeof HttpToolSchema>;

/** A tool that an app or a system outside runs: the call waits until somebody posts its result. */
export const ExternalToolSchema = z.strictObject({
  type: z.literal("external"),
  name: ToolNameSchema,
  description: z.string().max(4_096).default(""),
  /** JSON Schema of the call's input: an object. */
  input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
  /** Seconds after which a call without a result fails; it waits for ever when left out. */
  result_ttl: waitingSeconds.optional(),
  ...toolFlags,
});
export type ExternalTool = z.infer<typeof ExternalToolSchema>;

/** A function that was deployed with the platform; what it takes and does is said there. */
export const CodeToolSchema = z.strictObject({ type: z.literal("code"), name: ToolNameSchema });

export const ToolSchema = z.discriminatedUnion("type", [
  HttpToolSchema,
  ExternalToolSchema,
  CodeToolSchema,
]);
export type ToolDefinition = z.infer<typeof ToolSchema>;

const RESERVED_NAMES: readonly string[] = [STRUCTURED_OUTPUT_TOOL, UPDATE_SHARED_STATE_TOOL];

function isNoneReserved(tools: readonly { name: string }[]): boolean {
  return !tools.some((tool) => RESERVED_NAMES.includes(tool.name));
}

function areNamesUnique(tools: readonly { name: string }[]): boolean {
  return new Set(tools.map((tool) => tool.name)).size === tools.length;
}

function areSyntaxesPlaced(tools: readonly ToolDefinition[]): boolean {
  return tools.every(
    (tool) =>
      !("rule_syntax" in tool) ||
      tool.rule_syntax === undefined ||
      tool.rule_argument !== undefined,
  );
}

/** An agent's rule, with a content that is matched in bounded time. */
const RuleSchema = PermissionRuleSchema.strict().extend({
  rule_content: z.string().max(MAX_RULE_CHARACTERS).nullable(),
});

const definition = {
  name: NameSchema,
  system_prompt: z.string().max(200_000),
  model: ModelSchema,
  /** Tried in this order when `model` fails before it has said anything. */
  fallback_models: z.array(ModelSchema).max(MAX_FALLBACK_MODELS).optional(),
  tools: z
    .array(ToolSchema)
    .max(MAX_TOOLS)
    .refine(areNamesUnique, { message: "two tools have the same name" })
    .refine(areSyntaxesPlaced, { message: "a rule_syntax needs a rule_argument" })
    .refine(isNoneReserved, {
      message: `the names ${RESERVED_NAMES.join(", ")} are the platform's`,
    })
    .superRefine((tools, context) => refineToolSchemas(tools, "input_schema", context))
    .superRefine(refineToolHeaders),
  max_iters: z.number().int().min(1).max(MAX_MAX_ITERS),
  /** What one reply may use up; it then ends with an error. */
  budget: z
    .strictObject({
      /** Input and output tokens of its model calls together; looked at before each call. */
      max_tokens: z.number().int().min(1).max(MAX_REPLY_TOKENS).optional(),
      /** Seconds that it runs; waiting for people and systems outside does not count. */
      max_seconds: z.number().int().min(1).max(MAX_REPLY_SECONDS).optional(),
    })
    .optional(),
  permission: z.strictObject({
    mode: PermissionModeSchema.default("default"),
    rules: z.array(RuleSchema).max(MAX_RULES).default([]),
  }),
  /**
   * What becomes of a reply when a quota of the tenant is used up before it has come to its end: it ends with the error
   * `quota_exceeded`, or waits until there is room. It ends when left out.
   */
  on_limit: z.enum(["end", "park"]).optional(),
  /** Seconds that a person has to answer whether a call may run; a day when left out. */
  confirmation_ttl: waitingSeconds.optional(),
  /** What replies have to fill in when their request says nothing; null for a text. */
  structured_output: StructuredSchemaSchema.nullable().optional(),
  shared_state: SharedStateSettingsSchema.optional(),
  metadata: MetadataSchema,
};

export const AgentCreateSchema = z.strictObject({
  name: definition.name,
  system_prompt: definition.system_prompt.default(""),
  model: definition.model.default({
    provider: "scripted",
    name: "refund-desk",
    parameters: { tokens_per_second: 0 },
  }),
  fallback_models: definition.fallback_models,
  tools: definition.tools.default([]),
  max_iters: definition.max_iters.default(DEFAULT_MAX_ITERS),
  budget: definition.budget,
  on_limit: definition.on_limit,
  permission: definition.permission.default({ mode: "default", rules: [] }),
  confirmation_ttl: definition.confirmation_ttl,
  structured_output: definition.structured_output,
  shared_state: definition.shared_state,
  metadata: definition.metadata.default({}),
});
export type AgentDefinition = z.infer<typeof AgentCreateSchema>;

/** What is left out stays as it is. */
export const AgentUpdateSchema = z.strictObject(definition).partial();
export type AgentUpdate = z.infer<typeof AgentUpdateSchema>;

export type Agent = AgentDefinition & {
  readonly id: string;
  /** Counts from 1. */
  readonly version: number;
  readonly created_at: z.infer<typeof TimestampSchema>;
  readonly updated_at: z.infer<typeof TimestampSchema>;
};

/** What an agent was at one of its versions; never changes. */
export type AgentVersion = AgentDefinition & {
  readonly agent_id: string;
  readonly version: number;
  readonly created_at: z.infer<typeof TimestampSchema>;
};
