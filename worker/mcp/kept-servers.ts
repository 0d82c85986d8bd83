import type { KeptServers } from "../../agent/warnings/known-tools.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";

const NONE: KeptServers = new Map();

/**
 * The kept catalogues of the servers that these tools name. No server is asked, and nothing is read where none is named.
 * @param endUserId Whose catalogues are read of servers with grants of end users; null for none of them.
 */
export async function keptServers(
  context: AppContext,
  tools: readonly ToolDefinition[],
  endUserId: string | null = null,
): Promise<KeptServers> {
  const ids = tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : []));
  if (ids.length === 0) return NONE;
  const database = openDatabase(context.env.DB);
  const { servers } = await readMcpServers(database, tenantOf(context), ids, endUserId);
  return new Map(
    [...servers].map(([id, { server, catalogue }]) => {
      const isWhole = catalogue?.rest?.beyond === 0 && !catalogue.rest.has_more;
      const tools = isWhole ? (catalogue.tools?.map(({ name }) => name) ?? null) : null;
      return [id, { name: server.name, tools }];
    }),
  );
}
