// The quotas in words, in the order in which people ask for them.
import type { QuotaName } from "../../../sdk/index.ts";
import { formatBytes, formatCount } from "../charts/format-number.ts";

export interface QuotaWords {
  readonly name: QuotaName;
  readonly label: string;
  /** Consequence when the quota is reached. */
  readonly hint: string;
}

export const QUOTAS: readonly QuotaWords[] = [
  {
    name: "running_replies",
    label: "Running replies",
    hint: "Another one is refused until one ends or waits.",
  },
  {
    name: "tokens_per_day",
    label: "Tokens a day",
    hint: "No reply begins until the next day in UTC.",
  },
  { name: "stored_bytes", label: "Stored", hint: "No reply begins, and no file is stored." },
  {
    name: "database_bytes",
    label: "Database",
    hint: "No reply begins, and nothing is created or changed until something is deleted.",
  },
  { name: "sessions", label: "Sessions", hint: "No session is opened until one is deleted." },
  { name: "agents", label: "Agents", hint: "No agent is created until one is deleted." },
  {
    name: "agent_versions",
    label: "Agent versions",
    hint: "No agent is created or changed; deleting one deletes its versions.",
  },
  { name: "skills", label: "Skills", hint: "No skill is created until one is deleted." },
  { name: "credentials", label: "Credentials", hint: "No credential is stored." },
  { name: "api_keys", label: "API keys", hint: "No key is created until one is revoked." },
  { name: "webhook_endpoints", label: "Webhook endpoints", hint: "No endpoint is created." },
  { name: "inbound_endpoints", label: "Inbound endpoints", hint: "No endpoint is created." },
  { name: "mcp_servers", label: "MCP servers", hint: "No server is created." },
  { name: "members", label: "Members", hint: "Nobody is invited until one is removed." },
  {
    name: "memory_stores",
    label: "Memory stores",
    hint: "Nothing is remembered of further end users.",
  },
  {
    name: "memories_per_store",
    label: "Memories per store",
    hint: "A full store takes corrections, and nothing new.",
  },
  { name: "rooms", label: "Rooms", hint: "No room is opened until one is deleted." },
  {
    name: "a2a_tasks",
    label: "A2A tasks",
    hint: "No client of A2A begins a task until older ones are 30 days old, or their sessions are deleted.",
  },
  { name: "triggers", label: "Triggers", hint: "No trigger is created until one is deleted." },
  {
    name: "requests",
    label: "Requests in ten seconds",
    hint: "Counted at each location of the network; more are answered with 429.",
  },
];

/** Quotas that the platform behind the page has: one of an older release lacks the newest of them. */
export function quotasOf(
  values: Readonly<Partial<Record<QuotaName, number>>>,
): readonly QuotaWords[] {
  return QUOTAS.filter(({ name }) => values[name] !== undefined);
}

/** The values that the quota of requests may have: its rate limiters are fixed. */
export const REQUEST_CHOICES = [100, 1_000, 10_000] as const;

export function formatQuota(name: QuotaName, value: number): string {
  return name === "stored_bytes" || name === "database_bytes"
    ? formatBytes(value)
    : formatCount(value);
}
