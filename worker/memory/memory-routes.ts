// Routes on the memories of a store and their versions, for API keys.
import type { StoreCall } from "../../durable-objects/api/memory-api.ts";
import {
  MemoryCreateSchema,
  MemoryUpdateSchema,
  MemoryVersionQuerySchema,
  type Memory,
  type MemoryStoreRecord,
} from "../../protocol/memory/contract.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { tenantOf } from "../principal.ts";
import { keepOutcome, keepRepeatable } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { auditedWrite } from "./audited-write.ts";
import { etagOf, findMemories, type PlacedStore } from "./find-memories.ts";
import { findStore } from "./store-routes.ts";

/** A memory that says what is there already is the one that is there: 200. */
const createMemory: RouteHandler = async (context) => {
  const { content, path = null } = await readBody(context, MemoryCreateSchema);
  const { stub, call, id } = await storeOf(context);
  const record_id = context.get("claim")?.claimId ?? crypto.randomUUID();
  const { kind, memory } = unwrap(await stub.write({ ...call, content, path, record_id }));
  const [status, location] = [
    kind === "added" ? 201 : 200,
    `/v1/memory-stores/${id}/memories/${memory.id}`,
  ] as const;
  await keepOutcome(context, { status, location, body: memory });
  return context.json(memory, status, { Location: location, ETag: etagOf(memory) });
};

const listMemories: RouteHandler = async (context) =>
  context.json(await findMemories(context, await storeOf(context)));

const readMemory: RouteHandler = async (context) => {
  const { stub } = await storeOf(context);
  return shown(context, unwrap(await stub.read(pathId(context, "memory_id"))));
};

const updateMemory: RouteHandler = async (context) => {
  const if_versions = wantedVersions(context.req.header("If-Match"));
  const change = await readBody(context, MemoryUpdateSchema);
  const { stub, call } = await storeOf(context);
  const memory_id = pathId(context, "memory_id");
  const corrected = await auditedWrite(context, "memory.corrected", memory_id, () =>
    stub.correct({ ...call, memory_id, change, if_versions }),
  );
  return shown(context, corrected);
};

const deleteMemory: RouteHandler = async (context) => {
  const if_versions = wantedVersions(context.req.header("If-Match"));
  const { stub } = await storeOf(context);
  const memory_id = pathId(context, "memory_id");
  await auditedWrite(context, "memory.deleted", memory_id, () =>
    stub.forget(memory_id, if_versions),
  );
  return context.body(null, 204);
};

const listMemoryVersions: RouteHandler = async (context) => {
  const { page, limit, memory_id } = readQuery(context, MemoryVersionQuerySchema);
  const before = page === undefined ? undefined : decodePageToken("memver", page);
  if (before === null) throw badPageToken();
  const { stub } = await storeOf(context);
  return context.json(await stub.listVersions({ memoryId: memory_id, before, limit }));
};

const readMemoryVersion: RouteHandler = async (context) => {
  const { stub } = await storeOf(context);
  return context.json(unwrap(await stub.readVersion(pathId(context, "memory_version_id"))));
};

/** Repeated it has the same answer, so that its key may be kept nowhere. */
const redactMemoryVersion: RouteHandler = async (context) => {
  const { stub } = await storeOf(context);
  const version_id = pathId(context, "memory_version_id");
  const redacted = await auditedWrite(context, "memory.redacted", version_id, () =>
    stub.redact(version_id),
  );
  await keepRepeatable(context);
  return context.json(redacted);
};

async function storeOf(context: AppContext): Promise<PlacedStore> {
  const store = await findStore(context);
  return { id: store.id, ...(await openStore(context, store)) };
}

/** The endpoint for embeddings is the one of the agent's newest version. */
async function openStore(
  context: AppContext,
  { id, agent_id, end_user_id }: MemoryStoreRecord,
): Promise<Omit<PlacedStore, "id">> {
  const tenant_id = tenantOf(context);
  const agent = await tenantStorage(context.env.DB, tenant_id).agents.read(agent_id);
  if (!agent) throw notFound("memory store");
  const owner = { tenant_id, agent_id, end_user_id };
  const embedding = agent.memory?.embedding ?? null;
  const call: StoreCall = { owner, embedding, agent_version: agent.version };
  return { stub: memoryStub(context.env, tenant_id, id), call };
}

function shown(context: AppContext, memory: Memory): Response {
  return context.json(memory, 200, { ETag: etagOf(memory) });
}

export const memoryRoutes = {
  createMemory,
  listMemories,
  readMemory,
  updateMemory,
  deleteMemory,
  listMemoryVersions,
  readMemoryVersion,
  redactMemoryVersion,
};
