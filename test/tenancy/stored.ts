// Rows that each route that writes stores, and who counts them: one row for each. A route that writes without a row
// does not compile; one that reads stores nothing.
import type { ROUTES, RouteName } from "../../protocol/routes.ts";
import type { QuotaName } from "../../protocol/quotas/contract.ts";
import { MAX_TOKEN_ISSUERS } from "../../protocol/token-issuers/limits.ts";
import { MAX_TOKEN_TTL_SECONDS } from "../../protocol/keys/limits.ts";
import { MAX_RULES } from "../../protocol/permission/limits.ts";
import type { StoreChange } from "./stores.ts";

export interface StoredRow {
  /** Places whose rows come (+), go (-) or are changed (~). */
  readonly stores: readonly StoreChange[];
  /** Quotas that refuse the request when they are used up, the first one that is met first. */
  readonly refusedBy?: readonly QuotaName[];
  /** Bounds of what grows beside the quotas, by its place: how many rows there can be. */
  readonly bounds?: Readonly<Record<string, number | string>>;
}

type Writing = Exclude<(typeof ROUTES)[number], { readonly method: "GET" }>["name"];

const nothing: StoredRow = { stores: [] };

/** Places of a session and of what was made in it, which go with it. */
const OF_A_SESSION: readonly StoreChange[] = [
  "-bucket",
  "-decisions",
  "-file_references",
  "-files",
  "-pending_calls",
  "-session.ability_states",
  "-session.client_tokens",
  "-session.events",
  "-session.messages",
  "-session.permission_rules",
  "-session.replies",
  "-session.schema_version",
  "-session.session",
  "-session_states",
  "-sessions",
  "-usage_end_users",
];

/** An end of a reply that has begun, and of its calls: each is written once. */
const ended = {
  "session.events": "an end for each reply and call that waits",
  "session.idempotency_keys": "those of a day",
};

