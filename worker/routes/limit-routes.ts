import { LimitsQuerySchema, type TenantLimits } from "../../protocol/api/tenants/quotas.ts";
import { readTenantSettings } from "../../storage/tenants/read-tenant-settings.ts";
import type { RouteHandler } from "../app-env.ts";
import { notFound } from "../http-error.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { readQuery } from "../request/read-query.ts";
import { tenantStub } from "../auth/tenant-stub.ts";

const DAY_MS = 86_400_000;

/** Rows and bytes as counted in D1; running replies and today's tokens as counted by the tenant's object. */
const readLimits: RouteHandler = async (context) => {
  const { env } = context;
  const { tenant_id } = readQuery(context, LimitsQuerySchema);
  const tenantId = await namedTenant(context, tenant_id, "#/query/tenant_id");
  const [settings, used] = await Promise.all([
    readTenantSettings(env.DB, tenantId),
    tenantStub(env, tenantId).readUse(),
  ]);
  if (!settings) throw notFound("tenant");
  const nowMs = Date.now();
  const limits: TenantLimits = {
    tenant_id: tenantId,
    quotas: settings.quotas,
    used: { ...used, ...settings.counts },
    day_ends_at: new Date(nowMs - (nowMs % DAY_MS) + DAY_MS).toISOString(),
  };
  return context.json(limits);
};

export const limitRoutes = { readLimits };
