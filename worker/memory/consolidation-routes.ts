// Routes on the consolidations of a store, for API keys.
import {
  MemoryConsolidationCreateSchema,
  MemoryConsolidationQuerySchema,
} from "../../protocol/memory/consolidation.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { tenantOf } from "../principal.ts";
import { keepOutcome, keepRepeatable } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { findStore } from "./store-routes.ts";

const createConsolidation: RouteHandler = async (context) => {
  const body = await readBody(context, MemoryConsolidationCreateSchema);
  const { stub, owner, path } = await placeOf(context);
  const request_id = context.get("claim")?.claimId ?? null;
  const act = { action: "memory_consolidation.started", target: path.storeId } as const;
  const job = unwrap(
    await audited(context, act, () => stub.beginConsolidation({ ...body, owner, request_id })),
  );
  const location = `${path.jobs}/${job.id}`;
  await keepOutcome(context, { status: 202, location, body: job });
  return context.json(job, 202, { Location: location });
};

const listConsolidations: RouteHandler = async (context) => {
  const { page, limit } = readQuery(context, MemoryConsolidationQuerySchema);
  const before = page === undefined ? undefined : decodePageToken("memcon", page);
  if (before === null) throw badPageToken();
  const { stub } = await placeOf(context);
  return context.json(await stub.listConsolidations({ limit, before }));
};

const readConsolidation: RouteHandler = async (context) => {
  const { stub } = await placeOf(context);
  return context.json(unwrap(await stub.readConsolidation(pathId(context, "consolidation_id"))));
};

/** Repeated it has the same effect, so that its key may be kept nowhere. */
const cancelConsolidation: RouteHandler = async (context) => {
  const id = pathId(context, "consolidation_id");
  const { stub } = await placeOf(context);
  const act = { action: "memory_consolidation.cancelled", target: id } as const;
  const job = unwrap(await audited(context, act, () => stub.cancelConsolidation(id)));
  await keepRepeatable(context);
  return context.json(job);
};

async function placeOf(context: AppContext) {
  const { id, agent_id, end_user_id } = await findStore(context);
  const tenant_id = tenantOf(context);
  return {
    stub: memoryStub(context.env, tenant_id, id),
    owner: { tenant_id, agent_id, end_user_id },
    path: { storeId: id, jobs: `/v1/memory-stores/${id}/consolidations` },
  };
}

export const consolidationRoutes = {
  createConsolidation,
  listConsolidations,
  readConsolidation,
  cancelConsolidation,
};
