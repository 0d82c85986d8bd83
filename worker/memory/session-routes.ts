// The end user's view: the memories of a session's agent and end user, which they list, correct and delete with a client token
// that has the verb `memory`, or with a token of an issuer that has it.
import type { SessionMemory } from "../../durable-objects/acts/memory.ts";
import { MemoryUpdateSchema, type MemoryUpdate } from "../../protocol/memory/contract.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { memoryStoreId } from "../../storage/memory/store-id.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { HttpError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { shareOf, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { auditedWrite } from "./audited-write.ts";
import { etagOf, findMemories, type PlacedStore } from "./find-memories.ts";

const listSessionMemories: RouteHandler = async (context) =>
  context.json(await findMemories(context, await sessionStore(context)));

const updateSessionMemory: RouteHandler = async (context) => {
  const if_versions = wantedVersions(context.req.header("If-Match"));
  const change = await readBody(context, MemoryUpdateSchema);
  const { stub, call } = await sessionStore(context);
  await checkShare(context, call.owner.end_user_id, change);
  const memory_id = pathId(context, "memory_id");
  const memory = await auditedWrite(context, "memory.corrected", memory_id, () =>
    stub.correct({ ...call, memory_id, change, if_versions }),
  );
  return context.json(memory, 200, { ETag: etagOf(memory) });
};

const deleteSessionMemory: RouteHandler = async (context) => {
  const if_versions = wantedVersions(context.req.header("If-Match"));
  const { stub } = await sessionStore(context);
  const memory_id = pathId(context, "memory_id");
  await auditedWrite(context, "memory.deleted", memory_id, () =>
    stub.forget(memory_id, if_versions),
  );
  return context.body(null, 204);
};

/**
 * @throws HttpError `conflict` for a session in which nothing is remembered, or nothing that is this caller's; `not_found` for
 *   one that is another end user's now.
 */
async function sessionStore(context: AppContext): Promise<PlacedStore> {
  const session = await actOnSession(context, "readMemoryOwner");
  const principal = context.get("principal");
  // The token was checked against a cached owner: since then a thread may have been opened anew under the same id.
  if (principal.kind === "end_user" && session.end_user_id !== principal.endUserId) {
    throw notFound("session");
  }
  const isEndUsers = principal.kind !== "tenant";
  const problem = findProblem(session, isEndUsers);
  if (problem !== null) throw new HttpError("conflict", problem);
  const tenant_id = tenantOf(context);
  const { agent_id, agent_version, memory } = session;
  const end_user_id = memory?.scope === "agent" ? null : session.end_user_id;
  const owner = { tenant_id, agent_id, end_user_id };
  const id = await memoryStoreId(context.env, owner);
  const call = { owner, embedding: memory?.embedding ?? null, agent_version };
  return { id, stub: memoryStub(context.env, tenant_id, id), call };
}

/** A correction is a further version. @throws HttpError when it exceeds the end user's share. */
async function checkShare(
  context: AppContext,
  endUserId: string | null,
  { content = "" }: MemoryUpdate,
): Promise<void> {
  const share = shareOf(context.get("principal"));
  if (share === undefined || endUserId === null) return;
  const { memoryStores } = tenantStorage(context.env.DB, tenantOf(context));
  await memoryStores.checkShare(endUserId, utf8Bytes(content), share);
}

function findProblem({ end_user_id, memory }: SessionMemory, isEndUsers: boolean): string | null {
  if (!memory) return "the agent of this session remembers nothing: its definition has no `memory`";
  if (memory.scope === "end_user") {
    if (end_user_id !== null) return null;
    return "this session has no end user, and its agent remembers things of end users alone; open sessions with an `end_user_id`";
  }
  return isEndUsers
    ? "what this agent remembers is shared by all its end users: it is read and written with API keys alone"
    : null;
}

export const sessionMemoryRoutes = {
  listSessionMemories,
  updateSessionMemory,
  deleteSessionMemory,
};
