// Creates a session: first its object, then its row in D1.
import type { SessionInit } from "../../durable-objects/api/session-api.ts";
import type { Agent } from "../../protocol/agents/contract.ts";
import { sessionToolProblems } from "../../protocol/tool-groups/contract.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { SessionCreate, WrittenSession } from "../../protocol/sessions/contract.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { actorOf } from "../auth/actor.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { requireVersion } from "../auth/require-version.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { listSession } from "./list-session.ts";
import { nowTimestamp } from "../new-id.ts";
import { readPinnedAgent } from "./read-pinned-agent.ts";
import { tenantOf } from "../principal.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { asWarned, warningsOfNew } from "./session-warnings.ts";
import { sessionStub } from "../objects/session-stub.ts";

/** The settings of a new session, without its agent. */
interface NewSession extends Partial<Omit<SessionCreate, "agent_id">> {
  readonly session_id: string;
  /** The thread's name, given by an AG-UI client. */
  readonly thread_id?: string;
  /** Whether rules and tools that say nothing are refused. */
  readonly is_strict?: boolean;
}

/**
 * Creates a session with the agent. An existing one is returned as it is, so that concurrent requests for the same
 * session all succeed.
 * @throws HttpError when the agent has no such version, a credential is missing, the version is looser than the newest and
 *   the credential may not name it, or a strict request has warnings; also errors of D1, and then the session is not
 *   listed.
 */
export async function createSession(
  context: AppContext,
  agent: Agent,
  { session_id, thread_id, agent_version, title, permission, tools = [], ...settings }: NewSession,
): Promise<WrittenSession> {
  const tenantId = tenantOf(context);
  const version = typeof agent_version === "number" ? agent_version : agent.version;
  const snapshot = await readPinnedAgent(context, agent.id, version, agent);
  requireVersion(context, agent, snapshot.definition);
  checkToolNames(tools, snapshot);
  const { end_user_id = null, metadata = {}, working_directories, time_zone } = settings;
  const { rules = [] } = permission ?? {};
  const { definition } = snapshot;
  const judged = { agent: definition, tools, rules: [], page_tools: null, end_user_id };
  const warnings = await warningsOfNew(context, judged, rules);
  const warned = asWarned(warnings, settings.is_strict ?? false);
  const init: SessionInit = {
    session_id,
    agent_id: agent.id,
    agent_version: version,
    follows_latest: agent_version === "latest",
    end_user_id,
    metadata,
    ...(title !== undefined && { title }),
    created_at: nowTimestamp(),
    origin: publicOrigin(context),
    ...(permission?.mode && { permission: { mode: permission.mode } }),
    working_directories,
    ...(tools.length > 0 && { tools }),
    time_zone,
    tenant_id: tenantId,
    agent: definition,
    credentials: snapshot.credentials,
    credential_hosts: snapshot.credential_hosts,
    tenant_key: snapshot.tenant_key,
    ...(thread_id !== undefined && { thread_id }),
  };
  const stub = sessionStub(context.env, tenantId, session_id);
  const session = unwrap(await stub.create(init));
  if (rules.length > 0) {
    unwrap(await stub.act("addRules", rules, { actor: actorOf(context.get("principal")) }));
  }
  const audit =
    permission || working_directories
      ? auditFor(context, {
          action: "session.permission_changed",
          target: session_id,
          after: { permission, working_directories },
        })
      : undefined;
  const row = {
    id: session_id,
    agent_id: session.agent_id,
    agent_version: session.agent_version,
    follows_latest: session.follows_latest,
    end_user_id: session.end_user_id,
    title: title ?? null,
    metadata: session.metadata,
    created_at: session.created_at,
    forked_from: null,
  };
  const target = session_id;
  const toolsAudit = init.tools
    ? auditFor(context, { action: "session.tools_changed", target, after: { tools } })
    : undefined;
  await listSession(context, stub, row, audit, toolsAudit);
  return { ...session, ...warned };
}

function checkToolNames(tools: readonly ToolDefinition[], { definition }: AgentSnapshot): void {
  const errors = sessionToolProblems(tools, definition);
  if (errors.length === 0) return;
  const detail = "the session's own tools do not fit beside its agent's; see `errors`";
  throw new HttpError("validation_failed", detail, { errors: [...errors] });
}
