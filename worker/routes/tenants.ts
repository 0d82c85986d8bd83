import type { ApiKey } from "../../protocol/api/api-keys.ts";
import { SCOPES } from "../../protocol/api/api-keys.ts";
import { apiKeyPrefix } from "../../protocol/api-key-format.ts";
import { DEFAULT_QUOTAS, quotaValues } from "../../protocol/api/quotas.ts";
import type { CreatedTenant, Tenant } from "../../protocol/api/tenants.ts";
import { TenantCreateSchema, TenantUpdateSchema } from "../../protocol/api/tenants.ts";
import { MAX_ERASED_SESSIONS, MAX_PAGE_LIMIT } from "../../protocol/limits.ts";
import { operatorStorage } from "../../storage/operator-storage.ts";
import { tenantStorage } from "../../storage/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { notFound, unwrap } from "../http-error.ts";
import { hashApiKey, makeApiKey } from "../key-secrets.ts";
import { knownKeys } from "../known-keys.ts";
import { keepFor } from "../keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { readBody } from "../read-body.ts";
import { readListQuery } from "../read-query.ts";
import { sessionStub } from "../session-stub.ts";

const createTenant: RouteHandler = async (context) => {
  const { name, metadata = {}, quotas = {} } = await readBody(context, TenantCreateSchema);
  const createdAt = nowTimestamp();
  const tenant: Tenant = {
    id: newId("ten"),
    name,
    metadata,
    status: "active",
    quotas: { ...DEFAULT_QUOTAS, ...quotaValues(quotas) },
    created_at: createdAt,
  };
  const plainKey = makeApiKey("live");
  const key: ApiKey = {
    id: newId("key"),
    tenant_id: tenant.id,
    name: null,
    mode: "live",
    prefix: apiKeyPrefix(plainKey),
    scopes: [...SCOPES],
    created_at: createdAt,
    expires_at: null,
    revoked_at: null,
    revoked_reason: null,
    created_by: "operator",
    last_used_at: null,
    old_secret_expires_at: null,
  };
  const hash = await hashApiKey(plainKey, context.env.KEY_PEPPER);
  const location = `/v1/tenants/${tenant.id}`;
  const keep = keepFor(context, { status: 201, location, body: tenant });
  await operatorStorage(context.env.DB).insertTenant(tenant, key, hash, keep);
  const created: CreatedTenant = { ...tenant, api_key: plainKey };
  return context.json(created, 201, { Location: location });
};

const listTenants: RouteHandler = async (context) => {
  const request = readListQuery(context, "ten");
  return context.json(await operatorStorage(context.env.DB).listTenants(request));
};

const readTenant: RouteHandler = async (context) => {
  const tenant = await operatorStorage(context.env.DB).readTenant(pathId(context, "tenant_id"));
  if (!tenant) throw notFound("tenant");
  return context.json(tenant);
};

const updateTenant: RouteHandler = async (context) => {
  const { status, ...changes } = await readBody(context, TenantUpdateSchema);
  if (status === "closed") return deleteTenant(context);
  const tenantId = pathId(context, "tenant_id");
  const updated = await operatorStorage(context.env.DB).updateTenant(tenantId, {
    ...changes,
    ...(status && { status }),
  });
  if (!updated) throw notFound("tenant");
  return context.json(updated.tenant);
};

/** 204 when everything is erased, 202 when sessions are left: the same request again goes on. */
const deleteTenant: RouteHandler = async (context) => {
  const tenantId = pathId(context, "tenant_id");
  const isKnown = await operatorStorage(context.env.DB).closeTenant(tenantId, nowTimestamp());
  if (!isKnown) throw notFound("tenant");
  knownKeys.forget((key) => key.tenant_id === tenantId);
  const isErased = await eraseSessions(context.env, tenantId);
  if (isErased) {
    await operatorStorage(context.env.DB).eraseTenant(tenantId);
    return context.body(null, 204);
  }
  return context.json({ id: tenantId, status: "erasing" }, 202, { "Retry-After": "1" });
};

async function eraseSessions(env: Env, tenantId: string): Promise<boolean> {
  const { sessions } = tenantStorage(env.DB, tenantId);
  for (let erased = 0; erased < MAX_ERASED_SESSIONS; erased += MAX_PAGE_LIMIT) {
    const ids = await sessions.listIds(MAX_PAGE_LIMIT);
    // One that cannot be erased now must not keep the others.
    const ends = await Promise.allSettled(ids.map((id) => eraseSession(env, tenantId, id)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    if (ids.length < MAX_PAGE_LIMIT) return true;
  }
  return false;
}

/**
 * The object before the row: a row without its object is found again, an object without its row never. Hidden
 * before both, so that what the object still delivers comes to nothing.
 */
async function eraseSession(env: Env, tenantId: string, sessionId: string): Promise<void> {
  const { sessions } = tenantStorage(env.DB, tenantId);
  const hidden = await sessions.beginRemoval(sessionId, nowTimestamp());
  const result = await sessionStub(env, tenantId, sessionId).remove();
  if (!result.ok && result.refusal.code !== "not_found") unwrap(result);
  if (hidden) await sessions.remove(sessionId, hidden.created_at);
}

export const tenantRoutes = { createTenant, listTenants, readTenant, updateTenant, deleteTenant };
