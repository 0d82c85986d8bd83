// A server of the session's agent, for a request beside the replies: only what the agent names may be asked.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { McpTable } from "../tables/mcp-table.ts";

export interface SessionServer {
  /** The session that a stateful server has given to this one, for the version of its settings; null when it has none. */
  readonly kept: { readonly version: number; readonly id: string } | null;
  /** The end user whose grant is used at a server that end users sign in to; null for a session without one. */
  readonly end_user_id: string | null;
}

/** Refuses with `not_found` a server that the agent, in the version of the session, does not name. */
export function findSessionServer(
  {
    init,
    tables,
  }: {
    readonly init: Pick<SessionInit, "agent" | "end_user_id">;
    readonly tables: { readonly mcp: McpTable };
  },
  serverId: string,
): Result<SessionServer> {
  const isNamed = init.agent.tools.some(
    (tool) => tool.type === "mcp" && tool.server_id === serverId,
  );
  if (isNamed) return accept({ kept: tables.mcp.session(serverId), end_user_id: init.end_user_id });
  return refuse("not_found", "the session's agent has no such MCP server");
}
