/**
 * The default of the column `tenants.quotas`, which SQLite cannot change. Quotas missing in a row have the defaults of the
 * code.
 */
export const BASELINE_QUOTAS = {
  running_replies: 200,
  tokens_per_day: 100_000_000,
  sessions: 100_000,
  agents: 1_000,
  agent_versions: 10_000,
  credentials: 1_000,
  api_keys: 100,
  webhook_endpoints: 50,
  inbound_endpoints: 50,
  stored_bytes: 5_000_000_000,
  requests: 10_000,
} as const;
