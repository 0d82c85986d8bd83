import { tightenPermission } from "../../agent/hooks/middleware.ts";
import {
  checkCall,
  findDenyRule,
  type CallPermission,
  type PermissionSettings,
} from "../../agent/permission/check-call.ts";
import type { ToolDeclaration } from "../../agent/ports.ts";
import { findMisfit } from "../../agent/json-schema/find-misfit.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import {
  ToolCallCreateSchema,
  type CalledTool,
  type ToolCallCreate,
} from "../../protocol/tools/tool-calls.ts";
import { mayBeOfServer } from "../../protocol/tools/contract.ts";
import { accept } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import { readAgentSnapshot, type AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { keepAnswerAlone } from "../../storage/requests/idempotency-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { openMiddleware } from "../../tools/hook-runner.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { CallLease } from "../auth/call-lease.ts";
import { requireVersion } from "../auth/require-version.ts";
import { fieldError, HttpError, notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { callIdOf } from "../requests/call-id-of.ts";
import { refuseRetired } from "../agents/refuse-retired.ts";
import { readBody } from "../requests/read-body.ts";
import { callTool as runCall } from "./call-tool.ts";
import { sessionStub } from "../objects/session-stub.ts";

/**
 * A tool of an agent, called by hand. It holds a lease like a reply, so that it obeys the tenant's quotas and its stop
 * button. The rules are shown, but do not ask: the caller is the person. A deny rule holds.
 */
const callTool: RouteHandler = async (context) => {
  const request = await readBody(context, ToolCallCreateSchema);
  const { input, session_id = null } = request;
  const agent_id = pathId(context, "agent_id");
  const name = pathId(context, "tool_name");
  const agent = await tenantStorage(context.env.DB, tenantOf(context)).agents.read(agent_id);
  if (!agent) throw notFound("agent");
  const session = session_id === null ? null : await readSession(context, session_id, agent_id);
  const version = session?.agent_version ?? request.version ?? agent.version;
  const read = (one: number | "latest") =>
    readAgentSnapshot(context.env.DB, tenantOf(context), agent_id, one);
  const kept = await read(version);
  // A session answers for the version that it has; in place of a retired one its next reply has the newest.
  const snapshot = session && kept?.is_retired ? await read("latest") : kept;
  if (!snapshot) throw fieldError("not_found", "#/version", "the agent has no such version");
  if (!session) {
    refuseRetired(snapshot, "#/version");
    requireVersion(context, agent, snapshot.definition);
  }
  const { tools } = snapshot.definition;
  const tool = declareTools({ tools }).find((one) => one.name === name);
  if (!tool && mayBeOfServer(tools, name)) throw new HttpError("conflict", OF_SERVER);
  if (!tool) throw notFound("tool");
  if (tool.external) {
    const detail =
      "the tool is external: another system runs its calls, so there is nothing to call";
    throw new HttpError("conflict", detail);
  }
  if (tools.some(({ type, ...one }) => type === "agent" && "name" in one && one.name === name)) {
    const detail =
      "the tool is another agent, which a reply alone calls: start a reply of that agent";
    throw new HttpError("conflict", detail);
  }
  const misfit = findMisfit(input, tool.input_schema, { schemaName: "the tool's schema" });
  if (misfit) throw fieldError("validation_failed", "#/input", `the input ${misfit.text}`);
  const permission = await permissionOf(context, { session, snapshot, tool, input });
  const { behavior, reason, rule } = permission;
  if (behavior === "deny") {
    const detail = reason ?? "a rule denies this call";
    throw new HttpError("denied_by_rule", detail, { extensions: { rule } });
  }

  const tool_call_id = await callIdOf(context);
  const lease = new CallLease(context);
  const called = await lease.hold(() =>
    audited(
      context,
      {
        action: "tool.called",
        target: agent_id,
        after: { tool_name: name, tool_call_id, version, session_id },
      },
      async () => {
        const end_user_id = session?.end_user_id ?? null;
        const call = { tool_call_id, name, input, session_id, end_user_id };
        return accept(await runCall(context, snapshot, { ...call, lease }));
      },
    ),
  );
  const body: CalledTool = {
    agent_id,
    version,
    session_id,
    permission: { behavior, reason, rule },
    ...unwrap(called),
  };
  await keep(context, body);
  return context.json(body);
};

const OF_SERVER =
  "the tools of an MCP server are called with POST /v1/mcp-servers/{mcp_server_id}/tools/{mcp_tool_name}/call";

interface CheckedCall {
  readonly session: Session | null;
  /** The snapshot of the version whose tool is called. */
  readonly snapshot: AgentSnapshot;
  readonly tool: ToolDeclaration;
  readonly input: ToolCallCreate["input"];
}

/**
 * The decision of the rules and the deployment's hook middleware. A session answers for the version of its open reply,
 * which may be an older one: the deny rules of the version whose tool is called hold all the same.
 */
async function permissionOf(
  context: AppContext,
  { session, snapshot: { definition }, tool, input }: CheckedCall,
): Promise<Pick<CallPermission, "behavior" | "reason" | "rule">> {
  const { permission, hooks } = definition;
  if (!session) {
    const middleware = openMiddleware(hooks ?? []);
    const tighten: PermissionSettings["tighten"] = (call, decided) =>
      tightenPermission(middleware, call, decided);
    return checkCall({ ...permission, working_directories: [], tighten }, tool, input);
  }
  const { working_directories } = session;
  const rule = findDenyRule({ ...permission, working_directories }, tool, input);
  if (rule) return { behavior: "deny", reason: "A deny rule forbids it.", rule };
  const stub = sessionStub(context.env, tenantOf(context), session.id);
  return unwrap(await stub.act("testCall", { tool_name: tool.name, input }));
}

/** @throws HttpError 404 for a session that is not there, 409 for one of another agent. */
async function readSession(
  context: AppContext,
  sessionId: string,
  agentId: string,
): Promise<Session> {
  const missing = () => fieldError("not_found", "#/session_id", "there is no such session");
  if (!isId("ses", sessionId)) throw missing();
  const read = await sessionStub(context.env, tenantOf(context), sessionId).act("read");
  if (!read.ok && read.refusal.code === "not_found") throw missing();
  const session = unwrap(read);
  if (session.agent_id !== agentId) {
    throw new HttpError("agent_mismatch", "the session is one of another agent");
  }
  return session;
}

/** Under the idempotency key. The call is made: an answer that cannot be kept is given nevertheless. */
async function keep(context: AppContext, body: CalledTool): Promise<void> {
  const claim = context.get("claim");
  if (!claim) return;
  try {
    await keepAnswerAlone(context.env.DB, claim, { status: 200, body });
  } catch (error) {
    console.warn("idempotency: failed to keep the answer of a tool", { error: String(error) });
  }
}

export const toolCallRoutes = { callTool };
