import { MCP_FAREWELL_MS } from "../../protocol/mcp/limits.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpLine } from "./open-line.ts";

/** Tells a server that its session is not needed any more. Does not wait. */
export function endSession(
  { outgoing, url, headers }: McpEndpoint,
  { sessionId, dialect }: McpLine,
): void {
  if (sessionId === null) return;
  const farewell = new Headers(headers);
  farewell.set("mcp-session-id", sessionId);
  farewell.set("mcp-protocol-version", dialect.version);
  const signal = AbortSignal.timeout(MCP_FAREWELL_MS);
  outgoing(url, { method: "DELETE", headers: farewell, signal }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
}
