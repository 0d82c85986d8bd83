// Keeps the MCP servers of a reply with the session.
import { CREDENTIAL_CONFIRMATION_WRITE_MS } from "../../protocol/credentials/limits.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { mcpCredentialIds } from "../../storage/mcp/mcp-credential-ids.ts";
import type { KnownMcpServer } from "../../storage/mcp/read-mcp-servers.ts";
import type { McpTable } from "../tables/mcp-table.ts";
import type { FoundServers } from "./read-servers.ts";

interface KeptServers {
  /** Ids of all servers that the agent names. */
  readonly ids: readonly string[];
  readonly dialectOf: (known: KnownMcpServer) => McpDialect | null;
}

/** For the time in which D1 is away. What has not changed is written again once in a while only. */
export function storeServers(
  table: McpTable,
  { servers, sealed }: FoundServers,
  { ids, dialectOf }: KeptServers,
): void {
  const { credentials, credential_hosts = {}, tenant_key } = sealed;
  const nowMs = Date.now();
  for (const server_id of ids) {
    const known = servers.get(server_id);
    if (!known) {
      table.forget(server_id);
      continue;
    }
    const { server } = known;
    const used = mcpCredentialIds(server);
    const fresh = {
      server,
      dialect: dialectOf(known),
      credentials: pick(credentials, used),
      credential_hosts: pick(credential_hosts, used),
      ...(used.length > 0 && tenant_key !== undefined && { tenant_key }),
    };
    const stored = table.stored(server_id);
    const isSame = JSON.stringify(stored?.known) === JSON.stringify(fresh);
    const ageMs = nowMs - (stored?.confirmedAtMs ?? 0);
    const isFresh = ageMs >= 0 && ageMs < CREDENTIAL_CONFIRMATION_WRITE_MS;
    if (!isSame || !isFresh) table.store(fresh, nowMs);
  }
}

function pick<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  const found = names.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
