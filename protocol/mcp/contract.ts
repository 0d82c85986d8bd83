// MCP servers: others' tools over streamable HTTP, which agents name and which can be called one by one.
import * as z from "zod";

import { MAX_MCP_SERVER_NAME_CHARACTERS, MAX_MCP_TOOL_NAME_CHARACTERS } from "./limits.ts";
import {
  DEFAULT_TOOL_MAX_BYTES,
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_TOOL_MAX_BYTES,
  MAX_TOOL_TIMEOUT_MS,
} from "../tools/limits.ts";
import { CredentialIdSchema } from "../models/contract.ts";
import { HeaderFieldsSchema, SecretHeadersSchema } from "../schemas/header-fields.ts";
import { TimestampSchema, pageOf } from "../schemas/common.ts";
import { refineHeaderFields } from "../tools/secret-headers.ts";
import { McpToolUiSchema } from "./mcp-ui.ts";
import { McpOAuthSchema } from "./mcp-oauth.ts";

const NOT_HERE =
  "is not on this platform: MCP servers are reached over streamable HTTP; put a bridge in front of one that speaks stdio or the old HTTP+SSE";

/** A part of its tools' names (`mcp__<name>__<tool>`), so two underscores in a row would be ambiguous. */
export const McpServerNameSchema = z
  .string()
  .max(MAX_MCP_SERVER_NAME_CHARACTERS)
  .regex(/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/, {
    message: `a server's name is 1 to ${MAX_MCP_SERVER_NAME_CHARACTERS} letters and digits, with single _ and - between them`,
  });

const definition = {
  name: McpServerNameSchema,
  /** The one that there is; a server over stdio, or over the old HTTP+SSE, is refused by name. */
  transport: z.literal("streamable_http", {
    error: ({ input }) => `${typeof input === "string" ? input.slice(0, 40) : "this"} ${NOT_HERE}`,
  }),
  url: z.url({ protocol: /^https?$/ }),
  /** Sent with every request, beside the protocol's own. */
  headers: HeaderFieldsSchema.optional(),
  /** Credential ids (type `tool`) by header name. */
  secret_headers: SecretHeadersSchema.optional(),
  /** A credential of type `tool`: sent as `Authorization: Bearer <secret>`. */
  credential_id: CredentialIdSchema,
  /** Signs in with OAuth; its tokens are sent as `Authorization: Bearer`. */
  oauth: McpOAuthSchema.optional(),
  /**
   * The server keeps state for each of its sessions: a session of the platform then keeps one `Mcp-Session-Id` over all
   * of its replies. Else each reply begins anew.
   */
  stateful: z.boolean(),
  /** Milliseconds without an answer or progress after which a call fails. */
  timeout_ms: z.number().int().min(1).max(MAX_TOOL_TIMEOUT_MS),
  /** Bytes of one answer. */
  max_bytes: z.number().int().min(1).max(MAX_TOOL_MAX_BYTES),
};

interface Headers {
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly secret_headers?: Readonly<Record<string, string>> | null;
  readonly credential_id?: string | null;
  readonly oauth?: unknown;
}

function refineHeaders(server: Headers, context: z.RefinementCtx): void {
  const isOwnHeader = (header: string) => header.toLowerCase() === "authorization";
  const named = [...Object.keys(server.headers ?? {}), ...Object.keys(server.secret_headers ?? {})];
  if (server.oauth && (server.credential_id != null || named.some(isOwnHeader))) {
    const message = "the server gets the tokens of OAuth, or another Authorization: one of them";
    context.addIssue({ code: "custom", path: ["oauth"], message });
  }
  refineHeaderFields(server, (field, header, message) =>
    context.addIssue({ code: "custom", path: [field, header], message }),
  );
  for (const field of ["headers", "secret_headers"] as const) {
    for (const header of Object.keys(server[field] ?? {})) {
      if (!/^(?:accept|last-event-id|mcp-.*)$/i.test(header)) continue;
      const message = "this header belongs to the protocol, and the platform sets it itself";
      context.addIssue({ code: "custom", path: [field, header], message });
    }
  }
}

export const McpServerCreateSchema = z
  .strictObject({
    ...definition,
    transport: definition.transport.default("streamable_http"),
    stateful: definition.stateful.default(false),
    timeout_ms: definition.timeout_ms.default(DEFAULT_TOOL_TIMEOUT_MS),
    max_bytes: definition.max_bytes.default(DEFAULT_TOOL_MAX_BYTES),
  })
  .superRefine(refineHeaders)
  .meta({ id: "McpServerCreate", description: "A new server." });
export type McpServerDefinition = z.infer<typeof McpServerCreateSchema>;

/** Members that are left out stay unchanged; null takes away a credential, headers or OAuth. */
export const McpServerUpdateSchema = z
  .strictObject({
    ...definition,
    headers: HeaderFieldsSchema.nullable(),
    secret_headers: SecretHeadersSchema.nullable(),
    credential_id: z.string().min(1).max(64).nullable(),
    oauth: McpOAuthSchema.nullable(),
  })
  .partial()
  .meta({ id: "McpServerUpdate", description: "Members that are left out do not change." });
