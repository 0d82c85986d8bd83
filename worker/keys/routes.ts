import type {
  ApiKey,
  ApiKeyRevoke,
  CreatedApiKey,
  RevokedApiKeys,
} from "../../protocol/keys/contract.ts";
import {
  ApiKeyCreateSchema,
  ApiKeyListQuerySchema,
  ApiKeyRevokeQuerySchema,
  ApiKeyRevokeSchema,
  ApiKeyRotateSchema,
} from "../../protocol/keys/contract.ts";
import { apiKeyPrefix } from "../../protocol/keys/api-key-format.ts";
import { MAX_TOKEN_TTL_SECONDS } from "../../protocol/keys/limits.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { cutKeys } from "../auth/cut-keys.ts";
import { grantScopes } from "../auth/grant-scopes.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { answerStatement, keepRepeatable } from "../requests/keep-answer.ts";
import { hashApiKey, makeApiKey } from "../auth/key-secrets.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { pathId } from "../middleware/check-path.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { expiryOf, makerOf, scopesOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";

const createApiKey: RouteHandler = async (context) => {
  const wanted = await readBody(context, ApiKeyCreateSchema);
  const tenantId = await namedTenant(context, wanted.tenant_id, "#/tenant_id");
  const createdAt = nowTimestamp();
  if (wanted.expires_at !== undefined && wanted.expires_at <= createdAt) {
    throw fieldError("validation_failed", "#/expires_at", "this moment is past");
  }
  const principal = context.get("principal");
  const plainKey = makeApiKey(wanted.mode);
  const key: ApiKey = {
    id: newId("key"),
    tenant_id: tenantId,
    name: wanted.name ?? null,
    mode: wanted.mode,
    prefix: apiKeyPrefix(plainKey),
    scopes: grantScopes(wanted.scopes, scopesOf(principal)),
    created_at: createdAt,
    expires_at: grantExpiry(wanted.expires_at, expiryOf(principal)),
    revoked_at: null,
    revoked_reason: null,
    created_by: makerOf(principal),
    last_used_at: null,
    old_secret_expires_at: null,
  };
  const hash = await hashApiKey(plainKey, context.env.KEY_PEPPER);
  const keep = answerStatement(context, { status: 201, body: key });
  const audit = auditFor(context, {
    action: "api_key.created",
    target: key.id,
    after: key,
    tenantId,
  });
  const { apiKeys } = tenantStorage(context.env.DB, tenantId);
  if (!(await apiKeys.insert(key, hash, keep, audit))) {
    throw unauthenticated("the API key is unknown, revoked or expired");
  }
  const created: CreatedApiKey = { ...key, api_key: plainKey };
  return context.json(created, 201);
};

const listApiKeys: RouteHandler = async (context) => {
  const { tenant_id, ...query } = readQuery(context, ApiKeyListQuerySchema);
  const request = toListRequest("key", query);
  const tenantId = await namedTenant(context, tenant_id, "#/query/tenant_id");
  return context.json(await tenantStorage(context.env.DB, tenantId).apiKeys.list(request));
};

/**
 * Replaces the key's secret. The caller gets all rights of the key for its lifetime, so the caller's key must have the
 * same scopes and must not expire earlier.
 */
const rotateApiKey: RouteHandler = async (context) => {
  const { overlap_ms, tenant_id } = await readBody(context, ApiKeyRotateSchema);
  const tenantId = await namedTenant(context, tenant_id, "#/tenant_id");
  const { apiKeys } = tenantStorage(context.env.DB, tenantId);
  const keyId = pathId(context, "key_id");
  const key = await apiKeys.read(keyId);
  if (!key) throw notFound("key");
  const principal = context.get("principal");
  const held = scopesOf(principal);
  const missing = key.scopes.filter((scope) => !held.includes(scope));
  if (missing.length > 0) {
    throw new HttpError(
      "insufficient_scope",
      `the key holds scopes that you do not: ${missing.join(", ")}`,
    );
  }
  if (isAfter(key.expires_at, expiryOf(principal))) {
    const detail = `the key ends after yours, which ends at ${expiryOf(principal)}`;
    throw new HttpError("insufficient_scope", `${detail}; rotate it with a key that lasts longer`);
  }
  const now = nowTimestamp();
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) {
    throw new HttpError("conflict", "the key was revoked or has expired; make a new one");
  }
  const plainKey = makeApiKey(key.mode);
  const prefix = apiKeyPrefix(plainKey);
  const old_secret_expires_at = new Date(Date.parse(now) + overlap_ms).toISOString();
  const shown = { ...key, prefix, old_secret_expires_at };
  const rotated = await apiKeys.rotate(
    keyId,
    {
      hash: await hashApiKey(plainKey, context.env.KEY_PEPPER),
      prefix,
      oldSecretExpiresAt: old_secret_expires_at,
      rotatedBy: makerOf(principal),
    },
    answerStatement(context, { status: 200, body: shown }),
    auditFor(context, {
      action: "api_key.rotated",
      target: keyId,
      before: key,
      after: shown,
      tenantId,
    }),
  );
  if (!rotated) {
    throw new HttpError("conflict", "the key or your own was revoked meanwhile; make a new one");
  }
  knownKeys.forget(({ id }) => id === keyId);
  const created: CreatedApiKey = { ...rotated, api_key: plainKey };
  return context.json(created);
};

