// The kinds of tools that agents name in their definitions.
import type { StopSignal } from "../agent/ports.ts";
import type { ToolDefinition, ToolKind, ToolOfKind } from "../protocol/tools/contract.ts";
import { A2A_KIND } from "./providers/a2a-tools.ts";
import { AGENT_KIND } from "./providers/agent-tools.ts";
import { CODE_KIND } from "./providers/deployed-tools.ts";
import { EXTERNAL_KIND } from "./providers/external-tools.ts";
import { HTTP_KIND } from "./providers/http-tools.ts";
import { MCP_KIND } from "./providers/mcp-tools.ts";
import type { CheckAccess, ToolFinding, ToolKindOf, ToolSources } from "./tool-kind.ts";
import type { ToolProvider } from "./tool-provider.ts";

/** In the order in which providers are asked: the first one that has a name wins. */
export const TOOL_KINDS: { readonly [Kind in ToolKind]: ToolKindOf<Kind> } = {
  http: HTTP_KIND,
  external: EXTERNAL_KIND,
  code: CODE_KIND,
  agent: AGENT_KIND,
  a2a: A2A_KIND,
  mcp: MCP_KIND,
};

/** A provider for each kind, also where an agent has no tool of it. */
export function providersOf(
  tools: readonly ToolDefinition[],
  sources: ToolSources,
): readonly ToolProvider[] {
  return (Object.keys(TOOL_KINDS) as ToolKind[]).map((kind) => provide(kind, tools, sources));
}

function provide<Kind extends ToolKind>(
  kind: Kind,
  tools: readonly ToolDefinition[],
  sources: ToolSources,
): ToolProvider {
  const own = tools.filter((tool): tool is ToolOfKind<Kind> => tool.type === kind);
  return TOOL_KINDS[kind].provide(own, sources);
}

/** The answer to whether a tool is there. Runs no tool, and ends soon after `stop`. */
export function checkTool<Kind extends ToolKind>(
  tool: ToolOfKind<Kind>,
  access: CheckAccess,
  stop: StopSignal,
): Promise<ToolFinding> {
  const kind: ToolKindOf<Kind> = TOOL_KINDS[tool.type as Kind];
  return kind.check(tool, access, stop);
}
