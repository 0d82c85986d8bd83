// The sign-in at an MCP server that a call waits for. No zod: clients run it.
import type { AuthorizationRequired } from "./call-reasons.ts";

/** The sign-in is done: its calls run now. */
export const AUTHORIZATION_COMPLETED = "authorization_completed";

export interface AuthorizationCompletedValue {
  readonly reply_id: string;
  readonly connection_id: string;
  readonly tool_call_ids: readonly string[];
}

type Records = Readonly<Record<string, unknown>> | null | undefined;

/** @param metadata Of a `REQUIRE_EXTERNAL_EXECUTION`. Null for a call that waits for a result. */
export function authorizationOf(metadata: Records, callId: string): AuthorizationRequired | null {
  const all = metadata?.["authorizations"] as Records;
  const found = all && Object.hasOwn(all, callId) ? all[callId] : null;
  if (typeof found !== "object" || found === null) return null;
  const { connection_id, mcp_server_id, url, expires_at } = found as Record<string, unknown>;
  return typeof connection_id === "string" &&
    typeof mcp_server_id === "string" &&
    typeof url === "string" &&
    typeof expires_at === "string"
    ? { connection_id, mcp_server_id, url, expires_at }
    : null;
}
