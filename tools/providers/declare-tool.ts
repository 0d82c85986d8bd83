import type { ToolDeclaration } from "../../agent/ports.ts";
import type { ExternalTool } from "../../protocol/tools/external-tool.ts";
import type { HttpTool } from "../../protocol/tools/http-tool.ts";

/** The loop's declaration of a tool that an agent's definition describes. */
export function declareTool(tool: HttpTool | ExternalTool): ToolDeclaration {
  const { name, description, input_schema, read_only, concurrency_safe, idempotent } = tool;
  const { edits_files, return_direct, rule_argument, rule_syntax, editable, confirmation_message } =
    tool;
  const { returns_untrusted, sink } = tool;
  const trust = { returns_untrusted, sink };
  const flags = { read_only, concurrency_safe, idempotent, edits_files, return_direct, ...trust };
  const people = { rule_argument, rule_syntax, editable, confirmation_message };
  return { name, description, input_schema, ...flags, ...people };
}
