// The order of the document. Readers and generated clients have it from the first version on, so it does not follow the order
// in which concepts use each other; what is not listed comes last.
import type { RouteName } from "../protocol/routes.ts";
import type { Concept } from "../protocol/concepts.ts";

/**
 * The parts of the route table in the order of the document: the routes of a concept, or of one from a route on, where the
 * routes of other concepts stand between its own.
 */
export const ROUTE_PARTS: readonly (Concept | RouteName)[] = [
  "operator",
  "tenants",
  "readOperatorHealth",
  "keys",
  "console",
  "members",
  "sign-in-providers",
  "credentials",
  "quotas",
  "usage",
  "audit",
  "agents",
  "replay",
  "tools",
  "models",
  "decisions",
  "skills",
  "sessions",
  "replies",
  "diagnostics",
  "interrupt",
  "events",
  "listMessages",
  "context",
  "hooks",
  "shared-state",
  "plans",
  "tool-groups",
  "readSessionMcpResource",
  "writeToolGroups",
  "ag-ui",
  "agent-mcp",
  "token-issuers",
  "files",
  "mcp",
  "showSignIn",
  "postEvent",
  "permission",
  "listTenantDecisions",
  "confirmations",
  "client-tokens",
  "inbound",
  "webhooks",
];

/** Concepts in the order of their tags and examples. */
export const CONCEPT_ORDER: readonly Concept[] = [
  "operator",
  "tenants",
  "keys",
  "console",
  "members",
  "sign-in-providers",
  "credentials",
  "quotas",
  "usage",
  "audit",
  "agents",
  "mcp",
  "replay",
  "skills",
  "tools",
  "models",
  "sessions",
  "context",
  "hooks",
  "shared-state",
  "plans",
  "tool-groups",
  "replies",
  "diagnostics",
  "events",
  "ag-ui",
  "agent-mcp",
  "token-issuers",
  "files",
  "client-tokens",
  "inbound",
  "permission",
  "decisions",
  "confirmations",
  "webhooks",
];

/** Tags and examples that stand behind those of another concept than their own. */
export const BEHIND: Readonly<Record<string, Concept>> = {
  Messages: "events",
  observedMessage: "events",
};
