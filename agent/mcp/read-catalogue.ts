// Reads the tools that an MCP server lists. What cannot be used of it disables one tool, and never the server.
import type { McpAnnotations, McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import { findSchemaProblem } from "../../protocol/schemas/find-schema-problem.ts";
import { withoutNullKeywords } from "../../protocol/schemas/without-null-keywords.ts";
import {
  MAX_MCP_CATALOGUE_BYTES,
  MAX_MCP_DESCRIPTION_CHARACTERS,
  MAX_MCP_TOOL_NAME_CHARACTERS,
  MAX_MCP_TOOLS,
} from "../../protocol/mcp/limits.ts";
import { MAX_TOOL_SCHEMA_BYTES } from "../../protocol/schemas/limits.ts";
import { findParamHeaders } from "../../protocol/mcp/param-headers.ts";
import type { McpEra } from "../../protocol/mcp/versions.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { readToolUi } from "./read-tool-ui.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Characters that are shown of a name that is too long. */
const CUT_NAME_CHARACTERS = MAX_MCP_TOOL_NAME_CHARACTERS - 1;
/** In place of a schema that cannot be used, which might be large. */
const NO_SCHEMA = { type: "object" };

/**
 * The tools in the server's order, without those that have no name, or the name of an earlier one, and without those
 * beyond the bounds of a catalogue.
 */
export function readCatalogue(
  listed: readonly unknown[],
  era: McpEra,
): readonly McpCatalogueTool[] {
  const tools = new Map<string, McpCatalogueTool>();
  let room = MAX_MCP_CATALOGUE_BYTES;
  for (const one of listed) {
    const tool = isJsonObject(one) ? readTool(one, era) : null;
    if (!tool || tools.has(tool.name)) continue;
    room -= utf8Bytes(JSON.stringify(tool));
    if (room < 0 || tools.size === MAX_MCP_TOOLS) break;
    tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** The names in a list, each once: a catalogue that has fewer tools leaves some out. */
export function countListed(listed: readonly unknown[]): number {
  const names = new Set<string>();
  for (const one of listed) if (isJsonObject(one) && isName(one["name"])) names.add(one["name"]);
  return names.size;
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name !== "";
}

function readTool(tool: Fields, era: McpEra): McpCatalogueTool | null {
  const { name, title, description, inputSchema, outputSchema } = tool;
  if (!isName(name)) return null;
  const isTooLong = name.length > MAX_MCP_TOOL_NAME_CHARACTERS;
  const input_schema = isJsonObject(inputSchema) ? readInputSchema(inputSchema) : null;
  const disabled_reason = isTooLong
    ? `its name is longer than ${MAX_MCP_TOOL_NAME_CHARACTERS} characters`
    : findProblem(input_schema, era);
  const output_schema = usableSchema(outputSchema);
  const ui = readToolUi(tool["_meta"]);
  return {
    name: isTooLong ? `${name.slice(0, CUT_NAME_CHARACTERS)}…` : name,
    ...(typeof title === "string" && { title: title.slice(0, MAX_MCP_TOOL_NAME_CHARACTERS) }),
    description:
      typeof description === "string" ? description.slice(0, MAX_MCP_DESCRIPTION_CHARACTERS) : "",
    input_schema: disabled_reason === null && input_schema ? input_schema : NO_SCHEMA,
    ...(output_schema && { output_schema }),
    annotations: readAnnotations(tool["annotations"]),
    ...(ui && { ui }),
    ...readTaskSupport(tool["execution"]),
    disabled_reason,
  };
}

/** A type that also allows null, or that is not said, is that of an object: a call has no input of another one. */
function readInputSchema(given: Fields): Fields {
  const schema = withoutNullKeywords(given);
  const { type } = schema;
  if (type === undefined) return { type: "object", ...schema };
  const isAlsoObject = Array.isArray(type) && (type as readonly unknown[]).includes("object");
  return isAlsoObject ? { ...schema, type: "object" } : schema;
}

/** The reason that the tool cannot be offered; null for one that can. */
function findProblem(schema: Fields | null, era: McpEra): string | null {
  if (!schema) return "it has no input schema";
  if (schema["type"] !== "object") return "its input schema is not that of an object";
  if (utf8Bytes(JSON.stringify(schema)) > MAX_TOOL_SCHEMA_BYTES) {
    return `its input schema is larger than ${MAX_TOOL_SCHEMA_BYTES} bytes`;
  }
  const problem = findSchemaProblem(schema, { isOfTool: true });
  if (problem !== null) return `its input schema cannot be used: ${problem.slice(0, 200)}`;
  if (era === "legacy") return null;
  const headers = findParamHeaders(schema);
  return headers.ok ? null : headers.problem;
}

/** Null for a schema that cannot be used: results are then not checked against it. */
function usableSchema(schema: unknown): Fields | null {
  if (!isJsonObject(schema) || utf8Bytes(JSON.stringify(schema)) > MAX_TOOL_SCHEMA_BYTES)
    return null;
  const usable = withoutNullKeywords(schema);
  return findSchemaProblem(usable, { isOfTool: true }) === null ? usable : null;
}

function readAnnotations(annotations: unknown): McpAnnotations {
  if (!isJsonObject(annotations)) return {};
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(typeof readOnlyHint === "boolean" && { read_only: readOnlyHint }),
    ...(typeof destructiveHint === "boolean" && { destructive: destructiveHint }),
    ...(typeof idempotentHint === "boolean" && { idempotent: idempotentHint }),
    ...(typeof openWorldHint === "boolean" && { open_world: openWorldHint }),
  };
}

function readTaskSupport(execution: unknown): Pick<McpCatalogueTool, "task_support"> {
  const support = isJsonObject(execution) ? execution["taskSupport"] : undefined;
  return support === "optional" || support === "required" ? { task_support: support } : {};
}
