import type { Agent, AgentDefinition } from "../../protocol/api/agents.ts";
import { AgentCreateSchema, AgentUpdateSchema } from "../../protocol/api/agents.ts";
import { tenantStorage } from "../../storage/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { HttpError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../read-body.ts";
import { readListQuery } from "../read-query.ts";

const createAgent: RouteHandler = async (context) => {
  const definition = await readBody(context, AgentCreateSchema);
  const agent = await agentsOf(context).insert(newId("agt"), definition, nowTimestamp());
  return context.json(agent, 201, { Location: `/v1/agents/${agent.id}` });
};

const listAgents: RouteHandler = async (context) =>
  context.json(await agentsOf(context).list(readListQuery(context, "agt")));

const readAgent: RouteHandler = async (context) => {
  const agent = await agentsOf(context).read(pathId(context, "agent_id"));
  if (!agent) throw notFound("agent");
  return context.json(agent);
};

/** A change that changes nothing makes no version, so a repeated request is harmless. */
const updateAgent: RouteHandler = async (context) => {
  const changes = await readBody(context, AgentUpdateSchema);
  const agents = agentsOf(context);
  const current = await agents.read(pathId(context, "agent_id"));
  if (!current) throw notFound("agent");
  const before = definitionOf(current);
  const definition = { ...before, ...changes };
  if (JSON.stringify(definition) === JSON.stringify(before)) return context.json(current);
  const agent = await agents.update(current, definition, nowTimestamp());
  if (!agent)
    throw new HttpError("conflict", "another change of the agent came first; read it again");
  return context.json(agent);
};

const deleteAgent: RouteHandler = async (context) => {
  const isRemoved = await agentsOf(context).remove(pathId(context, "agent_id"), nowTimestamp());
  if (!isRemoved) throw notFound("agent");
  return context.body(null, 204);
};

function agentsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).agents;
}

/** An agent without what the platform adds. */
export function definitionOf(agent: Agent): AgentDefinition {
  const {
    id: _id,
    version: _version,
    created_at: _created,
    updated_at: _updated,
    ...definition
  } = agent;
  return definition;
}

export const agentRoutes = { createAgent, listAgents, readAgent, updateAgent, deleteAgent };
