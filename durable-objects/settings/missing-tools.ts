import type { AgentDefinition } from "../../protocol/api/agents.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** What the open reply lacks of the tools of its agent's MCP servers, as sentences. */
export function missingTools(
  { tools = [] }: Partial<Pick<AgentDefinition, "tools">>,
  { mcp }: Pick<SessionTables, "mcp">,
): readonly string[] {
  const named = new Set(tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : [])));
  if (named.size === 0) return [];
  return mcp.pins().flatMap(({ server_id, server, problem, left_out }) => {
    if (!named.has(server_id)) return [];
    if (problem !== null) return [problem];
    return left_out === 0
      ? []
      : [`${left_out} tools of the MCP server ${server} were left out: there are too many.`];
  });
}
