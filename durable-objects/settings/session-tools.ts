// The tools that a reply's model may call, as declarations for permission rules and schema checks.
import type { ToolDeclaration } from "../../agent/ports.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { openAbilities } from "./open-abilities.ts";

/**
 * The agent's tools, with those of MCP servers as they are pinned, the session's own, those of abilities, and those of the
 * reply's AG-UI client.
 */
export function sessionTools(
  init: Pick<SessionInit, "agent" | "client" | "time_zone" | "tools"> &
    Partial<Pick<SessionInit, "end_user_id">>,
  tables: Pick<SessionTables, "abilities" | "rules" | "mcp">,
): readonly ToolDeclaration[] {
  const { client } = init;
  const abilities = openAbilities(init, tables);
  const { mcp } = tables;
  return declareTools({ ...equippedAgent(init), abilities, client_tools: client?.tools, mcp });
}
