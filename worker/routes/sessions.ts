import type { SessionInit, SessionPatch } from "../../durable-objects/session-api.ts";
import {
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionUpdateSchema,
} from "../../protocol/api/sessions.ts";
import type { AgentSnapshot } from "../../storage/agent-snapshot.ts";
import { readAgentSnapshot } from "../../storage/agent-snapshot.ts";
import { namedCredentials } from "../../storage/named-credentials.ts";
import { tenantStorage } from "../../storage/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError, HttpError, notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../read-body.ts";
import { readQuery, toListRequest } from "../read-query.ts";
import type { SessionStub } from "../session-stub.ts";
import { sessionStub } from "../session-stub.ts";

const createSession: RouteHandler = async (context) => {
  const body = await readBody(context, SessionCreateSchema);
  const { agent_id, agent_version, end_user_id = null, metadata } = body;
  const tenantId = tenantOf(context);
  const storage = tenantStorage(context.env.DB, tenantId);
  const agent = await storage.agents.read(agent_id);
  if (!agent) throw fieldError("not_found", "#/agent_id", "there is no such agent");
  const version = typeof agent_version === "number" ? agent_version : agent.version;
  const snapshot = await readSnapshot(context, agent_id, version);
  const summary = {
    id: newId("ses"),
    agent_id,
    agent_version: version,
    follows_latest: agent_version === "latest",
    end_user_id,
    metadata,
    created_at: nowTimestamp(),
  };
  const { id: session_id, ...rest } = summary;
  const init: SessionInit = {
    ...rest,
    session_id,
    tenant_id: tenantId,
    agent: snapshot.definition,
    credentials: snapshot.credentials,
    tenant_key: snapshot.tenant_key,
  };

  const stub = sessionStub(context.env, tenantId, session_id);
  const session = unwrap(await stub.create(init));
  try {
    await storage.sessions.insert(summary);
  } catch (error) {
    // Nobody knows the id yet: an object that no list shows would stay for ever.
    await stub.remove();
    throw error;
  }
  return context.json(session, 201, { Location: `/v1/sessions/${session_id}` });
};

/** @throws HttpError when there is no such version, or a credential that it names was deleted. */
async function readSnapshot(
  context: AppContext,
  agentId: string,
  version: number,
): Promise<AgentSnapshot> {
  const snapshot = await readAgentSnapshot(context.env.DB, tenantOf(context), agentId, version);
  if (!snapshot) throw fieldError("not_found", "#/agent_version", "the agent has no such version");
  const lost = namedCredentials(snapshot.definition).find(({ id }) => !snapshot.credentials[id]);
  if (!lost) return snapshot;
  throw new HttpError(
    "conflict",
    `version ${version} of the agent names a credential that was deleted; give the agent another one`,
    { extensions: { agent_pointer: lost.pointer } },
  );
}

const listSessions: RouteHandler = async (context) => {
  const { page, limit, ...filter } = readQuery(context, SessionListQuerySchema);
  const request = { ...toListRequest("ses", { page, limit }), ...filter };
  return context.json(
    await tenantStorage(context.env.DB, tenantOf(context)).sessions.list(request),
  );
};

const readSession: RouteHandler = async (context) =>
  context.json(unwrap(await stubOf(context).read()));

/** The row first: when it cannot be written nothing has changed, and when the object cannot, asking again helps. */
const updateSession: RouteHandler = async (context) => {
  const { agent_version, metadata } = await readBody(context, SessionUpdateSchema);
  if (agent_version === undefined && metadata === undefined) return readSession(context);
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const sessionId = pathId(context, "session_id");
  const agentId = await sessions.findAgentId(sessionId);
  if (!agentId) throw notFound("session");
  const isNumber = typeof agent_version === "number";
  const snapshot = isNumber ? await readSnapshot(context, agentId, agent_version) : undefined;
  const isThere = await sessions.update(sessionId, {
    metadata,
    ...(isNumber && { agent_version }),
    ...(agent_version !== undefined && { follows_latest: agent_version === "latest" }),
  });
  if (!isThere) throw notFound("session");
  const patch: SessionPatch = { metadata, agent_version, snapshot };
  return context.json(unwrap(await stubOf(context).update(patch)));
};

/** Hidden first, so that nothing is half done while D1 is down; then the object; then what D1 holds of it. */
const deleteSession: RouteHandler = async (context) => {
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const sessionId = pathId(context, "session_id");
  await sessions.beginRemoval(sessionId, nowTimestamp());
  const removed = await stubOf(context).remove();
  // A row without its object is left of a deletion that was cut off: this one ends it.
  if (!(await sessions.remove(sessionId))) unwrap(removed);
  return context.body(null, 204);
};

/** The object of the session in the path. */
export function stubOf(context: AppContext): SessionStub {
  return sessionStub(context.env, tenantOf(context), pathId(context, "session_id"));
}

export const sessionRoutes = {
  createSession,
  listSessions,
  readSession,
  updateSession,
  deleteSession,
};
