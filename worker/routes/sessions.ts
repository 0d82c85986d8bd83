import type { SessionInit } from "../../durable-objects/session-api.ts";
import { SessionCreateSchema, SessionListQuerySchema } from "../../protocol/api/sessions.ts";
import { tenantStorage } from "../../storage/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../read-body.ts";
import { readQuery, toListRequest } from "../read-query.ts";
import type { SessionStub } from "../session-stub.ts";
import { sessionStub } from "../session-stub.ts";
import { definitionOf } from "./agents.ts";

const createSession: RouteHandler = async (context) => {
  const { agent_id, end_user_id = null, metadata } = await readBody(context, SessionCreateSchema);
  const tenantId = tenantOf(context);
  const storage = tenantStorage(context.env.DB, tenantId);
  const agent = await storage.agents.read(agent_id);
  if (!agent) throw fieldError("not_found", "#/agent_id", "there is no such agent");
  const summary = {
    id: newId("ses"),
    agent_id,
    agent_version: agent.version,
    end_user_id,
    metadata,
    created_at: nowTimestamp(),
  };
  const { id: session_id, ...rest } = summary;
  const init: SessionInit = {
    ...rest,
    session_id,
    tenant_id: tenantId,
    agent: definitionOf(agent),
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

const listSessions: RouteHandler = async (context) => {
  const { page, limit, ...filter } = readQuery(context, SessionListQuerySchema);
  const request = { ...toListRequest("ses", { page, limit }), ...filter };
  return context.json(
    await tenantStorage(context.env.DB, tenantOf(context)).sessions.list(request),
  );
};

const readSession: RouteHandler = async (context) =>
  context.json(unwrap(await stubOf(context).read()));

/** The object goes first; when the row outlives a failure, the same request again removes it. */
const deleteSession: RouteHandler = async (context) => {
  const removed = await stubOf(context).remove();
  await tenantStorage(context.env.DB, tenantOf(context)).sessions.remove(
    pathId(context, "session_id"),
  );
  unwrap(removed);
  return context.body(null, 204);
};

/** The object of the session in the path. */
export function stubOf(context: AppContext): SessionStub {
  return sessionStub(context.env, tenantOf(context), pathId(context, "session_id"));
}

export const sessionRoutes = { createSession, listSessions, readSession, deleteSession };
