// Agent definitions. A PATCH creates a new version; a session keeps the version that it was opened with, unless it
// follows the latest.
import { z } from "zod";

import { MAX_WAITING_SECONDS } from "../limits/answers.ts";
import { MAX_ALLOWED_MODELS, MAX_FALLBACK_MODELS } from "../limits/models.ts";
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
import { COMPRESS_CONTEXT_TOOL } from "../context-compression.ts";
import { UPDATE_SHARED_STATE_TOOL } from "../shared-state.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../structured-output.ts";
import { MetadataSchema, NameSchema, type TimestampSchema } from "./schemas/common.ts";
import {
  ConfirmationMessageSchema,
  refineConfirmationMessages,
} from "./schemas/confirmation-message.ts";
import { HeaderFieldsSchema, SecretHeadersSchema } from "./schemas/header-fields.ts";
import { refineToolHeaders } from "./secret-headers.ts";
import { READ_TOOL_RESULT_TOOL } from "../tool-result-reading.ts";
import { ContextSettingsSchema } from "./context.ts";
import { CredentialIdSchema, ModelSchema } from "./models.ts";
import { SharedStateSettingsSchema } from "./shared-state.ts";
import { OnInterruptSchema } from "./schemas/on-interrupt.ts";
import { StructuredSchemaSchema } from "./schemas/structured-schema.ts";
import { refineToolSchemas } from "./schemas/refine-tool-schemas.ts";

/** The tool names that model providers accept. `__proto__` is excluded because it is lost as an object key. */
export const ToolNameSchema = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
  message: "a tool's name is 1 to 64 letters, digits, _ and -, and not __proto__",
});

const waitingSeconds = z.number().int().min(1).max(MAX_WAITING_SECONDS);

const InputPointerSchema = z
  .string()
  .max(256)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { message: "a JSON pointer begins with /" });

const toolFlags = {
  /** Has no side effects: runs without a confirmation. */
  read_only: z.boolean().default(false),
  /** May run in parallel with other calls of the same turn. */
  concurrency_safe: z.boolean().default(false),
  /** Safe to repeat with the same idempotency key. */
  idempotent: z.boolean().default(false),
  /** Changes files: mode `accept_edits` allows it within the working directories. */
  edits_files: z.boolean().optional(),
  /** JSON pointer of the input member that a rule's content is matched against. */
  rule_argument: InputPointerSchema.optional(),
  /** The matching syntax of those rules; `exact` when left out. */
  rule_syntax: RuleSyntaxSchema.optional(),
  /**
   * JSON pointers of the input members that a person may edit before the call runs; all when left out, none when empty.
   */
  editable: z.array(InputPointerSchema).max(MAX_EDITABLE_POINTERS).optional(),
  /** A successful result is the answer: the reply ends with it, without another model call. */
  return_direct: z.boolean().optional(),
  /**
   * The sentence with which a person is asked about a call, such as `Refund order {order_id}?`; placeholders name
   * members of the input. The platform's own sentence when left out.
   */
  confirmation_message: ConfirmationMessageSchema.optional(),
};

/** A tool that is a POST to the tenant's own server. */
export const HttpToolSchema = z.strictObject({
  type: z.literal("http"),
  name: ToolNameSchema,
  description: z.string().max(4_096).default(""),
  /** JSON Schema of the call's input: an object. */
  input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
  url: z.url({ protocol: /^https?$/ }),
  /** Address that a check of the agent sends a GET to, in place of OPTIONS to `url`. It must not run the tool. */
  check_url: z.url({ protocol: /^https?$/ }).optional(),
  /** Headers that the platform sets itself (`content-type`, `idempotency-key`, `webhook-*` …) are refused. */
  headers: HeaderFieldsSchema.optional(),
  /** Credential ids (type `tool`) by header name; each secret is sent unchanged as that header's value. */
  secret_headers: SecretHeadersSchema.optional(),
  /** A credential of type `tool`: sent as `Authorization: Bearer <secret>`. */
  credential_id: CredentialIdSchema,
  /** A credential whose secret is `whsec_…`: requests are signed as in Standard Webhooks. */
  signing_credential_id: CredentialIdSchema,
  timeout_ms: z.number().int().min(1).max(MAX_TOOL_TIMEOUT_MS).default(DEFAULT_TOOL_TIMEOUT_MS),
  max_bytes: z.number().int().min(1).max(MAX_TOOL_MAX_BYTES).default(DEFAULT_TOOL_MAX_BYTES),
  ...toolFlags,
});
export type HttpTool = z.infer<typeof HttpToolSchema>;

/** A tool that an app or another system runs: the call waits until its result is posted. */
export const ExternalToolSchema = z.strictObject({
  type: z.literal("external"),
  name: ToolNameSchema,
  description: z.string().max(4_096).default(""),
  /** JSON Schema of the call's input: an object. */
  input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
  /** Seconds after which a call without a result fails; no timeout when left out. */
  result_ttl: waitingSeconds.optional(),
  ...toolFlags,
});
export type ExternalTool = z.infer<typeof ExternalToolSchema>;

/** A function deployed with the platform; its description and input schema come from the deployment. */
export const CodeToolSchema = z.strictObject({ type: z.literal("code"), name: ToolNameSchema });

