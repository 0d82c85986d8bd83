import { ownToolWarnings } from "../../agent/warnings/session-warnings.ts";
import type { Once, SessionPatch } from "../../durable-objects/api/session-api.ts";
import type {
  AgentVersionChoice,
  Session,
  SessionUpdate,
} from "../../protocol/sessions/contract.ts";
import {
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionUpdateSchema,
} from "../../protocol/sessions/contract.ts";
import { MAX_AGENTS_OF_A_NAME, MAX_CALLED_HIDDEN_AT_ONCE } from "../../protocol/sessions/limits.ts";
import type { Result } from "../../protocol/errors.ts";
import type { PermissionMode } from "../../protocol/messages/permission.ts";
import { StrictQuerySchema } from "../../protocol/schemas/write-query.ts";
import type { Warning } from "../../protocol/warning.ts";
import { eraseDueFiles } from "../../storage/files/erase-files.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { decodeSessionPosition } from "../../storage/sessions/session-position.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor, audited, type AuditedAct } from "../audit/audit.ts";
import { createSession } from "./create-session.ts";
import { enqueueRemovalCheck } from "../jobs/finish-removal.ts";
import { findSessions } from "./find-sessions.ts";
import { removeCalled } from "../jobs/remove-called.ts";
import { forgetInSearch } from "../jobs/forget-in-search.ts";
import { fieldError, notFound, unwrap } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { readPinnedAgent } from "./read-pinned-agent.ts";
import { tenantOf } from "../principal.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { checkSessionTools } from "./check-session-tools.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { refuseInRoom } from "./refuse-in-room.ts";
import { requireScope } from "../auth/require-scope.ts";
import { requireVersion } from "../auth/require-version.ts";
import { actOnSession, tryActOnSession } from "./act-on-session.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { publishSessionDeleted } from "../jobs/publish-session-deleted.ts";
import { asWarned, readJudged, type Warned, warningsOfChange } from "./session-warnings.ts";
import { shownSession } from "./shown-reply.ts";

const openSession: RouteHandler = async (context) => {
  const { strict: is_strict } = readQuery(context, StrictQuerySchema);
  const { agent_id, ...settings } = await readBody(context, SessionCreateSchema);
  checkPermissionScope(context, settings);
  await checkSessionTools(context, settings.tools);
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agent = await agents.read(agent_id);
  if (!agent) throw fieldError("not_found", "#/agent_id", "there is no such agent");
  const session_id = newId("ses");
  const session = await createSession(context, agent, { session_id, ...settings, is_strict });
  return context.json(session, 201, { Location: `/v1/sessions/${session.id}` });
};

const listSessions: RouteHandler = async (context) => {
  const { page, limit, search, ...request } = readQuery(context, SessionListQuerySchema);
  const tenantId = tenantOf(context);
  const { sessions, rooms } = tenantStorage(context.env.DB, tenantId);
  const { status, agent_name, ...filter } = request;
  const [running_ids, agent_ids, among_ids] = await Promise.all([
    status === "running" ? tenantStub(context.env, tenantId).listRunning() : undefined,
    agent_name === undefined ? undefined : agentsNamed(context, agent_name, filter.agent_id),
    filter.room_id === undefined ? undefined : rooms.sessionsOf(filter.room_id),
  ]);
  const asked = { ...filter, status, running_ids, agent_ids, among_ids };
  if (search !== undefined) {
    return context.json(await findSessions(context, { search, page, limit, filter: asked }));
  }
  const before = page === undefined ? undefined : decodeSessionPosition(page);
  if (before === null) throw badPageToken();
  return context.json(await sessions.list({ ...asked, before, limit }));
};

/** @param agentId The only one that is meant, where the request names one. */
async function agentsNamed(
  context: AppContext,
  name: string,
  agentId: string | undefined,
): Promise<readonly string[]> {
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const ids = await agents.findNamed(name, MAX_AGENTS_OF_A_NAME + 1);
  if (agentId !== undefined) return ids.includes(agentId) ? [agentId] : [];
  if (ids.length <= MAX_AGENTS_OF_A_NAME) return ids;
  const detail = `more than ${MAX_AGENTS_OF_A_NAME} agents have this name; filter by \`agent_id\``;
  throw fieldError("validation_failed", "#/query/agent_name", detail);
}

const readSession: RouteHandler = async (context) =>
  context.json(await actOnSession(context, "read"));

/** Permission settings decide what the agent may do, so they require a scope of their own. */
function checkPermissionScope(
  context: AppContext,
  {
    permission,
    working_directories,
  }: { permission?: { mode?: PermissionMode | null }; working_directories?: object },
): void {
  if (!permission && !working_directories) return;
  const field = permission ? "permission" : "working_directories";
  requireScope(context, "permission_rules:write", `the field ${field}`);
  requireBypass(context, permission?.mode);
}

/**
 * The object comes first, because it may refuse the change; then the row in D1. If either write fails, the request can
 * be repeated.
 */
