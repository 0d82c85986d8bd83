// What the document says about a tenant's status, its quotas and what is used of them.

export const QUOTA_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  on_limit:
    "What becomes of a reply when a quota of the tenant is used up before it has come to its end: `end` ends it with the error `quota_exceeded`, `park` lets it wait until there is room. `end` when left out.",
  quotas:
    "What the tenant may have and use. When set: what is left out stays, null is the default.",
  "Tenant.status":
    "`suspended` refuses every credential of the tenant and keeps all that it has; `closed` is for good.",
  "Problem.quota": "With quota_exceeded: which one.",
  "Problem.limit": "With quota_exceeded: how much it is, where that is known.",
  "Problem.retry_after_ms":
    "With quota_exceeded: when it may have room by itself, in milliseconds; `Retry-After` says it too.",
  used: "What the tenant has and uses at this moment.",
  day_ends_at: "When the day of `tokens_per_day` ends: 00:00 UTC.",
  "TenantLimits.tenant_id": "The tenant.",
  running_replies: "Replies that run at the same time.",
  tokens_per_day: "Input and output tokens of all replies in a day of UTC.",
  sessions: "Sessions.",
  agents: "Agents that are not deleted.",
  agent_versions: "Versions of all agents that are not deleted.",
  credentials: "Credentials.",
  api_keys: "API keys that are not revoked.",
  webhook_endpoints: "Webhook endpoints.",
  inbound_endpoints: "Inbound endpoints.",
  stored_bytes:
    "Bytes that sessions hold, as of the last end or wait of a reply, and versions of agents.",
  requests:
    "Requests in ten seconds, counted at each location of the network: 100, 1,000 or 10,000.",
};
