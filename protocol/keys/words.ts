// Words of fields that the schemas of this room have.
export const KEY_WORDS = {
  api_key: "The key itself. It is shown this once.",
  "ApiKey.last_used_at": "Exact to a minute; null before the first use.",
  "ApiKey.mode": "Which prefix the key has: `rk_live_` or `rk_test_`.",
  "ApiKey.old_secret_expires_at":
    "Until when the secret before the last rotation is valid; null when there is none.",
  "ApiKey.overlap_ms": "Milliseconds for which the old secret stays valid; 0 ends it at once.",
  "ApiKey.prefix": "The key's first characters, which identify it in lists.",
  "ApiKey.revoked_at": "When it was revoked, or null.",
  "ApiKey.scopes": "What the key may do. A new key has all scopes of its creator when left out.",
  "ApiKey.tenant_id": "The tenant. The operator names it; a tenant's own key may leave it out.",
  "ApiKey.cascade":
    "Whether to revoke also the keys that it created, those that they created, and the client tokens of all of them.",
  "ApiKey.created_by":
    "The id of the key that created it, or `operator`; null for a key from before this was recorded.",
  "ApiKey.reason":
    "`leaked`: the key was disclosed. What it created is revoked too, as with `cascade`.",
  "ApiKey.revoked_reason":
    "Why it was revoked; null when no reason was given, and while it is not revoked.",
  "RevokedApiKeys.revoked_key_ids":
    "The key and the keys that it created, whether they were revoked now or before.",
} as const;
