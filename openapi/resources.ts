// All resources in the order of the document, with their tables combined.
import type { RouteName } from "../protocol/routes.ts";
import type { Operation } from "../protocol/requests/contract.ts";
import type { Resource } from "./resource.ts";
import { AGENT_STATE } from "./resources/sessions/agent-state.ts";
import { AGENT_CHECK } from "./resources/agent-check.ts";
import { AGENTS } from "./resources/agents.ts";
import { AG_UI_CAPABILITIES } from "./resources/ag-ui-capabilities.ts";
import { AG_UI } from "./resources/ag-ui.ts";
import { AGENT_MCP } from "./resources/agent-mcp/agent-mcp.ts";
import { TOKEN_ISSUERS } from "./resources/agent-mcp/token-issuers.ts";
import { API_KEYS } from "./resources/api-keys.ts";
import { AUDIT } from "./resources/audit.ts";
import { CALLBACKS } from "./resources/callbacks.ts";
import { CLIENT_TOKENS } from "./resources/client-tokens.ts";
import { CONFIRMATIONS } from "./resources/confirmations.ts";
import { CONSOLE_LINKS } from "./resources/console-links.ts";
import { CREDENTIALS } from "./resources/credentials.ts";
import { DECISIONS } from "./resources/decisions.ts";
import { FILES } from "./resources/files.ts";
import { SESSION_CONTEXT } from "./resources/sessions/context.ts";
import { DIAGNOSTICS } from "./resources/sessions/diagnostics.ts";
import { EVENTS } from "./resources/sessions/events.ts";
import { INBOUND_ENDPOINTS } from "./resources/inbound-endpoints.ts";
import { KNOWN_MODELS } from "./resources/known-models.ts";
import { CONNECTIONS } from "./resources/mcp/connections.ts";
import { MCP_SERVERS } from "./resources/mcp/mcp-servers.ts";
import { MCP_RESOURCES } from "./resources/mcp/mcp-resources.ts";
import { INPUT_EVENTS } from "./resources/sessions/input-events.ts";
import { MESSAGES } from "./resources/sessions/messages.ts";
import { OPERATOR_HEALTH } from "./resources/operator-health.ts";
import { PERMISSION_RULES } from "./resources/permission-rules.ts";
import { PERMISSION_SIMULATION } from "./resources/permission-simulation.ts";
import { PLATFORM } from "./resources/platform.ts";
import { QUOTAS } from "./resources/quotas.ts";
import { TOOL_CALLS } from "./resources/tools/tool-calls.ts";
import { REPLAYS } from "./resources/replays.ts";
import { REPLIES } from "./resources/sessions/replies.ts";
import { SESSIONS } from "./resources/sessions/sessions.ts";
import { HOOKS } from "./resources/sessions/hooks.ts";
import { TOOL_GROUPS } from "./resources/sessions/tool-groups.ts";
import { PLANS } from "./resources/sessions/plans.ts";
import { SHARED_STATE } from "./resources/sessions/shared-state.ts";
import { SKILLS } from "./resources/skills/skills.ts";
import { TENANTS } from "./resources/tenants.ts";
import { USAGE } from "./resources/usage.ts";
import { WEBHOOK_DELIVERIES } from "./resources/webhook-deliveries.ts";
import { WEBHOOK_ENDPOINTS } from "./resources/webhook-endpoints.ts";
import { COMMON } from "./schemas/common.ts";
import { CONTENT_BLOCKS } from "./schemas/content-blocks.ts";
import { MODELS } from "./schemas/models.ts";
import { PROBLEM } from "./schemas/problem.ts";
import { TOOLS } from "./schemas/tools.ts";

const RESOURCES = [
  PLATFORM,
  OPERATOR_HEALTH,
  TENANTS,
  API_KEYS,
  CONSOLE_LINKS,
  CREDENTIALS,
  QUOTAS,
  USAGE,
  AUDIT,
  AGENTS,
  AGENT_CHECK,
  MCP_SERVERS,
  CONNECTIONS,
  REPLAYS,
  SKILLS,
  TOOL_CALLS,
  KNOWN_MODELS,
  SESSIONS,
  AGENT_STATE,
  SESSION_CONTEXT,
  HOOKS,
  SHARED_STATE,
  PLANS,
  TOOL_GROUPS,
  MCP_RESOURCES,
  REPLIES,
  DIAGNOSTICS,
  EVENTS,
  INPUT_EVENTS,
  MESSAGES,
  AG_UI,
  AG_UI_CAPABILITIES,
  AGENT_MCP,
  TOKEN_ISSUERS,
  FILES,
  CLIENT_TOKENS,
  CALLBACKS,
  INBOUND_ENDPOINTS,
  PERMISSION_RULES,
  DECISIONS,
  PERMISSION_SIMULATION,
  CONFIRMATIONS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_DELIVERIES,
  // Schemas without operations of their own.
  COMMON,
  PROBLEM,
  CONTENT_BLOCKS,
  MODELS,
  TOOLS,
] as const;

export const TAGS = collect("tags");
export const EXAMPLES = collect("examples");
export const PATH_PARAMETER_DESCRIPTIONS: Texts = collect("pathParameters");
export const QUERY_PARAMETER_DESCRIPTIONS: Texts = collect("queryParameters");
export const FIELD_DESCRIPTIONS: Texts = collect("fieldDescriptions");

/** The defined names. */
interface KnownNames {
  readonly tag: keyof typeof TAGS;
  readonly example: keyof typeof EXAMPLES;
}

/** A route without an operation, or an operation that refers to an undefined name, does not compile. */
export const OPERATIONS: Readonly<Record<RouteName, Operation<KnownNames>>> = collect("operations");

type Texts = Readonly<Record<string, string>>;

/** The table of each resource under one member; empty for a resource without it. */
type TableOf<Some, Member extends keyof Resource> = Some extends {
  readonly [Key in Member]: infer Table;
}
  ? Table
  : never;

/** The intersection of a union of tables. */
type IntersectionOf<Tables> = (Tables extends unknown ? (table: Tables) => void : never) extends (
  table: infer All,
) => void
  ? All
  : never;

/**
 * Combines the tables of all resources, in their order.
 * @throws {Error} when two of them define one name.
 */
function collect<Member extends keyof Resource>(
  member: Member,
): IntersectionOf<TableOf<(typeof RESOURCES)[number], Member>> {
  const all: Record<string, unknown> = {};
  for (const resource of RESOURCES as readonly Resource[]) {
    for (const [name, row] of Object.entries(resource[member] ?? {})) {
      if (Object.hasOwn(all, name)) throw new Error(`two resources have ${member}.${name}`);
      all[name] = row;
    }
  }
  return all as IntersectionOf<TableOf<(typeof RESOURCES)[number], Member>>;
}
