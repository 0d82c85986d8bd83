// Words of fields that the schemas of this room have.
export const QUOTA_WORDS = {
  end_user:
    "The share of the end user that the query names, as the tenant's quotas have it, and what is used of it.",
  end_user_share:
    "What one end user may have within the quotas. It binds the JWTs of token issuers and client tokens, and no API key. A member that is null has no limit but the tenant's.",
  limits: "What the end user may have; null for no limit but the tenant's quota.",
  stored_bytes_percent:
    "Bytes of the end user's sessions and of the files that were uploaded for them, in percent of `stored_bytes`.",
  "EndUserShare.running_replies": "Replies that run at the same time in their sessions.",
  "EndUserShare.sessions": "Sessions with this end user, whoever opened them.",
  quotas:
    "The tenant's quotas. In an update, members that are left out do not change, and null is the default.",
  used: "The current use.",
  day_ends_at: "When the day of `tokens_per_day` ends: 00:00 UTC.",
  running_replies: "Replies that run at the same time.",
  tokens_per_day: "Input and output tokens of all replies in a day of UTC.",
  sessions: "Sessions.",
  agents: "Agents that are not deleted.",
  agent_versions: "Versions of all agents that are not deleted.",
  skills: "Skills; their bytes count as stored bytes.",
  credentials: "Credentials.",
  api_keys: "API keys that are not revoked.",
  webhook_endpoints: "Webhook endpoints.",
  inbound_endpoints: "Inbound endpoints.",
  mcp_servers: "MCP servers.",
  members: "Members that have not left.",
  rooms: "Rooms of agents and people.",
  a2a_tasks: "Tasks that clients of A2A have begun in the last 30 days.",
  memory_stores: "Memory stores: one for each end user and agent that something is remembered of.",
  triggers: "Triggers, whatever their state.",
  memories_per_store:
    "Memories that one store can have; 100,000 at most. It has no use of its own in `used`.",
  stored_bytes:
    "Bytes that sessions hold, as of the last end or wait of a reply, versions of agents, files, skills and memory stores.",
  database_bytes:
    "Bytes of the tenant's rows in the database that all tenants share: lists of sessions and decisions, usage, deliveries of webhooks, the audit, idempotency keys.",
  requests:
    "Requests in ten seconds, counted at each location of the network: 100, 1,000 or 10,000.",
  "TenantLimits.tenant_id": "The tenant.",
} as const;
