import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import { selectTools } from "../../agent/mcp/select-tools.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";

/** The tools of an agent's MCP servers as they were listed last, without asking anybody: for questions about rules. */
export async function keptPins(
  context: AppContext,
  { tools }: Pick<AgentDefinition, "tools">,
): Promise<readonly McpPin[]> {
  const entries = tools.filter((tool) => tool.type === "mcp");
  if (entries.length === 0) return [];
  const ids = entries.map(({ server_id }) => server_id);
  const read = await readMcpServers(openDatabase(context.env.DB), tenantOf(context), ids, null);
  return entries.flatMap((entry): McpPin[] => {
    const known = read.servers.get(entry.server_id);
    if (!known?.catalogue?.tools || !known.catalogue.dialect) return [];
    return [
      {
        server_id: entry.server_id,
        server: known.server.name,
        era: known.catalogue.dialect.era,
        tools: selectTools(entry, known.catalogue.tools),
        problem: null,
        left_out: 0,
      },
    ];
  });
}