export const ToolSchema = z.discriminatedUnion("type", [
  HttpToolSchema,
  ExternalToolSchema,
  CodeToolSchema,
]);
export type ToolDefinition = z.infer<typeof ToolSchema>;

const RESERVED_NAMES: readonly string[] = [
  STRUCTURED_OUTPUT_TOOL,
  UPDATE_SHARED_STATE_TOOL,
  READ_TOOL_RESULT_TOOL,
  COMPRESS_CONTEXT_TOOL,
];

function isNoneReserved(tools: readonly { name: string }[]): boolean {
  return !tools.some((tool) => RESERVED_NAMES.includes(tool.name));
}

function areNamesUnique(named: readonly { name: string }[]): boolean {
  return new Set(named.map(({ name }) => name)).size === named.length;
}

function areSyntaxesPlaced(tools: readonly ToolDefinition[]): boolean {
  return tools.every(
    (tool) =>
      !("rule_syntax" in tool) ||
      tool.rule_syntax === undefined ||
      tool.rule_argument !== undefined,
  );
}

/**
 * A permission rule of the agent, stored with all four members. The length of its content is bounded so that matching
 * takes bounded time.
 */
const RuleSchema = PermissionRuleSchema.strict().extend({
  rule_content: z.string().max(MAX_RULE_CHARACTERS).nullable().default(null),
  source: z.string().default("agent"),
});

const definition = {
  name: NameSchema,
  system_prompt: z.string().max(200_000),
  model: ModelSchema,
  /** Fallbacks, tried in this order when `model` fails before its first output. */
  fallback_models: z.array(ModelSchema).max(MAX_FALLBACK_MODELS).optional(),
  /** Further models that a reply may ask for by `name`, beside `model` and the fallbacks. */
  allowed_models: z
    .array(ModelSchema)
    .max(MAX_ALLOWED_MODELS)
    .refine(areNamesUnique, { message: "two models have the same name" })
    .optional(),
  tools: z
    .array(ToolSchema)
    .max(MAX_TOOLS)
    .refine(areNamesUnique, { message: "two tools have the same name" })
    .refine(areSyntaxesPlaced, { message: "a rule_syntax needs a rule_argument" })
    .refine(isNoneReserved, {
      message: `the names ${RESERVED_NAMES.join(", ")} are the platform's`,
    })
    .superRefine((tools, context) => refineToolSchemas(tools, "input_schema", context))
    .superRefine(refineConfirmationMessages)
    .superRefine(refineToolHeaders),
  max_iters: z.number().int().min(1).max(MAX_MAX_ITERS),
  /**
   * What follows the last round of a reply that has no answer yet: `summarize` lets the model say what was done, in one
   * more call without tools. `stop` when left out.
   */
  on_max_iters: z.enum(["stop", "summarize"]).optional(),
  /** What a reply says after a user has interrupted it; nothing when left out. */
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
  }),
  /**
   * What happens when a quota of the tenant runs out during a reply: `end` ends it with the error `quota_exceeded`,
   * `park` suspends it until there is room. `end` when left out.
   */
  on_limit: z.enum(["end", "park"]).optional(),
  /** Seconds until a confirmation request expires; a day when left out. */
  confirmation_ttl: waitingSeconds.optional(),
  /** Default output schema of replies whose request sets none; null means plain text. */
  structured_output: StructuredSchemaSchema.nullable().optional(),
  shared_state: SharedStateSettingsSchema.optional(),
  /** What the model is sent of a conversation. */
  context: ContextSettingsSchema.optional(),
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
  allowed_models: definition.allowed_models,
  tools: definition.tools.default([]),
  max_iters: definition.max_iters.default(DEFAULT_MAX_ITERS),
  on_max_iters: definition.on_max_iters,
  on_interrupt: definition.on_interrupt,
  budget: definition.budget,
  on_limit: definition.on_limit,
  permission: definition.permission.default({ mode: "default", rules: [] }),
  confirmation_ttl: definition.confirmation_ttl,
  structured_output: definition.structured_output,
  shared_state: definition.shared_state,
  context: definition.context,
  metadata: definition.metadata.default({}),
});
export type AgentDefinition = z.infer<typeof AgentCreateSchema>;

/** Of a request that writes an agent. Strict, so that a misspelled parameter writes nothing. */
export const AgentWriteQuerySchema = z.strictObject({
  /** `true` checks the request as it would be checked, and writes nothing. */
  validate_only: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
});

/** Members that are left out stay unchanged. */
export const AgentUpdateSchema = z.strictObject(definition).partial();
export type AgentUpdate = z.infer<typeof AgentUpdateSchema>;

export type Agent = AgentDefinition & {
  readonly id: string;
  /** Counts from 1. */
  readonly version: number;
  readonly created_at: z.infer<typeof TimestampSchema>;
  readonly updated_at: z.infer<typeof TimestampSchema>;
};

/** One immutable version of an agent. */
export type AgentVersion = AgentDefinition & {
  readonly agent_id: string;
  readonly version: number;
  readonly created_at: z.infer<typeof TimestampSchema>;
};
