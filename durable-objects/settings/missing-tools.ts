import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** Tools of the agent's MCP servers that the open reply lacks, as sentences. */
export function missingTools(
  { tools = [] }: Partial<Pick<AgentDefinition, "tools">>,
  { mcp }: Pick<SessionTables, "mcp">,
): readonly string[] {
  const named = new Set(tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : [])));
  if (named.size === 0) return [];
  return mcp.pins().flatMap((pin) => {
    if (!named.has(pin.server_id)) return [];
    if (pin.problem !== null) return [pin.problem];
    return leftOut(pin);
  });
}

function leftOut({ server, left_out, has_more, unusable = 0 }: McpPin): readonly string[] {
  const sentences = [];
  if (left_out > 0 || has_more) {
    const least = has_more ? "At least " : "";
    sentences.push(
      `${least}${toolsOf(Math.max(left_out, 1), server)} left out: there are too many.`,
    );
  }
  if (unusable > 0) {
    sentences.push(`${toolsOf(unusable, server)} left out: their schemas cannot be used.`);
  }
  return sentences;
}

function toolsOf(count: number, server: string): string {
  return `${count} ${count === 1 ? "tool" : "tools"} of the MCP server ${server} ${count === 1 ? "was" : "were"}`;
}
