// The pages of the console. A page is added here, and nowhere else: see docs/console.md.
import type { LucideIcon } from "lucide-react";
import {
  BadgeCheck,
  BookOpen,
  Bot,
  Building2,
  Cable,
  ChartColumn,
  Files,
  FlaskConical,
  Gauge,
  HeartPulse,
  House,
  Inbox,
  KeyRound,
  MessagesSquare,
  Plug,
  Scale,
  ScrollText,
  Webhook,
} from "lucide-react";
import type { ComponentType } from "react";

import type { Scope } from "../../sdk/index.ts";
import { WaitingCount } from "../components/inbox/waiting-count.tsx";
import type { ConsoleKind } from "../access/access.ts";

export interface ConsolePage {
  readonly console: ConsoleKind;
  /** Below `/console` or `/operator`; parameters begin with `$`. */
  readonly path: `/${string}`;
  /** Its entry in the navigation; left out for pages that others lead to. */
  readonly entry?: {
    readonly label: string;
    readonly icon: LucideIcon;
    readonly group: string;
    /** A number beside the label. */
    readonly Count?: ComponentType;
  };
  /** The scope without which the page shows nothing: its entry is left out then. */
  readonly scope?: Scope;
  /** The page's code, loaded when it is opened. */
  readonly load: () => Promise<ComponentType>;
}

