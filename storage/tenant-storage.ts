import { agentStorage } from "./agent-storage.ts";
import type { AgentStorage } from "./agent-storage.ts";
import { apiKeyStorage } from "./api-key-storage.ts";
import type { ApiKeyStorage } from "./api-key-storage.ts";
import { credentialStorage } from "./credential-storage.ts";
import type { CredentialStorage } from "./credential-storage.ts";
import { openDatabase } from "./database.ts";
import { pendingStorage } from "./pending-storage.ts";
import type { PendingStorage } from "./pending-storage.ts";
import { inboundEndpointStorage } from "./inbound-endpoint-storage.ts";
import type { InboundEndpointStorage } from "./inbound-endpoint-storage.ts";
import { sessionStorage } from "./session-storage.ts";
import type { SessionStorage } from "./session-storage.ts";
import { usageStorage } from "./usage-storage.ts";
import type { UsageStorage } from "./usage-storage.ts";
import { webhookDeliveryStorage } from "./webhook-delivery-storage.ts";
import type { WebhookDeliveryStorage } from "./webhook-delivery-storage.ts";
import { webhookEndpointStorage } from "./webhook-endpoint-storage.ts";
import type { WebhookEndpointStorage } from "./webhook-endpoint-storage.ts";

/**
 * One tenant's rows and no other's: every query below it has this tenant's id in its WHERE, so a caller cannot
 * forget it and another tenant's id finds nothing.
 */
export interface TenantStorage {
  readonly apiKeys: ApiKeyStorage;
  readonly agents: AgentStorage;
  readonly credentials: CredentialStorage;
  readonly inboundEndpoints: InboundEndpointStorage;
  readonly sessions: SessionStorage;
  readonly pending: PendingStorage;
  readonly usage: UsageStorage;
  readonly webhookEndpoints: WebhookEndpointStorage;
  readonly webhookDeliveries: WebhookDeliveryStorage;
}

export function tenantStorage(binding: D1Database, tenantId: string): TenantStorage {
  const database = openDatabase(binding);
  return {
    apiKeys: apiKeyStorage(database, tenantId),
    agents: agentStorage(database, tenantId),
    credentials: credentialStorage(database, tenantId),
    inboundEndpoints: inboundEndpointStorage(database, tenantId),
    sessions: sessionStorage(database, tenantId),
    pending: pendingStorage(database, tenantId),
    usage: usageStorage(database, tenantId),
    webhookEndpoints: webhookEndpointStorage(database, tenantId),
    webhookDeliveries: webhookDeliveryStorage(database, tenantId),
  };
}
