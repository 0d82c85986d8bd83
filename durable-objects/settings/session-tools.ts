// The tools that a reply's model may call, as declarations for permission rules and schema checks.
import type { ToolDeclaration } from "../../agent/ports.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { equippedAgent } from "./equipped-agent.ts";
import { openAbilities } from "./open-abilities.ts";

/** The agent's tools, those of abilities, and those of the reply's AG-UI client. */
export function sessionTools(
  init: Pick<SessionInit, "agent" | "client" | "time_zone">,
  tables: Pick<SessionTables, "abilities">,
): readonly ToolDeclaration[] {
  const { client } = init;
  const abilities = openAbilities(init, tables);
  const { mcp } = tables;
  return declareTools({ ...equippedAgent(init), abilities, client_tools: client?.tools, mcp });
}
