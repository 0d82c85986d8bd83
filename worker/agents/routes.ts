import type { Agent, AgentDefinition, AgentUpdate } from "../../protocol/agents/contract.ts";
import {
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersionUpdateSchema,
} from "../../protocol/agents/contract.ts";
import { AgentCheckCreateSchema, type AgentCheck } from "../../protocol/agents/agent-check.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { WriteQuerySchema } from "../../protocol/schemas/write-query.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { decodeNumberToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditAlone, auditFor } from "../audit/audit.ts";
import { checkMcpServers } from "../mcp/check-mcp-servers.ts";
import { checkAddresses } from "../requests/check-addresses.ts";
import { checkAgentTools } from "./check-agent-tools.ts";
import { checkCodeAgent } from "./check-code-agent.ts";
import { checkRemoteModel } from "./check-remote-model.ts";
import { checkVoice } from "./check-voice.ts";
import { checkCodeHooks } from "../hooks/check-code-hooks.ts";
import { checkCodeTools } from "../tools/check-code-tools.ts";
import { checkCredentials } from "../requests/check-credentials.ts";
import { checkSkills } from "../skills/check-skills.ts";
import { checkMemoryTools } from "../memory/check-memory-tools.ts";
import { checkPlanTools } from "../plans/check-plan-tools.ts";
import { checkToolGroups } from "../tool-groups/check-tool-groups.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { eraseLeftStores } from "../memory/erase-stores.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId, pathNumber } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readListQuery, readQuery } from "../requests/read-query.ts";
import { CallLease } from "../auth/call-lease.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { agentWarnings, warningsOfWrite } from "./agent-warnings.ts";
import { checkAgent as runCheck } from "./check-agent.ts";
import { listRemoteAgents as listRemotes } from "./list-remote-agents.ts";
import { shownAgent } from "../sessions/shown-agent.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { requireUntrustedBypass } from "../auth/require-untrusted-bypass.ts";

/** With `validate_only` the definition is answered as it would be stored; whether a quota has room is not asked. */
const createAgent: RouteHandler = async (context) => {
  const { validate_only, strict } = readQuery(context, WriteQuerySchema);
  const definition = await readBody(context, AgentCreateSchema);
  requireBypass(context, definition.permission.mode);
  requireUntrustedBypass(context, definition.permission);
  const { agents } = storageOf(context);
  checkPlanTools(definition);
  checkMemoryTools(definition);
  checkToolGroups(definition);
  checkVoice(definition);
  await checkDefinition(context, definition);
  await checkSkills(context, definition, definition);
  const warned = await warningsOfWrite(context, definition, strict);
  if (validate_only) return context.json({ ...definition, ...warned });
  const id = newId("agt");
  const location = `/v1/agents/${id}`;
  const agent = await agents.insert(
    id,
    definition,
    nowTimestamp(),
    (body) => answerStatement(context, { status: 201, location, body: { ...body, ...warned } }),
    auditFor(context, {
      action: "agent.created",
      target: id,
      after: { version: 1, ...definition },
    }),
  );
  return context.json({ ...agent, ...warned }, 201, { Location: location });
};

const listAgents: RouteHandler = async (context) => {
  const page = await storageOf(context).agents.list(readListQuery(context, "agt"));
  return context.json({ ...page, data: page.data.map(shownAgent) });
};

const readAgent: RouteHandler = async (context) => {
  const agent = await storageOf(context).agents.read(pathId(context, "agent_id"));
  if (!agent) throw notFound("agent");
  return context.json(shownAgent(agent));
};

/**
 * A request without an actual change creates no version, so repeating it is safe. With `validate_only` the agent is
 * answered with its changes, in the version and of the time that it has.
 */
const updateAgent: RouteHandler = async (context) => {
  const { validate_only, strict } = readQuery(context, WriteQuerySchema);
  const changes = await readBody(context, AgentUpdateSchema);
  const { agents } = storageOf(context);
  const current = await agents.read(pathId(context, "agent_id"));
  if (!current) throw notFound("agent");
  const before = definitionOf(current);
  const definition = { ...before, ...changes };
  const warned = await warningsOfWrite(context, definition, strict);
  if (JSON.stringify(definition) === JSON.stringify(before)) {
    return context.json({ ...shownAgent(current), ...warned });
  }
  requireBypass(context, definition.permission.mode, before.permission.mode);
  checkPlanTools(definition);
  checkMemoryTools(definition);
  checkToolGroups(definition);
  checkVoice(definition);
  requireUntrustedBypass(context, definition.permission, before.permission);
  await checkDefinition(context, changes);
  await checkSkills(context, changes, definition);
  if (validate_only) {
    return context.json({ ...shownAgent({ ...current, ...definition }), ...warned });
  }
  const { id: target, version } = current;
  const audit = auditFor(context, {
    action: "agent.updated",
    target,
    before: current,
    after: { ...current, ...definition, version: version + 1 },
  });
  const agent = await agents.update(current, definition, nowTimestamp(), audit);
  if (!agent)
    throw new HttpError("conflict", "another change of the agent came first; read it again");
  return context.json({ ...shownAgent(agent), ...warned });
};

