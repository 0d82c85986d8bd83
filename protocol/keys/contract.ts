// API keys. Only the answers to creation and rotation contain the key itself.
import * as z from "zod";

import { DEFAULT_ROTATION_OVERLAP_MS, MAX_ROTATION_OVERLAP_MS } from "./limits.ts";
import { NameSchema, PageQuerySchema, TimestampSchema, pageOf } from "../schemas/common.ts";

const RESOURCES = [
  "agents",
  "credentials",
  "sessions",
  "replies",
  "confirmations",
  "permission_rules",
  "webhooks",
  "files",
  "memories",
  "triggers",
  "rooms",
  "keys",
  "members",
] as const;
type Resource = (typeof RESOURCES)[number];
/**
 * Scopes that exist with one verb only: the audit log and usage are never written through the API, results are read
 * with their session, so is the permission mode, and tools are read and written with their agent or their MCP server,
 * and called.
 */
const SINGLE_SCOPES = [
  "tool_results:write",
  "usage:read",
  "audit:read",
  "permission_bypass:write",
  "tools:call",
] as const;
export type Scope = `${Resource}:${"read" | "write"}` | (typeof SINGLE_SCOPES)[number];

export const SCOPES = RESOURCES.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
]).concat(SINGLE_SCOPES) as [Scope, ...Scope[]];
export const ScopeSchema = z
  .enum(SCOPES)
  .meta({ id: "Scope", description: "What a key may do, by kind of resource." });

/** Scopes of before that no route has ever asked for. Stored keys may have them. */
const FORMER_SCOPES = ["usage:write", "tool_results:read"] as const;
type FormerScope = (typeof FORMER_SCOPES)[number];

export function isFormerScope(scope: string): scope is FormerScope {
  return FORMER_SCOPES.some((former) => former === scope);
}

/** A scope as requests write it. @public */
export type AskedScopeInput = Scope | FormerScope;

/** A scope that a request asks for; undefined for one of before, which is accepted and has no effect. */
export const AskedScopeSchema = z.preprocess(
  (scope: AskedScopeInput) => (isFormerScope(scope) ? undefined : scope),
  ScopeSchema.optional(),
);

/** `leaked`: the key was exposed. Everything that was created with it is revoked too. @public */
export const RevocationReasonSchema = z.enum(["leaked"]);
export type RevocationReason = z.infer<typeof RevocationReasonSchema>;

export const ApiKeyCreateSchema = z
  .strictObject({
    name: NameSchema.optional(),
    /** Determines the prefix: `rk_live_…` or `rk_test_…`. */
    mode: z.enum(["live", "test"]).default("live"),
    /** Defaults to all scopes of the creating key. */
    scopes: z.array(AskedScopeSchema).min(1).optional(),
    expires_at: TimestampSchema.optional(),
    /** The operator names the tenant; a tenant's key may leave it out. */
    tenant_id: z.string().optional(),
  })
  .meta({ id: "ApiKeyCreate" });

export const ApiKeySchema = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    name: z.string().nullable(),
    mode: z.enum(["live", "test"]),
    /** The first characters of the key, to identify it. */
    prefix: z.string(),
    scopes: z.array(ScopeSchema),
    created_at: TimestampSchema,
    expires_at: TimestampSchema.nullable(),
    revoked_at: TimestampSchema.nullable(),
    /** Null when no reason was given, or the key is not revoked. */
    revoked_reason: RevocationReasonSchema.nullable(),
    /** Id of the key that created it, or `operator`; null for keys older than this field. */
    created_by: z.string().nullable(),
    /** Exact to a minute; null before the first use. */
    last_used_at: TimestampSchema.nullable(),
    /** Expiry of the secret before the last rotation; null when there is none. */
    old_secret_expires_at: TimestampSchema.nullable(),
  })
  .meta({ id: "ApiKey", description: "An API key without its secret." });
export type ApiKey = z.infer<typeof ApiKeySchema>;
export const ApiKeyPageSchema = pageOf(ApiKeySchema).meta({ id: "ApiKeyPage" });

/** Milliseconds for which a replaced secret stays valid; 0 ends it at once. */
export const RotationOverlapSchema = z
  .number()
  .int()
  .min(0)
  .max(MAX_ROTATION_OVERLAP_MS)
  .default(DEFAULT_ROTATION_OVERLAP_MS);

/** Rotating again ends the previous overlap: at most two secrets are valid. */
export const ApiKeyRotateSchema = z
  .strictObject({
    overlap_ms: RotationOverlapSchema,
    /** The operator names the tenant; a tenant's key may leave it out. */
    tenant_id: z.string().optional(),
  })
  .meta({ id: "ApiKeyRotate" });

/** The answer to a creation or a rotation, the only ones that contain the key itself. */
export const CreatedApiKeySchema = ApiKeySchema.extend({ api_key: z.string() }).meta({
  id: "CreatedApiKey",
  description: "The one answer that shows the key itself.",
});
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

export const ApiKeyRevokeSchema = z
  .strictObject({
    reason: RevocationReasonSchema.optional(),
    /** Also revokes all keys created with it, and their client tokens. Implied by `leaked`. */
    cascade: z.boolean().default(false),
    /** The operator names the tenant; a tenant's key may leave it out. */
    tenant_id: z.string().optional(),
  })
  .meta({
    id: "ApiKeyRevoke",
    description:
      "Why the key is revoked, and whether what it created is revoked too. Every member may be left out.",
  });
export type ApiKeyRevoke = z.infer<typeof ApiKeyRevokeSchema>;

/** The same as query parameters for `DELETE`, because some proxies drop its body. */
export const ApiKeyRevokeQuerySchema = ApiKeyRevokeSchema.extend({
  cascade: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
});

export const RevokedApiKeysSchema = z
  .object({
    /** Ids of the key and of those revoked with it, now or earlier. */
    revoked_key_ids: z.array(z.string()),
  })
  .meta({ id: "RevokedApiKeys", description: "The keys that a revocation has reached." });
export type RevokedApiKeys = z.infer<typeof RevokedApiKeysSchema>;

/** The operator names the tenant; a tenant's key may name only its own. */
export const ApiKeyListQuerySchema = PageQuerySchema.extend({ tenant_id: z.string().optional() });