export const PAGES: readonly ConsolePage[] = [
  {
    console: "tenant",
    path: "/home",
    entry: { label: "Home", icon: House, group: "Observe" },
    load: async () => (await import("./home/home-page.tsx")).HomePage,
  },
  {
    console: "tenant",
    path: "/sessions",
    entry: { label: "Sessions", icon: MessagesSquare, group: "Observe" },
    scope: "sessions:read",
    load: async () => (await import("./sessions/sessions-page.tsx")).SessionsPage,
  },
  {
    console: "tenant",
    path: "/sessions/$sessionId",
    scope: "sessions:read",
    load: async () => (await import("./session/session-page.tsx")).SessionPage,
  },
  {
    console: "tenant",
    path: "/inbox",
    entry: { label: "Approvals", icon: Inbox, group: "Observe", Count: WaitingCount },
    scope: "confirmations:read",
    load: async () => (await import("./inbox/inbox-page.tsx")).InboxPage,
  },
  {
    console: "tenant",
    path: "/inbox/history",
    scope: "permission_rules:read",
    load: async () => (await import("./inbox/history-page.tsx")).HistoryPage,
  },
  {
    console: "tenant",
    path: "/agents",
    entry: { label: "Agents", icon: Bot, group: "Build" },
    scope: "agents:read",
    load: async () => (await import("./agents/agents-page.tsx")).AgentsPage,
  },
  {
    console: "tenant",
    path: "/skills",
    entry: { label: "Skills", icon: BookOpen, group: "Build" },
    scope: "agents:read",
    load: async () => (await import("./skills/skills-page.tsx")).SkillsPage,
  },
  {
    console: "tenant",
    path: "/skills/new",
    scope: "agents:read",
    load: async () => (await import("./skills/new-skill-page.tsx")).NewSkillPage,
  },
  {
    console: "tenant",
    path: "/skills/$skillId",
    scope: "agents:read",
    load: async () => (await import("./skills/skill-page.tsx")).SkillPage,
  },
  {
    console: "tenant",
    path: "/skills/$skillId/new-version",
    scope: "agents:read",
    load: async () => (await import("./skills/new-version-page.tsx")).NewVersionPage,
  },
  {
    console: "tenant",
    path: "/mcp-servers",
    entry: { label: "MCP servers", icon: Plug, group: "Build" },
    scope: "agents:read",
    load: async () => (await import("./mcp/mcp-servers-page.tsx")).McpServersPage,
  },
  {
    console: "tenant",
    path: "/mcp-servers/$serverId",
    scope: "agents:read",
    load: async () => (await import("./mcp/mcp-server-page.tsx")).McpServerPage,
  },
  {
    console: "tenant",
    path: "/connections",
    entry: { label: "Connections", icon: Cable, group: "Build" },
    scope: "credentials:read",
    load: async () => (await import("./mcp/connections-page.tsx")).ConnectionsPage,
  },
  {
    console: "tenant",
    path: "/playground",
    entry: { label: "Playground", icon: FlaskConical, group: "Build" },
    scope: "sessions:read",
    load: async () => (await import("./playground/playground-page.tsx")).PlaygroundPage,
  },
  {
    console: "tenant",
    path: "/rules",
    entry: { label: "Permission rules", icon: Scale, group: "Build" },
    scope: "permission_rules:read",
    load: async () => (await import("./rules/rules-page.tsx")).RulesPage,
  },
  {
    console: "tenant",
    path: "/keys",
    entry: { label: "Keys", icon: KeyRound, group: "Connect" },
    scope: "keys:read",
    load: async () => (await import("./keys/keys-page.tsx")).KeysPage,
  },
  {
    console: "tenant",
    path: "/keys/tokens",
    scope: "sessions:read",
    load: async () => (await import("./keys/tokens-page.tsx")).TokensPage,
  },
  {
    console: "tenant",
    path: "/token-issuers",
    entry: { label: "Token issuers", icon: BadgeCheck, group: "Connect" },
    scope: "keys:read",
    load: async () => (await import("./issuers/issuers-page.tsx")).IssuersPage,
  },
  {
    console: "tenant",
    path: "/webhooks",
    entry: { label: "Webhooks", icon: Webhook, group: "Connect" },
    scope: "webhooks:read",
    load: async () => (await import("./webhooks/webhooks-page.tsx")).WebhooksPage,
  },
  {
    console: "tenant",
    path: "/webhooks/$endpointId",
    scope: "webhooks:read",
    load: async () => (await import("./webhooks/endpoint-page.tsx")).EndpointPage,
  },
  {
    console: "tenant",
    path: "/webhooks/$endpointId/$deliveryId",
    scope: "webhooks:read",
    load: async () => (await import("./webhooks/delivery-page.tsx")).DeliveryPage,
  },
  {
    console: "tenant",
    path: "/usage",
    entry: { label: "Usage", icon: ChartColumn, group: "Account" },
    scope: "usage:read",
    load: async () => (await import("./usage/usage-page.tsx")).UsagePage,
  },
  {
    console: "tenant",
    path: "/quotas",
    entry: { label: "Quotas", icon: Gauge, group: "Account" },
    scope: "usage:read",
    load: async () => (await import("./quotas/quotas-page.tsx")).QuotasPage,
  },
  {
    console: "tenant",
    path: "/files",
    entry: { label: "Files", icon: Files, group: "Account" },
    scope: "files:read",
    load: async () => (await import("./files/files-page.tsx")).FilesPage,
  },
  {
    console: "tenant",
    path: "/audit",
    entry: { label: "Audit", icon: ScrollText, group: "Account" },
    scope: "audit:read",
    load: async () => (await import("./audit/audit-page.tsx")).AuditPage,
  },
  {
    console: "tenant",
    path: "/agents/new",
    scope: "agents:read",
    load: async () => (await import("./agent/new-agent-page.tsx")).NewAgentPage,
  },
  {
    console: "tenant",
    path: "/agents/$agentId",
    scope: "agents:read",
    load: async () => (await import("./agent/agent-page.tsx")).AgentPage,
  },
  {
    console: "operator",
    path: "/tenants",
    entry: { label: "Tenants", icon: Building2, group: "Platform" },
    load: async () => (await import("./tenants/tenants-page.tsx")).TenantsPage,
  },
  {
    console: "operator",
    path: "/tenants/$tenantId",
    load: async () => (await import("./tenants/tenant-page.tsx")).TenantPage,
  },
  {
    console: "operator",
    path: "/health",
    entry: { label: "Health", icon: HeartPulse, group: "Platform" },
    load: async () => (await import("./health/health-page.tsx")).HealthPage,
  },
  {
    console: "operator",
    path: "/audit",
    entry: { label: "Audit", icon: ScrollText, group: "Platform" },
    load: async () => (await import("./audit/operator-audit-page.tsx")).OperatorAuditPage,
  },
];
