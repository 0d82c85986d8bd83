import type { ToolDefinition } from "../../protocol/agents/contract.ts";
import { isSecretHeader, REDACTED } from "../../protocol/tools/secret-headers.ts";

/**
 * An agent or version for responses, with secrets redacted: definitions stored by older versions of the platform may
 * have secrets in the `headers` of their tools. A redacted definition is refused in an update, because it would lose
 * them.
 */
export function shownAgent<Agent extends { readonly tools: readonly ToolDefinition[] }>(
  agent: Agent,
): Agent {
  const isClean = agent.tools.every((tool) => !secretHeadersOf(tool).length);
  return isClean ? agent : { ...agent, tools: agent.tools.map(redact) };
}

function redact(tool: ToolDefinition): ToolDefinition {
  const names = secretHeadersOf(tool);
  if (!("headers" in tool) || names.length === 0) return tool;
  const hidden = Object.fromEntries(names.map((name) => [name, REDACTED]));
  return { ...tool, headers: { ...tool.headers, ...hidden } };
}

function secretHeadersOf(tool: ToolDefinition): readonly string[] {
  return "headers" in tool ? Object.keys(tool.headers ?? {}).filter(isSecretHeader) : [];
}
