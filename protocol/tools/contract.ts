// The tools of an agent, or of one session: their kinds, and what all of them may say of themselves.
import * as z from "zod";

import { COMPRESS_CONTEXT_TOOL } from "../context/events.ts";
import { MAX_WAITING_SECONDS } from "../confirmations/limits.ts";
import {
  DEFAULT_TOOL_MAX_BYTES,
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_EDITABLE_POINTERS,
  MAX_TOOL_MAX_BYTES,
  MAX_TOOL_TIMEOUT_MS,
  MAX_TOOLS,
} from "./limits.ts";
import { RuleSyntaxSchema } from "../messages/permission.ts";
import { UPDATE_SHARED_STATE_TOOL } from "../shared-state/events.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../schemas/structured-output.ts";
import { READ_TOOL_RESULT_TOOL } from "./tool-result-reading.ts";
import { McpToolSchema, refineMcpTools } from "./mcp-tool.ts";
import { CredentialIdSchema } from "../models/contract.ts";
import { ConfirmationMessageSchema, refineConfirmationMessages } from "./confirmation-message.ts";
import { HeaderFieldsSchema, SecretHeadersSchema } from "../schemas/header-fields.ts";
import { refineToolSchemas } from "./refine-tool-schemas.ts";
import { refineToolHeaders } from "./secret-headers.ts";

/** With which the name of every tool of an MCP server begins. */
const MCP_NAME_PREFIX = "mcp__";

/** The tool names that model providers accept. `__proto__` is excluded because it is lost as an object key. */
export const ToolNameSchema = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
  message: "a tool's name is 1 to 64 letters, digits, _ and -, and not __proto__",
});

/** Seconds in which a person or an external system has to answer. */
export const WaitingSecondsSchema = z.number().int().min(1).max(MAX_WAITING_SECONDS);

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
  /** The tool's results are untrusted content, such as web pages and mails. */
  returns_untrusted: z.boolean().optional(),
  /** The tool lets something out or cannot be undone: once the model was sent an untrusted result, its calls ask. */
  sink: z.boolean().optional(),
  /** A successful result is the answer: the reply ends with it, without another model call. */
  return_direct: z.boolean().optional(),
  /**
   * The sentence with which a person is asked about a call, such as `Refund order {order_id}?`; placeholders name
   * members of the input. The platform's own sentence when left out.
   */
  confirmation_message: ConfirmationMessageSchema.optional(),
};

/** A tool that is a POST to the tenant's own server. */
export const HttpToolSchema = z
  .strictObject({
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
  })
  .meta({ id: "HttpTool", description: "A tool that is a POST to the tenant's own server." });
export type HttpTool = z.infer<typeof HttpToolSchema>;

/** A tool that an app or another system runs: the call waits until its result is posted. */
export const ExternalToolSchema = z
  .strictObject({
    type: z.literal("external"),
    name: ToolNameSchema,
    description: z.string().max(4_096).default(""),
    /** JSON Schema of the call's input: an object. */
    input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
    /** Seconds after which a call without a result fails; no timeout when left out. */
    result_ttl: WaitingSecondsSchema.optional(),
    ...toolFlags,
  })
  .meta({
    id: "ExternalTool",
    description:
      "A tool that an app or an external system runs: the call waits until its result is posted.",
  });
export type ExternalTool = z.infer<typeof ExternalToolSchema>;

/** A function deployed with the platform; its description and input schema come from the deployment. */
export const CodeToolReferenceSchema = z
  .strictObject({
    type: z.literal("code"),
    name: ToolNameSchema,
  })
  .meta({
    id: "CodeTool",
    description:
      "A function that was deployed with the platform. Its description, its schema and its flags are in the code.",
  });

/** A tool with a name of its own: all but an MCP server, and what a session may have beside its agent's. */
export const NamedToolSchema = z.discriminatedUnion("type", [
  HttpToolSchema,
  ExternalToolSchema,
  CodeToolReferenceSchema,
]);

export const ToolSchema = z
  .discriminatedUnion("type", [
    HttpToolSchema,
    ExternalToolSchema,
    CodeToolReferenceSchema,
    McpToolSchema,
  ])
  .meta({ id: "Tool" });
export type ToolDefinition = z.infer<typeof ToolSchema>;
export type ToolKind = ToolDefinition["type"];
export type ToolOfKind<Kind extends ToolKind> = Extract<ToolDefinition, { readonly type: Kind }>;

/** The names that the definition itself gives; an MCP server names its tools when a reply begins. */
export function namesOfTools(tools: readonly ToolDefinition[]): readonly string[] {
  return tools.flatMap((tool) => (tool.type === "mcp" ? [] : [tool.name]));
}

/** Whether a reply may have a tool of this name: what MCP servers offer is known when it begins. */
export function mayHaveTool(tools: readonly ToolDefinition[], name: string): boolean {
  return namesOfTools(tools).includes(name) || mayBeOfServer(tools, name);
}

/** Whether it is the name of a tool of one of the agent's MCP servers, as far as is known. */
export function mayBeOfServer(tools: readonly ToolDefinition[], name: string): boolean {
  return name.startsWith(MCP_NAME_PREFIX) && tools.some(({ type }) => type === "mcp");
}

/** Names of tools that the platform may give to any agent. */
export const RESERVED_TOOL_NAMES: readonly string[] = [
  STRUCTURED_OUTPUT_TOOL,
  UPDATE_SHARED_STATE_TOOL,
  READ_TOOL_RESULT_TOOL,
  COMPRESS_CONTEXT_TOOL,
];

function isNoneReserved(tools: readonly ToolDefinition[]): boolean {
  return !namesOfTools(tools).some((name) => RESERVED_TOOL_NAMES.includes(name));
}

function areToolNamesUnique(tools: readonly ToolDefinition[]): boolean {
  const names = namesOfTools(tools);
  return new Set(names).size === names.length;
}

export function areNamesUnique(named: readonly { name: string }[]): boolean {
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

/** The tools of an agent. */
export const ToolsSchema = z
  .array(ToolSchema)
  .max(MAX_TOOLS)
  .refine(areToolNamesUnique, { message: "two tools have the same name" })
  .refine(areSyntaxesPlaced, { message: "a rule_syntax needs a rule_argument" })
  .refine(isNoneReserved, {
    message: `the names ${RESERVED_TOOL_NAMES.join(", ")} are the platform's`,
  })
  .superRefine((tools, context) => refineToolSchemas(tools, "input_schema", context))
  .superRefine(refineConfirmationMessages)
  .superRefine(refineToolHeaders)
  .superRefine(refineMcpTools);
