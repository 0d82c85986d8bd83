// Routes on the memory stores of a tenant.
import {
  MemoryStoreCreateSchema,
  MemoryStoreQuerySchema,
  type MemoryStoreRecord,
} from "../../protocol/memory/contract.ts";
import type { Once } from "../../durable-objects/api/session-api.ts";
import { memoryStoreId } from "../../storage/memory/store-id.ts";
import { decodeStorePosition } from "../../storage/memory/memory-store-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited, auditFor } from "../audit/audit.ts";
import { fieldError, notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { nowTimestamp } from "../new-id.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { tenantOf } from "../principal.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { eraseMemoryStore } from "./erase-stores.ts";

/** The store of an agent and an end user is one, so that a repeated request finds the one that it has made. */
const createMemoryStore: RouteHandler = async (context) => {
  const { agent_id, end_user_id = null } = await readBody(context, MemoryStoreCreateSchema);
  const tenant_id = tenantOf(context);
  const { agents, memoryStores } = tenantStorage(context.env.DB, tenant_id);
  if (!(await agents.read(agent_id))) {
    throw fieldError("not_found", "#/agent_id", "there is no such agent");
  }
  const owner = { tenant_id, agent_id, end_user_id };
  const id = await memoryStoreId(context.env, owner);
  const before = await memoryStores.read(id);
  if (!before) {
    // An audit outlives the end user, so it does not name one.
    const after = { agent_id };
    const act = { action: "memory_store.created", target: id, after } as const;
    const stub = memoryStub(context.env, tenant_id, id);
    const open = async (): Promise<Once<object>> => stub.open({ owner, embedding: null });
    unwrap(await audited(context, act, open));
  }
  const store = before ?? (await memoryStores.read(id));
  if (!store) throw notFound("agent");
  const [status, location] = [before ? 200 : 201, `/v1/memory-stores/${id}`] as const;
  await keepOutcome(context, { status, location, body: store });
  return context.json(store, status, { Location: location });
};

const listMemoryStores: RouteHandler = async (context) => {
  const { page, limit, agent_id, end_user_id } = readQuery(context, MemoryStoreQuerySchema);
  const before = page === undefined ? undefined : decodeStorePosition(page);
  if (before === null) throw badPageToken();
  const { memoryStores } = tenantStorage(context.env.DB, tenantOf(context));
  const request = { agentId: agent_id, endUserId: end_user_id, before, limit };
  return context.json(await memoryStores.list(request));
};

const readMemoryStore: RouteHandler = async (context) => context.json(await findStore(context));

/** The store is gone from the first step on; the sweep does what this request does not finish. */
const deleteMemoryStore: RouteHandler = async (context) => {
  const { id, agent_id } = await findStore(context);
  const tenant_id = tenantOf(context);
  const before = { agent_id };
  const audit = auditFor(context, { action: "memory_store.deleted", target: id, before });
  const { memoryStores } = tenantStorage(context.env.DB, tenant_id);
  if (!(await memoryStores.beginRemoval(id, nowTimestamp(), audit))) throw notFound("memory store");
  await eraseMemoryStore(context.env, { id, tenant_id }).catch((error: unknown) =>
    console.warn("memory: a store was not erased; the sweep will", { error: String(error) }),
  );
  return context.body(null, 204);
};

/** The store in the path. @throws HttpError `not_found`. */
export async function findStore(context: AppContext): Promise<MemoryStoreRecord> {
  const { memoryStores } = tenantStorage(context.env.DB, tenantOf(context));
  const store = await memoryStores.read(pathId(context, "memory_store_id"));
  if (!store) throw notFound("memory store");
  return store;
}

export const memoryStoreRoutes = {
  createMemoryStore,
  listMemoryStores,
  readMemoryStore,
  deleteMemoryStore,
};
