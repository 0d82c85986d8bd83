import type { ApiKey } from "../../protocol/keys/contract.ts";
import { SCOPES } from "../../protocol/keys/contract.ts";
import { apiKeyPrefix } from "../../protocol/keys/api-key-format.ts";
import { DEFAULT_QUOTAS, quotaValues, withQuotas } from "../../protocol/quotas/contract.ts";
import type { CreatedTenant, Tenant } from "../../protocol/tenants/contract.ts";
import {
  TenantCreateSchema,
  TenantsQuerySchema,
  TenantUpdateSchema,
} from "../../protocol/tenants/contract.ts";
import { REMOVAL_CHECK_MS } from "../../protocol/operator/limits.ts";
import { enqueueWaiting } from "../../storage/webhooks/enqueue-waiting.ts";
import { operatorStorage } from "../../storage/operator/operator-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { continueErasure } from "../jobs/erase-tenant.ts";
import { notFound } from "../http-error.ts";
import { hashApiKey, makeApiKey } from "../auth/key-secrets.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { pushTenantStatus } from "../auth/push-tenant-status.ts";

const createTenant: RouteHandler = async (context) => {
  const { name, metadata = {}, quotas = {} } = await readBody(context, TenantCreateSchema);
  const createdAt = nowTimestamp();
  const tenant: Tenant = {
    id: newId("ten"),
    name,
    metadata,
    status: "active",
    quotas: withQuotas(DEFAULT_QUOTAS, quotaValues(quotas)),
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
  const keep = answerStatement(context, { status: 201, location, body: tenant });
  const audit = auditFor(context, {
    action: "tenant.created",
    target: tenant.id,
    after: tenant,
    tenantId: tenant.id,
  });
  await operatorStorage(context.env.DB).insertTenant(tenant, key, hash, { keep, audit });
  const created: CreatedTenant = { ...tenant, api_key: plainKey };
  return context.json(created, 201, { Location: location });
};

const listTenants: RouteHandler = async (context) => {
  const { search, ...page } = readQuery(context, TenantsQuerySchema);
  const request = { ...toListRequest("ten", page), search };
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
  const { env } = context;
  const tenantId = pathId(context, "tenant_id");
  const changed = { ...changes, ...(status && { status }) };
  const storage = operatorStorage(env.DB);
  const before = await storage.readTenant(tenantId);
  if (!before) throw notFound("tenant");
  const quotas = withQuotas(before.quotas, quotaValues(changes.quotas ?? {}));
  const after = { ...before, ...changed, quotas };
  const audit = auditFor(context, {
    action: "tenant.updated",
    target: tenantId,
    before,
    after,
    tenantId,
  });
  const updated = await storage.updateTenant(tenantId, changed, audit);
  if (!updated) throw notFound("tenant");
  if (status || changes.quotas) await pushTenantStatus(env, updated);
  // Enqueues the deliveries that waited while the tenant was suspended.
  if (status === "active") await enqueueWaiting(env, [tenantId]);
  return context.json(updated.tenant);
};

/**
 * Stops the tenant's replies and streams, then runs the first step of its erasure: 204 when that was all, 202 when the
 * queue continues.
 */
const deleteTenant: RouteHandler = async (context) => {
  const { env } = context;
  const tenantId = pathId(context, "tenant_id");
  const audit = auditFor(context, { action: "tenant.closed", target: tenantId, tenantId });
  const closed = await operatorStorage(env.DB).closeTenant(tenantId, nowTimestamp(), audit);
  if (!closed) throw notFound("tenant");
  const job = { kind: "tenant_removal", tenant_id: tenantId, chain: crypto.randomUUID() } as const;
  await env.REMOVAL_QUEUE.send(job, { delaySeconds: REMOVAL_CHECK_MS / 1_000 });
  await pushTenantStatus(env, closed);
  if ((await continueErasure(env, job)) === "done") return context.body(null, 204);
  return context.json({ id: tenantId, status: "erasing" }, 202, { "Retry-After": "1" });
};

export const tenantRoutes = { createTenant, listTenants, readTenant, updateTenant, deleteTenant };