const deleteAgent: RouteHandler = async (context) => {
  const { agents } = storageOf(context);
  const target = pathId(context, "agent_id");
  // Null when an interrupted deletion is continued: its audit entry exists already.
  const before = await agents.read(target);
  const audit = auditFor(context, { action: "agent.deleted", target, before });
  if (!(await agents.remove(target, nowTimestamp(), audit))) throw notFound("agent");
  const tenant = tenantStub(context.env, tenantOf(context));
  inBackground("forgetting the retired versions of an agent", tenant.forgetRetired(target));
  // D1 has marked its stores; what this request does not erase the sweep does.
  inBackground("erasing the memory stores of an agent", eraseLeftStores(context.env));
  return context.body(null, 204);
};

const listAgentVersions: RouteHandler = async (context) => {
  const { page, limit } = readQuery(context, PageQuerySchema);
  const before = page === undefined ? undefined : decodeNumberToken(page);
  if (before === null) throw badPageToken();
  const versions = await storageOf(context).agents.listVersions(pathId(context, "agent_id"), {
    before,
    limit,
  });
  if (!versions) throw notFound("agent");
  return context.json({ ...versions, data: versions.data.map(shownAgent) });
};

const readAgentVersion: RouteHandler = async (context) => {
  const version = await storageOf(context).agents.readVersion(
    pathId(context, "agent_id"),
    pathNumber(context, "version"),
  );
  if (!version) throw notFound("version");
  return context.json(shownAgent(version));
};

/**
 * Retires a version, or brings it back. Repeating it is safe. The tenant's object is told first: the sessions that keep a
 * version which it has not heard of do not ask D1 whether it is retired.
 */
const updateAgentVersion: RouteHandler = async (context) => {
  const { retired } = await readBody(context, AgentVersionUpdateSchema);
  const { agents } = storageOf(context);
  const agentId = pathId(context, "agent_id");
  const number = pathNumber(context, "version");
  const [agent, before] = await Promise.all([
    agents.read(agentId),
    agents.readVersion(agentId, number),
  ]);
  if (!agent || !before) throw notFound("version");
  if (retired && number === agent.version) {
    const detail = `version ${number} is the agent's newest, which is not retired: change the agent first`;
    throw fieldError("conflict", "#/retired", detail);
  }
  const retired_at = retired ? nowTimestamp() : null;
  if (retired) {
    await tenantStub(context.env, tenantOf(context)).noteRetired({
      agent_id: agentId,
      version: number,
    });
  }
  const audit = auditFor(context, {
    action: retired ? "agent.version_retired" : "agent.version_restored",
    target: agentId,
    after: { version: number, retired_at },
  });
  const changed = await agents.setRetired(agentId, number, retired_at, audit);
  const version = changed ?? (await agents.readVersion(agentId, number));
  if (!version) throw notFound("version");
  return context.json(shownAgent(version));
};

/**
 * Asks the agent's models for one token each, and its tools' servers whether they are there. It holds a lease like a
 * reply, so that it obeys the tenant's quotas; its tokens count for the day.
 */
const checkAgent: RouteHandler = async (context) => {
  const { version } = await readBody(context, AgentCheckCreateSchema);
  const agentId = pathId(context, "agent_id");
  const agent = await storageOf(context).agents.read(agentId);
  if (!agent) throw notFound("agent");
  const tenantId = tenantOf(context);
  const snapshot = await readAgentSnapshot(
    context.env.DB,
    tenantId,
    agentId,
    version ?? agent.version,
  );
  if (!snapshot) throw fieldError("not_found", "#/version", "the agent has no such version");
  const after = { version: version ?? agent.version };
  const lease = new CallLease(context);
  const check = async () => {
    await auditAlone(context, { action: "agent.checked", target: agentId, after });
    const found = await runCheck(context, { agentId, snapshot, lease });
    return { ...found, warnings: await agentWarnings(context, snapshot.definition) };
  };
  const tokensOf = ({ tokens }: AgentCheck) => tokens;
  return context.json(await lease.hold(check, { use: "running", tokensOf }));
};

const listRemoteAgents: RouteHandler = async (context) => {
  const agentId = pathId(context, "agent_id");
  const { DB } = context.env;
  const snapshot = await readAgentSnapshot(DB, tenantOf(context), agentId, "latest");
  if (!snapshot) throw notFound("agent");
  return context.json(await listRemotes(context, agentId, snapshot));
};

/**
 * Checks that the schema cannot make: functions of the deployment, addresses that requests may go to, and objects of
 * the tenant.
 */
async function checkDefinition(context: AppContext, changes: AgentUpdate): Promise<void> {
  const { agents, credentials, mcpServers } = storageOf(context);
  checkCodeTools(changes);
  checkCodeHooks(changes);
  checkCodeAgent(changes);
  checkRemoteModel(changes);
  checkAddresses(changes, context.env);
  await checkCredentials(changes, credentials);
  await checkMcpServers(changes, mcpServers);
  await checkAgentTools(changes, agents);
}

function storageOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context));
}

/** The definition in an agent, without the fields that the platform adds. */
function definitionOf(agent: Agent): AgentDefinition {
  const {
    id: _id,
    version: _version,
    created_at: _created,
    updated_at: _updated,
    ...definition
  } = agent;
  return definition;
}

export const agentRoutes = {
  createAgent,
  listAgents,
  readAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  readAgentVersion,
  updateAgentVersion,
  checkAgent,
  listRemoteAgents,
};
