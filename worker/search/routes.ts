import { SessionSearchUpdateSchema } from "../../protocol/search/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { searchStub } from "../objects/search-stub.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";

const readSessionSearch: RouteHandler = async (context) => {
  const { search } = tenantStorage(context.env.DB, tenantOf(context));
  return context.json(await search.read());
};

/**
 * D1 first, so that nothing is indexed any more; then the index, which erases itself. A repeated request erases again what
 * an interrupted one has left, and so does the sweep.
 */
const updateSessionSearch: RouteHandler = async (context) => {
  const { enabled } = await readBody(context, SessionSearchUpdateSchema);
  const tenantId = tenantOf(context);
  const { search } = tenantStorage(context.env.DB, tenantId);
  const audit = auditFor(context, {
    action: "session_search.updated",
    target: tenantId,
    before: { enabled: !enabled },
    after: { enabled },
  });
  await search.set(enabled, audit);
  if (!enabled) await searchStub(context.env, tenantId).followSetting();
  return context.json(await search.read());
};

export const searchRoutes = { readSessionSearch, updateSessionSearch };
