// The tool that a refusal is about. Providers refuse a whole request for one schema that they do not take: without that
// tool the others continue.
import type { ToolDeclaration } from "../../agent/ports.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../protocol/schemas/structured-output.ts";
import type { Adaptation } from "../stream/adapted-requests.ts";
import { toFunctionName } from "./wire-names.ts";

/** Words with a tool's name, or its place among those that were sent. */
const NAMED = [
  // OpenAI, and those who speak like it
  /invalid schema for (?:function|tool) ['"`]?([\w.-]+)/i,
  // Mistral, Bedrock, Cohere
  /(?:schema|parameters?|definition)[^.\n]{0,40} (?:of|for|in) (?:the )?(?:function|tool) ['"`]?([\w.-]+)/i,
  /(?:function|tool) ['"`]([\w.-]+)['"`][^\n]{0,80}(?:schema|parameters|properties)/i,
];
const PLACED = [
  // Google: one tool with many declarations
  /function_?declarations\[(\d+)\]/i,
  // Anthropic (`tools.3.custom.input_schema`), OpenAI (`tools[3].function.parameters`), FastAPI (`"tools",3,`)
  /tools(?:\.|\[|",\s*)(\d+)[\].,]/i,
];
const ABOUT_TOOLS = /schema|parameters|properties|items|oneOf|anyOf|function|input/i;

/** Without the tool that the refusal is about; one that has to be called stays: nothing would continue without it. */
export const withoutRefusedTool: Adaptation = (
  { status, words },
  { request: { tools, tool_choice, options }, form },
) => {
  if (status !== 400 && status !== 422) return null;
  const offered = acceptedTools(tools, form);
  const name = refusedTool(words, offered);
  const chosen = options?.tool_choice;
  const needed = [
    STRUCTURED_OUTPUT_TOOL,
    tool_choice,
    typeof chosen === "object" ? chosen.name : undefined,
  ];
  if (name === null || needed.includes(name)) return null;
  return { left_out_tools: [...(form.left_out_tools ?? []), name] };
};

function refusedTool(words: string, offered: readonly ToolDeclaration[]): string | null {
  for (const pattern of NAMED) {
    const named = pattern.exec(words)?.[1]?.replace(/\.+$/, "");
    const tool = offered.find(({ name }) => toFunctionName(name) === named);
    if (tool) return tool.name;
  }
  if (!ABOUT_TOOLS.test(words)) return null;
  for (const pattern of PLACED) {
    const place = pattern.exec(words)?.[1];
    const tool = place === undefined ? undefined : offered[Number(place)];
    if (tool) return tool.name;
  }
  return null;
}

/** The tools of a request, without those that its endpoint refuses. */
export function acceptedTools(
  tools: readonly ToolDeclaration[],
  { left_out_tools = [] }: RequestForm,
): readonly ToolDeclaration[] {
  return left_out_tools.length === 0
    ? tools
    : tools.filter(({ name }) => !left_out_tools.includes(name));
}
