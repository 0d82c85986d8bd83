import { TenantDecisionListQuerySchema } from "../../protocol/decisions/contract.ts";
import { decodeDecisionPosition } from "../../storage/decisions/decision-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { makerOf, tenantOf } from "../principal.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";

/**
 * Decisions of all sessions, from D1; a session's own record, in its object, has automatic permissions and inputs as
 * well.
 */
const listTenantDecisions: RouteHandler = async (context) => {
  const { page, answered_by: who, ...request } = readQuery(context, TenantDecisionListQuerySchema);
  const before = page === undefined ? undefined : decodeDecisionPosition(page);
  if (before === null) throw badPageToken();
  const { decisions } = tenantStorage(context.env.DB, tenantOf(context));
  const answered_by = who && { who, id: makerOf(context.get("principal")) };
  return context.json(await decisions.list({ ...request, before, answered_by }));
};

export const tenantDecisionRoutes = { listTenantDecisions };