export type McpServerUpdate = z.infer<typeof McpServerUpdateSchema>;

/** The whole definition after an update: what it does not allow together is found only then. */
export const McpServerDefinitionSchema = z.strictObject(definition).superRefine(refineHeaders);

export const McpServerSchema = z
  .object({
    id: z.string(),
    ...definition,
    /** Counts the changes of its settings, from 1. */
    version: z.number().int().positive(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "McpServer", description: "A server of the Model Context Protocol." });
export type McpServer = z.infer<typeof McpServerSchema>;

/**
 * Annotations of a tool by its server. Nobody vouches for them: they decide nothing unless an agent trusts them.
 * @public
 */
export const McpAnnotationsSchema = z.object({
  read_only: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  open_world: z.boolean().optional(),
});
export type McpAnnotations = z.infer<typeof McpAnnotationsSchema>;

/** @public */
export const McpCatalogueToolSchema = z.object({
  /** The server's own name of it. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  annotations: McpAnnotationsSchema,
  /** Of its page; left out when it has none, and everybody may call it. */
  ui: McpToolUiSchema.optional(),
  /** Whether calls may be, or have to be, tasks (2025-11-25); left out when they cannot. */
  task_support: z.enum(["optional", "required"]).optional(),
  /** The reason that no model is offered the tool; null for a tool that can be called. */
  disabled_reason: z.string().nullable(),
});
export type McpCatalogueTool = z.infer<typeof McpCatalogueToolSchema>;

/**
 * The reason that a catalogue is not whole: more than 256 tools; more bytes than one may have; or pages that go on
 * without end or lead back to an earlier one.
 * @public
 */
export const CatalogueCutSchema = z.enum(["too_many", "too_large", "endless"]);
export type CatalogueCut = z.infer<typeof CatalogueCutSchema>;

/** @public */
export const McpLeftOutSchema = z
  .object({
    reason: CatalogueCutSchema,
    /** Tools that were read and are not in the list. */
    tools: z.number().int().nonnegative(),
    /** The server lists more than was read. */
    has_more: z.boolean(),
    /** An explanation of the reason, and what to do about it. */
    detail: z.string(),
  })
  .meta({ id: "McpLeftOut", description: "What a catalogue lacks of its server's own list." });
export type McpLeftOut = z.infer<typeof McpLeftOutSchema>;

export const McpToolListSchema = z
  .object({
    server_id: z.string(),
    /** The version of the protocol in which the server answered. */
    protocol_version: z.string(),
    data: z.array(
      McpCatalogueToolSchema.extend({
        /** The name under which a model knows it, and rules name it. */
        tool_name: z.string(),
      }),
    ),
    /** Tools that the server lists and `data` lacks; null for a whole list. */
    left_out: McpLeftOutSchema.nullable(),
    /** When the server was asked, and until when the answer is used. */
    read_at: TimestampSchema,
    expires_at: TimestampSchema,
  })
  .meta({ id: "McpToolList", description: "A server's catalogue." });
export type McpToolList = z.infer<typeof McpToolListSchema>;

export const McpToolListQuerySchema = z.strictObject({
  /** `true` asks the server, whatever was kept: its list, or that it could not be read a moment ago. */
  refresh: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
  /** With whose grant, where end users sign in themselves. */
  end_user_id: z.string().min(1).max(200).optional(),
});

export const McpToolCallSchema = z
  .strictObject({
    /** The tool's arguments. */
    input: z.record(z.string().max(MAX_MCP_TOOL_NAME_CHARACTERS), z.json()).default({}),
    /** With whose grant, where end users sign in themselves. */
    end_user_id: z.string().min(1).max(200).optional(),
  })
  .meta({ id: "McpToolCall", description: "The arguments of a call." });
export type McpToolCall = z.input<typeof McpToolCallSchema>;

/** @public */
export const McpContentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("data"),
    source: z.object({
      type: z.literal("base64"),
      media_type: z.string(),
      data: z.string(),
    }),
  }),
]);
export type McpContent = z.infer<typeof McpContentSchema>;

export const McpToolResultSchema = z
  .object({
    server_id: z.string(),
    /** The server's own name of the tool. */
    name: z.string(),
    /** `error` when the tool, or the server, says that it failed. */
    state: z.enum(["success", "error"]),
    content: z.array(McpContentSchema),
    /** The result for programs, beside the content; null when there is none. */
    structured_content: z.unknown(),
    duration_ms: z.number().int().nonnegative(),
  })
  .meta({ id: "McpToolResult", description: "What a tool gave." });
export type McpToolResult = z.infer<typeof McpToolResultSchema>;

export const McpServerPageSchema = pageOf(McpServerSchema).meta({ id: "McpServerPage" });
