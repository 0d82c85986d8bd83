// The pages of the console, from which its routes, its navigation and the tests of all pages follow: see
// docs/console/add-a-page.md.
import {
  AlarmClock,
  BadgeCheck,
  BookMarked,
  BookOpen,
  Bot,
  Building2,
  Cable,
  ChartColumn,
  ChartNoAxesCombined,
  CircleAlert,
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
  Users,
  UsersRound,
  Webhook,
} from "lucide-react";

import { WaitingCount } from "../components/inbox/waiting-count.tsx";
import type { ConsoleKind } from "../access/access.ts";
import type { ConsolePage } from "./console-page.ts";

/** By console; the first page of each is opened behind the sign-in. */
export const PAGES: Readonly<Record<ConsoleKind, readonly ConsolePage[]>> = {
  tenant: [
    {
      path: "/home",
      entry: { label: "Home", icon: House, group: "Observe" },
      load: async () => (await import("./home/home-page.tsx")).HomePage,
    },
    {
      path: "/sessions",
      entry: { label: "Sessions", icon: MessagesSquare, group: "Observe" },
      scope: "sessions:read",
      load: async () => (await import("./sessions/sessions-page.tsx")).SessionsPage,
    },
    {
      path: "/failures",
      entry: { label: "Failures", icon: CircleAlert, group: "Observe" },
      scope: "sessions:read",
      load: async () => (await import("./failures/failures-page.tsx")).FailuresPage,
    },
    {
      path: "/plots",
      entry: { label: "Plots", icon: ChartNoAxesCombined, group: "Observe" },
      scope: "usage:read",
      load: async () => (await import("./plots/plots-page.tsx")).PlotsPage,
    },
    {
      path: "/sessions/$sessionId",
      scope: "sessions:read",
      load: async () => (await import("./session/session-page.tsx")).SessionPage,
    },
    {
      path: "/rooms",
      entry: { label: "Rooms", icon: UsersRound, group: "Observe" },
      scope: "rooms:read",
      load: async () => (await import("./rooms/rooms-page.tsx")).RoomsPage,
    },
    {
      path: "/rooms/$roomId",
      scope: "rooms:read",
      load: async () => (await import("./rooms/room-page.tsx")).RoomPage,
    },
    {
      path: "/memory",
      entry: { label: "Memory", icon: BookMarked, group: "Observe" },
      scope: "memories:read",
      load: async () => (await import("./memory/stores-page.tsx")).MemoryStoresPage,
    },
    {
      path: "/memory/$storeId",
      scope: "memories:read",
      load: async () => (await import("./memory/store-page.tsx")).MemoryStorePage,
    },
    {
      path: "/memory/$storeId/$memoryId",
      scope: "memories:read",
      load: async () => (await import("./memory/memory-page.tsx")).MemoryPage,
    },
    {
      path: "/inbox",
      entry: { label: "Approvals", icon: Inbox, group: "Observe", Count: WaitingCount },
      scope: "confirmations:read",
      load: async () => (await import("./inbox/inbox-page.tsx")).InboxPage,
    },
    {
      path: "/inbox/history",
      scope: "permission_rules:read",
      load: async () => (await import("./inbox/history-page.tsx")).HistoryPage,
    },
    {
      path: "/agents",
      entry: { label: "Agents", icon: Bot, group: "Build" },
      scope: "agents:read",
      load: async () => (await import("./agents/agents-page.tsx")).AgentsPage,
    },
    {
      path: "/triggers",
      entry: { label: "Triggers", icon: AlarmClock, group: "Build" },
      scope: "triggers:read",
      load: async () => (await import("./triggers/triggers-page.tsx")).TriggersPage,
    },
    {
      path: "/triggers/$triggerId",
      scope: "triggers:read",
      load: async () => (await import("./triggers/trigger-page.tsx")).TriggerPage,
    },
    {
      path: "/skills",
      entry: { label: "Skills", icon: BookOpen, group: "Build" },
      scope: "agents:read",
      load: async () => (await import("./skills/skills-page.tsx")).SkillsPage,
    },
    {
      path: "/skills/new",
      scope: "agents:read",
      load: async () => (await import("./skills/new-skill-page.tsx")).NewSkillPage,
    },
    {
      path: "/skills/$skillId",
      scope: "agents:read",
      load: async () => (await import("./skills/skill-page.tsx")).SkillPage,
    },
    {
      path: "/skills/$skillId/new-version",
      scope: "agents:read",
      load: async () => (await import("./skills/new-version-page.tsx")).NewVersionPage,
    },
    {
      path: "/mcp-servers",
      entry: { label: "MCP servers", icon: Plug, group: "Build" },
      scope: "agents:read",
      load: async () => (await import("./mcp/mcp-servers-page.tsx")).McpServersPage,
    },
    {
      path: "/mcp-servers/$serverId",
      scope: "agents:read",
      load: async () => (await import("./mcp/mcp-server-page.tsx")).McpServerPage,
    },
    {
      path: "/connections",
      entry: { label: "Connections", icon: Cable, group: "Build" },
      scope: "credentials:read",
      load: async () => (await import("./mcp/connections-page.tsx")).ConnectionsPage,
    },
    {
      path: "/playground",
      entry: { label: "Playground", icon: FlaskConical, group: "Build" },
      scope: "sessions:read",
      load: async () => (await import("./playground/playground-page.tsx")).PlaygroundPage,
    },
    {
      path: "/rules",
      entry: { label: "Permission rules", icon: Scale, group: "Build" },
      scope: "permission_rules:read",
      load: async () => (await import("./rules/rules-page.tsx")).RulesPage,
    },
    {
      path: "/keys",
      entry: { label: "Keys", icon: KeyRound, group: "Connect" },
      scope: "keys:read",
      load: async () => (await import("./keys/keys-page.tsx")).KeysPage,
    },
    {
      path: "/keys/tokens",
      scope: "sessions:read",
      load: async () => (await import("./keys/tokens-page.tsx")).TokensPage,
    },
    {
      path: "/token-issuers",
      entry: { label: "Token issuers", icon: BadgeCheck, group: "Connect" },
      scope: "keys:read",
      load: async () => (await import("./issuers/issuers-page.tsx")).IssuersPage,
    },
    {
      path: "/webhooks",
      entry: { label: "Webhooks", icon: Webhook, group: "Connect" },
      scope: "webhooks:read",
      load: async () => (await import("./webhooks/webhooks-page.tsx")).WebhooksPage,
    },
    {
      path: "/webhooks/$endpointId",
      scope: "webhooks:read",
      load: async () => (await import("./webhooks/endpoint-page.tsx")).EndpointPage,
    },
    {
      path: "/webhooks/$endpointId/$deliveryId",
      scope: "webhooks:read",
      load: async () => (await import("./webhooks/delivery-page.tsx")).DeliveryPage,
    },
    {
      path: "/members",
      entry: { label: "Members", icon: Users, group: "Account" },
      scope: "members:read",
      load: async () => (await import("./members/members-page.tsx")).MembersPage,
    },
    {
      path: "/members/providers",
      scope: "members:read",
      load: async () => (await import("./members/providers-page.tsx")).ProvidersPage,
    },
    {
      path: "/usage",
      entry: { label: "Usage", icon: ChartColumn, group: "Account" },
      scope: "usage:read",
      load: async () => (await import("./usage/usage-page.tsx")).UsagePage,
    },
    {
      path: "/quotas",
      entry: { label: "Quotas", icon: Gauge, group: "Account" },
      scope: "usage:read",
      load: async () => (await import("./quotas/quotas-page.tsx")).QuotasPage,
    },
    {
      path: "/files",
      entry: { label: "Files", icon: Files, group: "Account" },
      scope: "files:read",
      load: async () => (await import("./files/files-page.tsx")).FilesPage,
    },
    {
      path: "/audit",
      entry: { label: "Audit", icon: ScrollText, group: "Account" },
      scope: "audit:read",
      load: async () => (await import("./audit/audit-page.tsx")).AuditPage,
    },
    {
      path: "/agents/new",
      scope: "agents:read",
      load: async () => (await import("./agent/new-agent-page.tsx")).NewAgentPage,
    },
    {
      path: "/agents/$agentId",
      scope: "agents:read",
      load: async () => (await import("./agent/agent-page.tsx")).AgentPage,
    },
  ],
  operator: [
    {
      path: "/tenants",
      entry: { label: "Tenants", icon: Building2, group: "Platform" },
      scope: "tenants:read",
      load: async () => (await import("./tenants/tenants-page.tsx")).TenantsPage,
    },
    {
      path: "/tenants/$tenantId",
      scope: "tenants:read",
      load: async () => (await import("./tenants/tenant-page.tsx")).TenantPage,
    },
    {
      path: "/tenants/$tenantId/usage",
      scope: "tenants:read",
      load: async () => (await import("./tenants/tenant-usage-page.tsx")).TenantUsagePage,
    },
    {
      path: "/health",
      entry: { label: "Health", icon: HeartPulse, group: "Platform" },
      scope: "health:read",
      load: async () => (await import("./health/health-page.tsx")).HealthPage,
    },
    {
      path: "/audit",
      entry: { label: "Audit", icon: ScrollText, group: "Platform" },
      scope: "audit:read",
      load: async () => (await import("./audit/operator-audit-page.tsx")).OperatorAuditPage,
    },
    {
      path: "/members",
      entry: { label: "People", icon: Users, group: "Platform" },
      scope: "people:read",
      load: async () => (await import("./members/members-page.tsx")).MembersPage,
    },
    {
      path: "/members/providers",
      scope: "people:read",
      load: async () => (await import("./members/providers-page.tsx")).ProvidersPage,
    },
  ],
};
