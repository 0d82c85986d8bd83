import { shareOfBytes } from "../../protocol/quotas/end-user-share.ts";
import { LimitsQuerySchema, type TenantLimits } from "../../protocol/quotas/contract.ts";
import { holderOf } from "../../storage/quotas/holder-of.ts";
import { readEndUserUse } from "../../storage/quotas/read-end-user-use.ts";
import { readTenantSettings } from "../../storage/tenants/read-tenant-settings.ts";
import type { RouteHandler } from "../app-env.ts";
import { notFound } from "../http-error.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { readQuery } from "../requests/read-query.ts";
import { tenantStub } from "../objects/tenant-stub.ts";

const DAY_MS = 86_400_000;

/** Rows and bytes as counted in D1; running replies and today's tokens as counted by the tenant's object. */
const readLimits: RouteHandler = async (context) => {
  const { env } = context;
  const { tenant_id, end_user_id = null } = readQuery(context, LimitsQuerySchema);
  const tenantId = await namedTenant(context, tenant_id, "#/query/tenant_id");
  const holder = end_user_id === null ? undefined : holderOf({ session_id: "", end_user_id });
  const [settings, { held_replies, ...used }, held] = await Promise.all([
    readTenantSettings(env.DB, tenantId),
    tenantStub(env, tenantId).readUse(holder),
    holder === undefined ? undefined : readEndUserUse(env.DB, tenantId, holder),
  ]);
  if (!settings) throw notFound("tenant");
  const { stored_bytes, end_user_share: share } = settings.quotas;
  const nowMs = Date.now();
  const limits: TenantLimits = {
    tenant_id: tenantId,
    quotas: settings.quotas,
    used: { ...used, ...settings.counts },
    day_ends_at: new Date(nowMs - (nowMs % DAY_MS) + DAY_MS).toISOString(),
    ...(end_user_id !== null &&
      held && {
        end_user: {
          end_user_id,
          limits: {
            sessions: share.sessions,
            running_replies: share.running_replies,
            stored_bytes: shareOfBytes(share, stored_bytes),
          },
          used: { ...held, running_replies: held_replies },
        },
      }),
  };
  return context.json(limits);
};

export const limitRoutes = { readLimits };