const updateSession: RouteHandler = async (context) => {
  const { strict } = readQuery(context, StrictQuerySchema);
  const body = await readBody(context, SessionUpdateSchema);
  const { agent_version, metadata, title, ...settings } = body;
  checkPermissionScope(context, body);
  await checkSessionTools(context, body.tools);
  const shown = (session: Session, warned: Warned = {}) =>
    context.json({ ...shownSession(context.get("principal"), session), ...warned });
  if (Object.keys(body).length === 0) return shown(await actOnSession(context, "read"));
  if (agent_version === undefined && metadata === undefined && title === undefined) {
    const warned = asWarned(await updateWarnings(context, body), strict);
    return shown(unwrap(await updateSettings(context, settings)), warned);
  }
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const sessionId = pathId(context, "session_id");
  const agentId = await sessions.findAgentId(sessionId);
  if (!agentId) throw notFound("session");
  const isNumber = typeof agent_version === "number";
  const snapshot = isNumber ? await readPinnedAgent(context, agentId, agent_version) : undefined;
  const move = agent_version === undefined ? null : await moveOf(context, agent_version);
  if (move && snapshot) await requireNamed(context, agentId, snapshot);
  const warned = asWarned(await updateWarnings(context, body, snapshot), strict);
  if (Object.keys(settings).length > 0) unwrap(await updateSettings(context, settings));
  const isThere = await sessions.update(sessionId, {
    metadata,
    ...(title !== undefined && { title }),
    ...(isNumber && { agent_version }),
    ...(agent_version !== undefined && { follows_latest: agent_version === "latest" }),
  });
  if (!isThere) throw notFound("session");
  const update = () =>
    tryActOnSession(context, "update", { metadata, title, agent_version, snapshot });
  return shown(unwrap(await (move ? audited(context, move, update) : update())), warned);
};

/** Warnings about the session's own tools, and about rules that they or another version leave without a call. */
async function updateWarnings(
  context: AppContext,
  { tools, agent_version }: SessionUpdate,
  snapshot?: AgentSnapshot,
): Promise<readonly Warning[]> {
  if (!tools && agent_version === undefined) return [];
  const before = await readJudged(context);
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const newest = agent_version === "latest" ? await agents.read(before.agent_id) : null;
  const agent = newest ?? snapshot?.definition ?? before.agent;
  const after = { ...before, agent, ...(tools && { tools }) };
  const pointer = agent_version === undefined ? "#/tools" : "#/agent_version";
  const silenced = await warningsOfChange(context, before, { after, pointer });
  return [...ownToolWarnings(tools ?? []), ...silenced];
}

/** The audited act of giving the session another version; null where it has that one already. */
async function moveOf(
  context: AppContext,
  agent_version: AgentVersionChoice,
): Promise<AuditedAct | null> {
  const { id, agent_version: version, follows_latest } = await actOnSession(context, "read");
  const before = { agent_version: follows_latest ? ("latest" as const) : version };
  if (before.agent_version === agent_version) return null;
  return { action: "session.version_changed", target: id, before, after: { agent_version } };
}

async function requireNamed(
  context: AppContext,
  agentId: string,
  { definition }: AgentSnapshot,
): Promise<void> {
  const agent = await tenantStorage(context.env.DB, tenantOf(context)).agents.read(agentId);
  if (agent) requireVersion(context, agent, definition);
}

/** Only an actual change of the permission settings or of the tools is an administrative act with an audit entry. */
async function updateSettings(
  context: AppContext,
  settings: SessionPatch,
): Promise<Result<Session>> {
  const { permission, working_directories, tools } = settings;
  const update = () =>
    tools ? updateTools(context, settings, tools) : tryActOnSession(context, "update", settings);
  if (!permission && !working_directories) return update();
  const session = await actOnSession(context, "read");
  const before = {
    permission: session.permission,
    working_directories: session.working_directories,
  };
  const after = {
    ...before,
    ...(permission && { permission }),
    ...(working_directories && { working_directories }),
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return update();
  const target = session.id;
  const act = { action: "session.permission_changed", target, before, after } as const;
  return audited(context, act, update);
}

async function updateTools(
  context: AppContext,
  settings: SessionPatch,
  tools: NonNullable<SessionPatch["tools"]>,
): Promise<Once<Session>> {
  const update = () => tryActOnSession(context, "update", settings);
  const before = await actOnSession(context, "readTools");
  if (JSON.stringify(before) === JSON.stringify(tools)) return update();
  const target = pathId(context, "session_id");
  const changed = { before: { tools: before }, after: { tools } };
  return audited(context, { action: "session.tools_changed", target, ...changed }, update);
}

/**
 * First hides the session in D1, so that nothing is changed while D1 is down; then erases the object; then deletes its
 * rows in D1. The session's row is last: while it exists, the same request or the queue's job completes an interrupted
 * deletion.
 */
const deleteSession: RouteHandler = async (context) => {
  const tenantId = tenantOf(context);
  const { sessions } = tenantStorage(context.env.DB, tenantId);
  const sessionId = pathId(context, "session_id");
  const place = { tenant_id: tenantId, session_id: sessionId };
  await enqueueRemovalCheck(context.env, place);
  await refuseInRoom(context, sessionId);
  const audit = auditFor(context, { action: "session.deleted", target: sessionId });
  const hidden = await sessions.beginRemoval(sessionId, nowTimestamp(), audit);
  const removed = await pathSessionStub(context).remove(hidden?.created_at);
  const called = hidden?.called_ids ?? [];
  // There may be more than were hidden: a job finds those by this session's row, which goes with it.
  const hasMore = called.length === MAX_CALLED_HIDDEN_AT_ONCE;
  await removeCalled(context.env, tenantId, hasMore ? [...called, sessionId] : called);
  if (hasMore) return context.body(null, 204);
  if (hidden) await forgetInSearch(context.env, place);
  if (hidden) await publishSessionDeleted(context.env, { ...place, ...hidden });
  // A row without its object remains from an interrupted deletion, which continues here.
  if (!hidden || !(await sessions.remove(sessionId, hidden.created_at))) unwrap(removed);
  // Files of the session that this does not reach are deleted by the sweep; they are hidden already.
  inBackground("session deletion: erase files", eraseDueFiles(context.env, Date.now()));
  return context.body(null, 204);
};

export const sessionRoutes = {
  createSession: openSession,
  listSessions,
  readSession,
  updateSession,
  deleteSession,
};
