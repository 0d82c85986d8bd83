import type { KnownModel } from "../protocol/models/known-models.ts";
import type { OperatorHealth } from "../protocol/operator/contract.ts";
import type { TenantLimits } from "../protocol/quotas/contract.ts";
import type { UsageSeries, UsageSeriesFilter } from "../protocol/usage/series.ts";
import type { UsageRow } from "../protocol/usage/contract.ts";
import { agentsOf, type Agents } from "./resources/agents.ts";
import { apiKeysOf, type ApiKeys } from "./resources/api-keys.ts";
import { endUsersOf, type EndUsers } from "./resources/end-users.ts";
import { auditOf, type Audit } from "./resources/audit.ts";
import type { RequestOptions } from "./transport/api-request.ts";
import type { RepriseOptions } from "./transport/reprise-options.ts";
import { confirmationsOf, type Confirmations } from "./resources/confirmations.ts";
import { consoleLinksOf, type ConsoleLinks } from "./resources/console-links.ts";
import { connectionsOf, type Connections } from "./resources/mcp/connections.ts";
import { credentialsOf, type Credentials } from "./resources/credentials.ts";
import { decisionsOf, type Decisions } from "./resources/decisions.ts";
import { memoryStoresOf, type MemoryStores } from "./resources/memory-stores.ts";
import { skillsOf, type Skills } from "./resources/skills.ts";
import { filesOf, type Files } from "./resources/files.ts";
import { inboundEndpointsOf, type InboundEndpoints } from "./resources/inbound-endpoints.ts";
import { mcpServersOf, type McpServers } from "./resources/mcp/mcp-servers.ts";
import { openTransport } from "./transport/open-transport.ts";
import type { ListQuery, Paged } from "./transport/paged.ts";
import { TenantSession } from "./session/tenant-session.ts";
import { sessionsOf, type Sessions } from "./session/sessions.ts";
import { roomsOf, type Rooms } from "./rooms/rooms.ts";
import { TenantRoom } from "./rooms/tenant-room.ts";
import { tenantsOf, type LimitsOptions, type Tenants } from "./resources/tenants.ts";
import type { Transport } from "./transport/transport.ts";
import { membersOf, type Members } from "./resources/members.ts";
import { operatorMembersOf, type OperatorMembers } from "./resources/operator-members.ts";
import {
  operatorSignInProvidersOf,
  type OperatorSignInProviders,
} from "./resources/operator-sign-in-providers.ts";
import { signInProvidersOf, type SignInProviders } from "./resources/sign-in-providers.ts";
import { tokenIssuersOf, type TokenIssuers } from "./resources/token-issuers.ts";
import { triggersOf, type Triggers } from "./resources/triggers.ts";
import { webhookEndpointsOf, type WebhookEndpoints } from "./resources/webhook-endpoints.ts";

export interface UsageFilter extends ListQuery {
  /** First and last day, as `2026-11-21` in UTC. */
  readonly from?: string;
  readonly to?: string;
  /** One or several of `day`, `agent`, `model`, `end_user`, separated by commas. */
  readonly group_by?: string;
  readonly agent_id?: string;
  readonly model_name?: string;
  readonly end_user_id?: string;
}

/** A client of one platform with one credential. The constructor sends no request. */
export class Reprise {
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly consoleLinks: ConsoleLinks;
  readonly credentials: Credentials;
  readonly agents: Agents;
  readonly mcpServers: McpServers;
  readonly connections: Connections;
  readonly sessions: Sessions;
  readonly rooms: Rooms;
  readonly skills: Skills;
  readonly memoryStores: MemoryStores;
  readonly triggers: Triggers;
  readonly files: Files;
  readonly confirmations: Confirmations;
  readonly decisions: Decisions;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly inboundEndpoints: InboundEndpoints;
  readonly members: Members;
  readonly signInProviders: SignInProviders;
  readonly operatorMembers: OperatorMembers;
  readonly operatorSignInProviders: OperatorSignInProviders;
  readonly tokenIssuers: TokenIssuers;
  readonly audit: Audit;
  readonly endUsers: EndUsers;
  readonly #transport: Transport;

  /** @throws {TypeError} when the credential or the base URL is missing. */
  constructor(options: RepriseOptions) {
    const transport = openTransport(options);
    this.#transport = transport;
    this.tenants = tenantsOf(transport);
    this.apiKeys = apiKeysOf(transport);
    this.consoleLinks = consoleLinksOf(transport);
    this.credentials = credentialsOf(transport);
    this.agents = agentsOf(transport);
    this.mcpServers = mcpServersOf(transport);
    this.connections = connectionsOf(transport);
    this.sessions = sessionsOf(transport);
    this.rooms = roomsOf(transport);
    this.skills = skillsOf(transport);
    this.memoryStores = memoryStoresOf(transport);
    this.triggers = triggersOf(transport);
    this.files = filesOf(transport);
    this.confirmations = confirmationsOf(transport);
    this.decisions = decisionsOf(transport);
    this.webhookEndpoints = webhookEndpointsOf(transport);
    this.inboundEndpoints = inboundEndpointsOf(transport);
    this.members = membersOf(transport);
    this.signInProviders = signInProvidersOf(transport);
    this.operatorMembers = operatorMembersOf(transport);
    this.operatorSignInProviders = operatorSignInProvidersOf(transport);
    this.tokenIssuers = tokenIssuersOf(transport);
    this.audit = auditOf(transport);
    this.endUsers = endUsersOf(transport);
  }

  /** Usage report of the tenant's replies; by default the last 30 days by day and agent. */
  usage(query?: UsageFilter, options?: RequestOptions): Paged<UsageRow> {
    return this.#transport.list(["usage"], query, options);
  }

  /** Series of the tenant's replies over time; by default the last seven days by day. */
  usageSeries(query?: UsageSeriesFilter, options?: RequestOptions): Promise<UsageSeries> {
    return this.#transport.get(["usage", "series"], options, { ...query });
  }

  /** The platform's facts about vendors' models: windows, media, list prices. */
  models(query?: ListQuery, options?: RequestOptions): Paged<KnownModel> {
    return this.#transport.list(["models"], query, options);
  }

  /** The whole report as CSV, as a response to stream to a file. Not retried. */
  async exportUsage(filter?: UsageFilter, options?: RequestOptions): Promise<Response> {
    const query = { ...filter, format: "csv" };
    const request = { ...options, method: "GET", path: ["usage"], query } as const;
    return (await this.#transport.open(request)).response;
  }

  /** The tenant's quotas and their usage. */
  limits({ end_user_id, ...options }: LimitsOptions = {}): Promise<TenantLimits> {
    return this.#transport.get(["limits"], options, { end_user_id });
  }

  /** The health of the deployment; requires the operator's key. */
  operatorHealth(options?: RequestOptions): Promise<OperatorHealth> {
    return this.#transport.get(["operator", "health"], options);
  }

  /** A handle of an existing session. Sends no request. */
  session(id: string): TenantSession {
    return new TenantSession(this.#transport, id);
  }

  /** A handle of an existing room. Sends no request. */
  room(id: string): TenantRoom {
    return new TenantRoom(this.#transport, id);
  }
}
