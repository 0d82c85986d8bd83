// The tools of an agent, or of one session. Each kind has a file of its own; the list of kinds is here.
import * as z from "zod";

import { REMOTE_QUESTION_TOOL } from "../a2a/remote-conversation.ts";
import { COMPRESS_CONTEXT_TOOL } from "../context/events.ts";
import { A2aToolSchema } from "./a2a-tool.ts";
import { AgentToolSchema } from "./agent-tool.ts";
import { CodeToolReferenceSchema } from "./code-tool.ts";
import { refineConfirmationMessages } from "./confirmation-message.ts";
import { ExternalToolSchema } from "./external-tool.ts";
import { HttpToolSchema } from "./http-tool.ts";
import { MAX_TOOLS } from "./limits.ts";
import { UPDATE_SHARED_STATE_TOOL } from "../shared-state/events.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../schemas/structured-output.ts";
import { READ_TOOL_RESULT_TOOL } from "./tool-result-reading.ts";
import { McpToolSchema, refineMcpTools } from "./mcp-tool.ts";
import { refineBackground } from "./refine-background.ts";
import { refineToolSchemas } from "./refine-tool-schemas.ts";
import { refineToolHeaders } from "./secret-headers.ts";

/** With which the name of every tool of an MCP server begins. */
/** The beginning of the names that tools of MCP servers have for a model. */
export const MCP_NAME_PREFIX = "mcp__";

/** Kinds of tools with a name of their own, of which a session may have some beside its agent's. */
const NAMED_TOOLS = [
  HttpToolSchema,
  ExternalToolSchema,
  CodeToolReferenceSchema,
  AgentToolSchema,
  A2aToolSchema,
] as const;
export const NamedToolSchema = z.discriminatedUnion("type", NAMED_TOOLS);

/** All kinds of tools. */
export const ToolSchema = z
  .discriminatedUnion("type", [...NAMED_TOOLS, McpToolSchema])
  .meta({ id: "Tool" });
export type ToolDefinition = z.infer<typeof ToolSchema>;
/** The `type` of each kind, in the order of the list. */
export const TOOL_TYPES = ToolSchema.options.map(({ shape }) => shape.type.value);
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
  REMOTE_QUESTION_TOOL,
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
  .superRefine(refineBackground)
  .superRefine(refineToolHeaders)
  .superRefine(refineMcpTools);
