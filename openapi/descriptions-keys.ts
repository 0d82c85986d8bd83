// What the document says about API keys, and about the audit of what they and the operator do.

export const KEY_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ApiKey: "An API key without its secret.",
  ApiKeyRevoke: "Why the key is revoked, and how much goes with it. Every member may be left out.",
  AuditAction: "What was done: a kind of resource, and what became of it.",
  AuditEntry: "One administrative act. Entries are never changed.",
  CreatedApiKey: "The one answer that shows the key itself.",
  RevokedApiKeys: "What a revocation has reached.",
};

export const KEY_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "ApiKey.last_used_at": "Exact to a minute; null before the first use.",
  "ApiKey.mode": "Which prefix the key has: `rk_live_` or `rk_test_`.",
  "ApiKey.old_secret_expires_at":
    "Until when the secret before the last rotation works; null when there is none.",
  "ApiKey.overlap_ms": "Milliseconds for which the old secret goes on working; 0 ends it at once.",
  "ApiKey.prefix": "The key's first characters, to recognise it by.",
  "ApiKey.revoked_at": "When it was revoked, or null.",
  "ApiKey.scopes": "What the key may do. A new key has all scopes of its maker when left out.",
  "ApiKey.tenant_id": "The tenant. The operator names it; a tenant's own key may leave it out.",
  "ApiKey.cascade":
    "Whether the keys go too that it made, those that they made, and the client tokens of all of them.",
  "ApiKey.created_by":
    "The id of the key that made it, or `operator`; null for one from before this was kept.",
  "ApiKey.reason":
    "`leaked`: somebody has it who should not. What was made with it goes too, as with `cascade`.",
  "ApiKey.revoked_reason": "Why it was revoked; null when nobody said, and while it was not.",
  "AuditEntry.action": "What was done.",
  "AuditEntry.actor": "Who did it.",
  "AuditEntry.actor.id": "The API key's id; null for the operator.",
  "AuditEntry.actor.kind": "Whose credential it was.",
  "AuditEntry.address":
    "The address that the request came from; null where the network does not say it.",
  "AuditEntry.after":
    "What changed, as it is since; without secrets, and `{omitted_bytes}` in place of what is large. Null when nothing is left, or nothing of it can be shown.",
  "AuditEntry.before": "What changed, as it was. Null when there was nothing.",
  "AuditEntry.created_at": "When it was done.",
  "AuditEntry.request_id": "The request that did it, as in its `X-Request-Id`.",
  "AuditEntry.target_id": "The id of what was changed.",
  "RevokedApiKeys.revoked_key_ids":
    "The key, and those that went with it, whether they were revoked now or before.",
};
