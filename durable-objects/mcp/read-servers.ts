// The MCP servers of a reply as D1 has them now; as they were stored, for an hour, while D1 is away.
import { CREDENTIAL_LOOKUP_MS, CREDENTIAL_STALE_MS } from "../../protocol/credentials/limits.ts";
import type { SealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { readMcpServers, type KnownMcpServer } from "../../storage/mcp/read-mcp-servers.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { McpTable } from "../tables/mcp-table.ts";

export interface FoundServers {
  /** By id, without those that do not exist. */
  readonly servers: ReadonlyMap<string, KnownMcpServer>;
  readonly sealed: SealedCredentials;
  /** False for what was stored, because D1 did not answer. */
  readonly isConfirmed: boolean;
}

/** Contract: never rejects, and never waits long. */
export async function readServers(
  binding: D1Database,
  {
    tenantId,
    endUserId,
    ids,
    table,
  }: {
    readonly tenantId: string;
    readonly endUserId: string | null;
    readonly ids: readonly string[];
    readonly table: McpTable;
  },
): Promise<FoundServers> {
  try {
    const read = await Promise.race([
      readMcpServers(openDatabase(binding), tenantId, ids, endUserId),
      scheduler.wait(CREDENTIAL_LOOKUP_MS).then(() => null),
    ]);
    if (read) return { ...read, isConfirmed: true };
  } catch (error) {
    console.warn("MCP servers could not be looked up", { error: String(error) });
  }
  return readStored(ids, table);
}

function readStored(ids: readonly string[], table: McpTable): FoundServers {
  const servers = new Map<string, KnownMcpServer>();
  let sealed: SealedCredentials = { credentials: {} };
  for (const id of ids) {
    const stored = table.stored(id);
    const ageMs = Date.now() - (stored?.confirmedAtMs ?? 0);
    // A clock that was set back must not make the hour longer.
    if (!stored || ageMs < 0 || ageMs > CREDENTIAL_STALE_MS) continue;
    const { server, dialect, credentials, credential_hosts, tenant_key } = stored.known;
    const catalogue = {
      dialect,
      tools: null,
      rest: null,
      read_at: 0,
      expires_at: 0,
      avoid_until: 0,
      failure: null,
    };
    servers.set(id, { server, catalogue });
    sealed = {
      credentials: { ...sealed.credentials, ...credentials },
      credential_hosts: { ...sealed.credential_hosts, ...credential_hosts },
      tenant_key: tenant_key ?? sealed.tenant_key,
    };
  }
  return { servers, sealed, isConfirmed: false };
}
