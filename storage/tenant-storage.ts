import { agentStorage } from "./agent-storage.ts";
import type { AgentStorage } from "./agent-storage.ts";
import { apiKeyStorage } from "./api-key-storage.ts";
import type { ApiKeyStorage } from "./api-key-storage.ts";
import { credentialStorage } from "./credential-storage.ts";
import type { CredentialStorage } from "./credential-storage.ts";
import { openDatabase } from "./database.ts";
import { sessionStorage } from "./session-storage.ts";
import type { SessionStorage } from "./session-storage.ts";
import { usageStorage } from "./usage-storage.ts";
import type { UsageStorage } from "./usage-storage.ts";

/**
 * One tenant's rows and no other's: every query below it has this tenant's id in its WHERE, so a caller cannot
 * forget it and another tenant's id finds nothing.
 */
export interface TenantStorage {
  readonly apiKeys: ApiKeyStorage;
  readonly agents: AgentStorage;
  readonly credentials: CredentialStorage;
  readonly sessions: SessionStorage;
  readonly usage: UsageStorage;
}

export function tenantStorage(binding: D1Database, tenantId: string): TenantStorage {
  const database = openDatabase(binding);
  return {
    apiKeys: apiKeyStorage(database, tenantId),
    agents: agentStorage(database, tenantId),
    credentials: credentialStorage(database, tenantId),
    sessions: sessionStorage(database, tenantId),
    usage: usageStorage(database, tenantId),
  };
}