/** A repeated request changes nothing in D1, and ends streams that an interrupted one left open. */
const revokeApiKeys: RouteHandler = async (context) => {
  const wanted = await readBody(context, ApiKeyRevokeSchema);
  const revoked = await revoke(context, wanted, "#/tenant_id");
  await keepRepeatable(context);
  return context.json(revoked);
};

const revokeApiKey: RouteHandler = async (context) => {
  await revoke(context, readQuery(context, ApiKeyRevokeQuerySchema), "#/query/tenant_id");
  return context.body(null, 204);
};

/** @param pointer JSON Pointer to the tenant in the request. */
async function revoke(
  context: AppContext,
  { reason, cascade, tenant_id }: ApiKeyRevoke,
  pointer: string,
): Promise<RevokedApiKeys> {
  const tenantId = await namedTenant(context, tenant_id, pointer);
  const keyId = pathId(context, "key_id");
  const revokedAt = nowTimestamp();
  // Keys created with a leaked key may belong to an attacker.
  const isCascading = cascade || reason === "leaked";
  const reached = await tenantStorage(context.env.DB, tenantId).apiKeys.revoke(
    keyId,
    { revokedAt, reason, isCascading },
    auditFor(context, { action: "api_key.revoked", target: keyId, tenantId }),
  );
  if (reached.length === 0) throw notFound("key");
  const revoked_key_ids = reached.map(({ id }) => id);
  knownKeys.forget(({ id }) => revoked_key_ids.includes(id));
  // Client tokens of a key that was revoked longer ago have expired.
  const oldest = new Date(Date.parse(revokedAt) - MAX_TOKEN_TTL_SECONDS * 1_000).toISOString();
  const cut = reached.filter(({ revoked_at }) => revoked_at === null || revoked_at > oldest);
  await cutKeys(
    context.env,
    tenantId,
    cut.map(({ id }) => id),
    { tokens: isCascading },
  );
  return { revoked_key_ids };
}

/** By default a key expires together with the key that creates it. */
function grantExpiry(wanted: string | undefined, held: string | null): string | null {
  if (wanted !== undefined && isAfter(wanted, held)) {
    const detail = `your own key ends at ${held}, and a key that it makes ends no later`;
    throw fieldError("insufficient_scope", "#/expires_at", detail);
  }
  return wanted ?? held;
}

/** Whether one expiry is later than another; null means never. Both UTC ISO 8601 with milliseconds. */
function isAfter(end: string | null, limit: string | null): boolean {
  return limit !== null && (end === null || end > limit);
}

export const apiKeyRoutes = {
  createApiKey,
  listApiKeys,
  rotateApiKey,
  revokeApiKeys,
  revokeApiKey,
};