export const STORED: Readonly<Record<Writing, StoredRow>> & Partial<Record<RouteName, StoredRow>> =
  {
    createTenant: { stores: ["+api_keys", "+audit_entries", "+tenants"] },
    updateTenant: { stores: ["+audit_entries", "~tenants"] },
    deleteTenant: {
      stores: [
        ...OF_A_SESSION,
        "-agent_versions",
        "-agents",
        "-api_keys",
        "+audit_entries",
        "-connections",
        "-credentials",
        "-inbound_endpoints",
        "-mcp_catalogues",
        "-mcp_servers",
        "-skill_versions",
        "-skills",
        "-tenant.days",
        "-tenant.replies",
        "-tenant_keys",
        "~tenants",
        "-token_issuers",
        "-usage",
        "-usage_days",
        "-webhook_deliveries",
        "-webhook_endpoints",
      ],
    },
    createApiKey: {
      stores: ["+api_keys", "+audit_entries"],
      refusedBy: ["api_keys", "database_bytes"],
    },
    rotateApiKey: { stores: ["~api_keys", "+audit_entries"], refusedBy: ["database_bytes"] },
    revokeApiKeys: {
      stores: ["~api_keys", "+audit_entries", "+tenant.cut_keys", "+tenant.revoked_makers"],
    },
    revokeApiKey: { stores: ["~api_keys", "+audit_entries", "+tenant.cut_keys"] },
    createConsoleLink: {
      stores: ["+audit_entries", "+console_sessions"],
      refusedBy: ["database_bytes"],
    },
    createCredential: {
      stores: ["+audit_entries", "+credentials"],
      refusedBy: ["credentials", "database_bytes"],
    },
    updateCredential: { stores: ["+audit_entries", "~credentials"], refusedBy: ["database_bytes"] },
    deleteCredential: { stores: ["+audit_entries", "-credentials"] },
    createAgent: {
      stores: ["+agent_versions", "+agents", "+audit_entries"],
      refusedBy: ["agents", "agent_versions", "stored_bytes", "database_bytes"],
    },
    updateAgent: {
      stores: ["+agent_versions", "~agents", "+audit_entries"],
      refusedBy: ["agent_versions", "stored_bytes", "database_bytes"],
    },
    deleteAgent: { stores: ["-agent_versions", "~agents", "+audit_entries"] },
    // The version is not retired before either.
    updateAgentVersion: nothing,
    checkAgent: { stores: ["+audit_entries"], refusedBy: ["running_replies", "database_bytes"] },
    callTool: { stores: ["+audit_entries"], refusedBy: ["running_replies", "database_bytes"] },
    testAgentPermission: nothing,
    simulatePermission: nothing,
    createSkill: {
      stores: ["+audit_entries", "+bucket", "+files", "+skill_versions", "+skills"],
      refusedBy: ["skills", "stored_bytes", "database_bytes"],
    },
    deleteSkill: { stores: ["+audit_entries", "-bucket", "-files", "-skill_versions", "-skills"] },
    createSkillVersion: {
      stores: ["+audit_entries", "+bucket", "+files", "+skill_versions", "~skills"],
      refusedBy: ["stored_bytes", "database_bytes"],
    },
    createSession: {
      stores: ["+session.schema_version", "+session.session", "+sessions"],
      refusedBy: ["sessions", "database_bytes"],
    },
    updateSession: { stores: ["~session.session", "~sessions"], refusedBy: ["database_bytes"] },
    deleteSession: {
      stores: [
        ...OF_A_SESSION,
        "+audit_entries",
        "~usage",
        "+webhook_attempts",
        "+webhook_deliveries",
      ],
    },
    createReply: {
      stores: [
        "+session.events",
        "+session.messages",
        "+session.replies",
        "~session.session",
        "+session_states",
        "~tenant.days",
        "+tenant.replies",
        "+usage",
        "~usage_days",
      ],
      refusedBy: ["running_replies", "tokens_per_day", "stored_bytes", "database_bytes"],
    },
    interrupt: {
      stores: [
        "-pending_calls",
        "+session.events",
        "~session.messages",
        "~session.replies",
        "~session.tool_calls",
        "~session_states",
        "~usage",
      ],
      bounds: ended,
    },
    observe: { stores: ["+session.events", "+session.messages"], refusedBy: ["stored_bytes"] },
    forkSession: {
      stores: [
        "+audit_entries",
        "+session.ability_states",
        "+session.events",
        "+session.messages",
        "+session.permission_rules",
        "+session.schema_version",
        "+session.session",
        "+session_states",
        "+sessions",
      ],
      refusedBy: ["sessions", "stored_bytes", "database_bytes"],
    },
    writeState: { stores: [], refusedBy: ["database_bytes"] },
    compress: {
      stores: [
        "+session.ability_states",
        "+session.events",
        "~tenant.days",
        "+tenant.replies",
        "+usage",
        "+usage_days",
      ],
      refusedBy: ["running_replies", "tokens_per_day"],
    },
    writeHooks: { stores: ["+audit_entries", "~session.session"], refusedBy: ["database_bytes"] },
    patchSharedState: {
      stores: ["~session.ability_states", "+session.events"],
      refusedBy: ["stored_bytes"],
    },
    writePlan: {
      stores: ["~session.ability_states", "+session.events"],
      refusedBy: ["stored_bytes"],
    },
    writeToolGroups: {
      stores: ["+audit_entries", "+session.ability_states", "+session.events"],
      refusedBy: ["stored_bytes", "database_bytes"],
    },
    runAgUi: {
      stores: [
        "+session.events",
        "+session.messages",
        "+session.replies",
        "+session.runs",
        "~session.session",
        "+session_states",
        "~tenant.days",
        "+tenant.replies",
        "+usage",
        "~usage_days",
      ],
      refusedBy: ["running_replies", "tokens_per_day", "stored_bytes", "database_bytes"],
    },
    callAgentMcp: nothing,
    createTokenIssuer: {
      stores: ["+audit_entries", "+token_issuers"],
      refusedBy: ["database_bytes"],
      bounds: { token_issuers: MAX_TOKEN_ISSUERS },
    },
    deleteTokenIssuer: { stores: ["+audit_entries", "-token_issuers"] },
    uploadFile: { stores: ["+bucket", "+files"], refusedBy: ["stored_bytes"] },
    deleteFile: { stores: ["+audit_entries", "-bucket", "-file_references", "-files"] },
    createFileLink: { stores: ["+audit_entries"], refusedBy: ["database_bytes"] },
    createMcpServer: {
      stores: ["+audit_entries", "+mcp_servers"],
      refusedBy: ["mcp_servers", "database_bytes"],
    },
    updateMcpServer: { stores: ["+audit_entries", "~mcp_servers"], refusedBy: ["database_bytes"] },
    deleteMcpServer: {
      stores: ["+audit_entries", "-connections", "-mcp_catalogues", "-mcp_servers"],
    },
    callMcpTool: { stores: ["+audit_entries"], refusedBy: ["running_replies", "database_bytes"] },
    createPermissionRules: {
      stores: ["+audit_entries", "+session.permission_rules"],
      refusedBy: ["database_bytes"],
      bounds: { "session.permission_rules": MAX_RULES },
    },
    deletePermissionRule: { stores: ["+audit_entries", "-session.permission_rules"] },
    testPermissionRules: nothing,
    answerConfirmations: {
      stores: [
        "-pending_calls",
        "+session.events",
        "+session.idempotency_keys",
        "~session.messages",
        "~session.replies",
        "~session.tool_calls",
        "~session_states",
        "~usage",
      ],
      bounds: ended,
    },
    createClientToken: {
      stores: ["+session.client_tokens"],
      bounds: { "session.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s` },
    },
    revokeClientToken: { stores: ["~session.client_tokens"] },
    createStreamTicket: {
      stores: ["+session.client_tokens"],
      bounds: { "session.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s` },
    },
    answerCallback: nothing,
    createInboundEndpoint: {
      stores: ["+audit_entries", "+inbound_endpoints"],
      refusedBy: ["inbound_endpoints", "database_bytes"],
    },
    deleteInboundEndpoint: { stores: ["+audit_entries", "-inbound_endpoints"] },
    rotateInboundSecret: {
      stores: ["+audit_entries", "~inbound_endpoints"],
      refusedBy: ["database_bytes"],
    },
    receiveWebhook: nothing,
    createWebhookEndpoint: {
      stores: ["+audit_entries", "+webhook_endpoints"],
      refusedBy: ["webhook_endpoints", "database_bytes"],
    },
    updateWebhookEndpoint: {
      stores: ["+audit_entries", "~webhook_endpoints"],
      refusedBy: ["database_bytes"],
    },
    deleteWebhookEndpoint: {
      stores: ["+audit_entries", "-webhook_deliveries", "-webhook_endpoints"],
    },
    rotateWebhookSecret: {
      stores: ["+audit_entries", "~webhook_endpoints"],
      refusedBy: ["database_bytes"],
    },
    testWebhookEndpoint: {
      stores: ["+audit_entries", "+webhook_attempts", "+webhook_deliveries"],
      refusedBy: ["database_bytes"],
    },
    redeliverWebhook: { stores: ["+webhook_attempts", "~webhook_deliveries"] },
    createReplay: {
      stores: [
        "+audit_entries",
        "~tenant.days",
        "+tenant.replies",
        "+usage",
        "~usage_days",
        "+usage_end_users",
      ],
      refusedBy: ["running_replies", "database_bytes"],
    },
    completeConnection: nothing,
    deleteConnection: { stores: ["+audit_entries", "-connections"] },
    postEvent: {
      stores: [
        "-pending_calls",
        "+session.events",
        "~session.messages",
        "~session.replies",
        "~session.tool_calls",
        "~session_states",
        "~usage",
      ],
      bounds: ended,
    },
  };
