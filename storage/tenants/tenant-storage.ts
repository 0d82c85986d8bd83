import { a2aTaskStorage } from "../a2a/a2a-task-storage.ts";
import type { A2aTaskStorage } from "../a2a/a2a-task-storage.ts";
import { agentStorage } from "../agents/agent-storage.ts";
import type { AgentStorage } from "../agents/agent-storage.ts";
import { apiKeyStorage } from "../keys/api-key-storage.ts";
import type { ApiKeyStorage } from "../keys/api-key-storage.ts";
import { credentialStorage } from "../credentials/credential-storage.ts";
import type { CredentialStorage } from "../credentials/credential-storage.ts";
import { openDatabase } from "../statements/database.ts";
import { fileStorage } from "../files/file-storage.ts";
import type { FileStorage } from "../files/file-storage.ts";
import type { MemberRole } from "../../protocol/members/roles.ts";
import { memberStorage } from "../members/member-storage.ts";
import type { MemberStorage } from "../members/member-storage.ts";
import { memoryStoreStorage } from "../memory/memory-store-storage.ts";
import type { MemoryStoreStorage } from "../memory/memory-store-storage.ts";
import { mcpServerStorage } from "../mcp/mcp-server-storage.ts";
import type { McpServerStorage } from "../mcp/mcp-server-storage.ts";
import { pendingStorage } from "../confirmations/pending-storage.ts";
import type { PendingStorage } from "../confirmations/pending-storage.ts";
import { inboundEndpointStorage } from "../inbound/inbound-endpoint-storage.ts";
import type { InboundEndpointStorage } from "../inbound/inbound-endpoint-storage.ts";
import { decisionStorage } from "../decisions/decision-storage.ts";
import type { DecisionStorage } from "../decisions/decision-storage.ts";
import { roomInputStorage } from "../rooms/room-input-storage.ts";
import type { RoomInputStorage } from "../rooms/room-input-storage.ts";
import { roomStorage } from "../rooms/room-storage.ts";
import type { RoomStorage } from "../rooms/room-storage.ts";
import { searchStorage } from "../search/search-setting.ts";
import type { SearchStorage } from "../search/search-setting.ts";
import { sessionStorage } from "../sessions/session-storage.ts";
import type { SessionStorage } from "../sessions/session-storage.ts";
import { signInProviderStorage } from "../sign-in-providers/sign-in-provider-storage.ts";
import type { SignInProviderStorage } from "../sign-in-providers/sign-in-provider-storage.ts";
import { skillStorage } from "../skills/skill-storage.ts";
import type { SkillStorage } from "../skills/skill-storage.ts";
import { tokenIssuerStorage } from "../token-issuers/token-issuer-storage.ts";
import type { TokenIssuerStorage } from "../token-issuers/token-issuer-storage.ts";
import { triggerStorage } from "../triggers/trigger-storage.ts";
import type { TriggerStorage } from "../triggers/trigger-storage.ts";
import { usageStorage } from "../usage/usage-storage.ts";
import type { UsageStorage } from "../usage/usage-storage.ts";
import { webhookDeliveryStorage } from "../webhooks/webhook-delivery-storage.ts";
import type { WebhookDeliveryStorage } from "../webhooks/webhook-delivery-storage.ts";
import { webhookEndpointStorage } from "../webhooks/webhook-endpoint-storage.ts";
import type { WebhookEndpointStorage } from "../webhooks/webhook-endpoint-storage.ts";

/**
 * Access to the rows of one tenant. Every query has the tenant's id in its WHERE, so callers cannot forget it, and ids
 * of other tenants' resources find nothing.
 */
export interface TenantStorage {
  readonly a2aTasks: A2aTaskStorage;
  readonly apiKeys: ApiKeyStorage;
  readonly agents: AgentStorage;
  readonly credentials: CredentialStorage;
  readonly files: FileStorage;
  readonly skills: SkillStorage;
  readonly inboundEndpoints: InboundEndpointStorage;
  readonly members: MemberStorage<MemberRole>;
  readonly mcpServers: McpServerStorage;
  readonly memoryStores: MemoryStoreStorage;
  readonly rooms: RoomStorage;
  readonly roomInputs: RoomInputStorage;
  readonly search: SearchStorage;
  readonly sessions: SessionStorage;
  readonly pending: PendingStorage;
  readonly decisions: DecisionStorage;
  readonly signInProviders: SignInProviderStorage;
  readonly tokenIssuers: TokenIssuerStorage;
  readonly triggers: TriggerStorage;
  readonly usage: UsageStorage;
  readonly webhookEndpoints: WebhookEndpointStorage;
  readonly webhookDeliveries: WebhookDeliveryStorage;
}

export function tenantStorage(binding: D1Database, tenantId: string): TenantStorage {
  const database = openDatabase(binding);
  return {
    a2aTasks: a2aTaskStorage(database, tenantId),
    apiKeys: apiKeyStorage(database, tenantId),
    agents: agentStorage(database, tenantId),
    credentials: credentialStorage(database, tenantId),
    files: fileStorage(database, tenantId),
    skills: skillStorage(database, tenantId),
    inboundEndpoints: inboundEndpointStorage(database, tenantId),
    members: memberStorage<MemberRole>(database, tenantId),
    mcpServers: mcpServerStorage(database, tenantId),
    memoryStores: memoryStoreStorage(database, tenantId),
    rooms: roomStorage(database, tenantId),
    roomInputs: roomInputStorage(database, tenantId),
    search: searchStorage(database, tenantId),
    sessions: sessionStorage(database, tenantId),
    pending: pendingStorage(database, tenantId),
    decisions: decisionStorage(database, tenantId),
    signInProviders: signInProviderStorage(database, tenantId),
    tokenIssuers: tokenIssuerStorage(database, tenantId),
    triggers: triggerStorage(database, tenantId),
    usage: usageStorage(database, tenantId),
    webhookEndpoints: webhookEndpointStorage(database, tenantId),
    webhookDeliveries: webhookDeliveryStorage(database, tenantId),
  };
}
