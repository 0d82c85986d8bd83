// Checks the input schemas of tools in agents and AG-UI runs when they are written, so that no call fails on them
// later. Schemas stored before this check are checked when used.
import type * as z from "zod";

import { MAX_TOOL_SCHEMA_BYTES } from "../schemas/limits.ts";
import { fewPropertyNames } from "../pattern/few-property-names.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { findSchemaProblem } from "../schemas/find-schema-problem.ts";
import { withoutNullKeywords } from "../schemas/without-null-keywords.ts";

type ToolSchema = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Adds an issue for each schema that cannot be used; its text says where within.
 * @param member The member of a tool that holds its schema.
 */
export function refineToolSchemas<Tool extends object>(
  tools: readonly Tool[],
  member: "input_schema" | "parameters",
  context: z.RefinementCtx,
): void {
  const knowsProperty = fewPropertyNames();
  for (const [index, tool] of tools.entries()) {
    const given = member in tool ? (tool as Record<string, ToolSchema>)[member] : null;
    // Schemas of a client come from any generator, as a server's do.
    const schema = given && member === "parameters" ? withoutNullKeywords(given) : given;
    const message = schema && findProblem(schema, knowsProperty);
    if (message) context.addIssue({ code: "custom", path: [index, member], message });
  }
}

function findProblem(
  schema: Readonly<Record<string, unknown>>,
  knowsProperty: (name: string) => boolean,
): string | null {
  if (utf8Bytes(JSON.stringify(schema)) > MAX_TOOL_SCHEMA_BYTES) {
    return `the schema may take ${MAX_TOOL_SCHEMA_BYTES} bytes as JSON at most`;
  }
  const problem = findSchemaProblem(schema, { isOfTool: true, knowsProperty });
  return problem === null ? null : `the schema cannot be used: ${problem}`;
}
