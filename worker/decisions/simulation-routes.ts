import { checkCall } from "../../agent/permission/check-call.ts";
import {
  AgentRuleTestSchema,
  SimulationCreateSchema,
} from "../../protocol/decisions/simulation.ts";
import type { AgentVersion } from "../../protocol/agents/contract.ts";
import type { RuleTestResult } from "../../protocol/permission/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { keptPins } from "../mcp/kept-pins.ts";
import { requireScope } from "../auth/require-scope.ts";
import { fieldError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { simulatePermission as simulate } from "./simulate-permission.ts";

/** Without a session: neither its rules nor tools of abilities and clients take part. */
const testAgentPermission: RouteHandler = async (context) => {
  const { version, permission, working_directories, tool_name, input } = await readBody(
    context,
    AgentRuleTestSchema,
  );
  const agent = await readVersion(context, version);
  const pins = await keptPins(context, agent);
  const tools = declareTools({ tools: agent.tools, mcp: { pins: () => pins } });
  const tool = tools.find(({ name }) => name === tool_name);
  if (!tool) {
    const detail = `the agent has no tool named ${tool_name}`;
    throw fieldError("validation_failed", "#/tool_name", detail);
  }
  const settings = { ...(permission ?? agent.permission), working_directories };
  const { behavior, reason, rule, suggestedRules } = checkCall(settings, tool, input);
  const result: RuleTestResult = { behavior, reason, rule, suggested_rules: suggestedRules };
  return context.json(result);
};

/** Shows calls with their inputs, so it needs the right to read sessions. */
const simulatePermission: RouteHandler = async (context) => {
  requireScope(context, "sessions:read", "what sessions have called");
  const request = await readBody(context, SimulationCreateSchema);
  const agent = await readVersion(context, request.version);
  const compared = { agent_id: pathId(context, "agent_id"), agent };
  return context.json(await simulate(context, compared, request));
};

/** @throws HttpError 404 when there is no such agent or version. */
async function readVersion(context: AppContext, version?: number): Promise<AgentVersion> {
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agentId = pathId(context, "agent_id");
  const agent = await agents.read(agentId);
  if (!agent) throw notFound("agent");
  const found = await agents.readVersion(agentId, version ?? agent.version);
  if (!found) throw fieldError("not_found", "#/version", "the agent has no such version");
  return found;
}

export const permissionSimulationRoutes = { testAgentPermission, simulatePermission };
