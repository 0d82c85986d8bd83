// API keys. The plain text is in the answer of the creation and nowhere else.
import { z } from "zod";

import { DEFAULT_ROTATION_OVERLAP_MS, MAX_ROTATION_OVERLAP_MS } from "../limits/authentication.ts";
import { NameSchema, PageQuerySchema, TimestampSchema } from "./schemas/common.ts";

const RESOURCES = [
  "agents",
  "credentials",
  "sessions",
  "replies",
  "confirmations",
  "tool_results",
  "permission_rules",
  "webhooks",
  "keys",
  "usage",
] as const;
type Resource = (typeof RESOURCES)[number];
/** Of what can be done in one way only: the audit is never written to, and the mode is read with its session. */
const SINGLE_SCOPES = ["audit:read", "permission_bypass:write"] as const;
export type Scope = `${Resource}:${"read" | "write"}` | (typeof SINGLE_SCOPES)[number];

export const SCOPES = RESOURCES.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
]).concat(SINGLE_SCOPES) as [Scope, ...Scope[]];
export const ScopeSchema = z.enum(SCOPES);

/** `leaked`: somebody has it who should not. Then what was made with it goes too. */
export const RevocationReasonSchema = z.enum(["leaked"]);
export type RevocationReason = z.infer<typeof RevocationReasonSchema>;

export const ApiKeyCreateSchema = z.strictObject({
  name: NameSchema.optional(),
  /** Which prefix the key gets: `rk_live_…` or `rk_test_…`. */
  mode: z.enum(["live", "test"]).default("live"),
  /** All scopes of the creator when left out. */
  scopes: z.array(ScopeSchema).min(1).optional(),
  expires_at: TimestampSchema.optional(),
  /** The operator names the tenant; a tenant's key may leave it out. */
  tenant_id: z.string().optional(),
});
export type ApiKeyCreate = z.infer<typeof ApiKeyCreateSchema>;

export const ApiKeySchema = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string().nullable(),
  mode: z.enum(["live", "test"]),
  /** The key's first characters, to recognise it by. */
  prefix: z.string(),
  scopes: z.array(ScopeSchema),
  created_at: TimestampSchema,
  expires_at: TimestampSchema.nullable(),
  revoked_at: TimestampSchema.nullable(),
  /** Why; null when nobody said, and for one that was not revoked. */
  revoked_reason: RevocationReasonSchema.nullable(),
  /** The key that made it, or `operator`; null for one from before this was kept. */
  created_by: z.string().nullable(),
  /** Exact to a minute; null before the first use. */
  last_used_at: TimestampSchema.nullable(),
  /** Until when the secret before the last rotation works; null when there is none. */
  old_secret_expires_at: TimestampSchema.nullable(),
});
export type ApiKey = z.infer<typeof ApiKeySchema>;

/** Rotating again ends the overlap of the rotation before: two secrets work at most. */
export const ApiKeyRotateSchema = z.strictObject({
  /** Milliseconds for which the old secret goes on working; 0 ends it at once. */
  overlap_ms: z
    .number()
    .int()
    .min(0)
    .max(MAX_ROTATION_OVERLAP_MS)
    .default(DEFAULT_ROTATION_OVERLAP_MS),
  /** The operator names the tenant; a tenant's key may leave it out. */
  tenant_id: z.string().optional(),
});
export type ApiKeyRotate = z.infer<typeof ApiKeyRotateSchema>;

/** The answers to a creation and to a rotation, which alone show the key itself. */
export const CreatedApiKeySchema = ApiKeySchema.extend({ api_key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

export const ApiKeyRevokeSchema = z.strictObject({
  reason: RevocationReasonSchema.optional(),
  /** Its descendants too, and the client tokens that all of them minted; so it is when it has leaked. */
  cascade: z.boolean().default(false),
  /** The operator names the tenant; a tenant's key may leave it out. */
  tenant_id: z.string().optional(),
});
export type ApiKeyRevoke = z.infer<typeof ApiKeyRevokeSchema>;

/** The same for `DELETE`, whose body some proxies drop. */
export const ApiKeyRevokeQuerySchema = ApiKeyRevokeSchema.extend({
  cascade: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
});

export const RevokedApiKeysSchema = z.object({
  /** Of the key and of those that went with it, revoked before or now. */
  revoked_key_ids: z.array(z.string()),
});
export type RevokedApiKeys = z.infer<typeof RevokedApiKeysSchema>;

/** The operator names the tenant; a tenant's key may name only its own. */
export const ApiKeyListQuerySchema = PageQuerySchema.extend({ tenant_id: z.string().optional() });
