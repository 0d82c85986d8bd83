// Acts on a session's whole conversation: observe messages, fork, export and import its state.
import type { ForkSource, SessionInit } from "../../../durable-objects/api/session-api.ts";
import { ForkCreateSchema } from "../../../protocol/api/fork.ts";
import type { ForkCreate } from "../../../protocol/api/fork.ts";
import { ObserveSchema } from "../../../protocol/api/observe.ts";
import type { AgentStateInput } from "../../../protocol/api/session-state.ts";
import { AgentStateInputSchema } from "../../../protocol/api/session-state.ts";
import { REFERENCE_UNLISTED_MS } from "../../../protocol/limits/files.ts";
import type { Result } from "../../../protocol/errors.ts";
import { readAgentSnapshot } from "../../../storage/agents/agent-snapshot.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../../auth/actor.ts";
import type { AppContext, RouteHandler } from "../../app-env.ts";
import { auditFor, audited } from "../../audit/audit.ts";
import { mediaPlace } from "../../files/media-place.ts";
import { settleMedia } from "../../files/settle-media.ts";
import { HttpError, unwrap } from "../../http-error.ts";
import { actOnSession, tryActOnSession } from "../../sessions/act-on-session.ts";
import { pathId } from "../../middleware/check-path.ts";
import { newId, nowTimestamp } from "../../new-id.ts";
import { normalizeObserveBody, normalizeStateBody } from "../../request/normalize-input.ts";
import { readPinnedAgent } from "../../sessions/read-pinned-agent.ts";
import { tenantOf } from "../../principal.ts";
import { publicOrigin } from "../../sessions/public-origin.ts";
import { readBody } from "../../request/read-body.ts";
import { readSession } from "../../sessions/read-session.ts";
import { requireBypass } from "../../auth/require-bypass.ts";
import { requireScope } from "../../auth/require-scope.ts";
import { sessionStub } from "../../sessions/session-stub.ts";
import { listSession } from "../../sessions/list-session.ts";
import { pathSessionStub } from "../../sessions/path-session-stub.ts";

const observe: RouteHandler = async (context) => {
  const { messages } = await readBody(context, ObserveSchema, normalizeObserveBody);
  const place = mediaPlace(context, pathId(context, "session_id"));
  const settled = await settleMedia(context, place, messages, "#/messages");
  return context.json(await actOnSession(context, "observe", settled), 201);
};

/** The row in D1 is written last, as for a new session: an incomplete fork is in no list and answers `not_found`. */
const forkSession: RouteHandler = async (context) => {
  const { at, ...changes } = await readBody(context, ForkCreateSchema);
  const source = await actOnSession(context, "readForkSource", at);
  const isPermitted = checkPermission(context, source);
  const tenantId = tenantOf(context);
  const { agents, files } = tenantStorage(context.env.DB, tenantId);
  if (!(await agents.read(source.init.agent_id))) {
    throw new HttpError("conflict", "the session's agent was deleted; it opens no session");
  }
  const init = await forkedInit(context, source, changes);
  const stub = sessionStub(context.env, tenantId, init.session_id);
  // Before the copy, so that no file goes with the source meanwhile. Of a fork that fails the sweep drops them.
  await files.copyReferences(
    pathId(context, "session_id"),
    init.session_id,
    new Date(Date.now() + REFERENCE_UNLISTED_MS).toISOString(),
  );
  const { rules, ability_states } = source;
  const actor = actorOf(context.get("principal"));
  const session = unwrap(await stub.createFork({ init, rules, ability_states, actor }));
  const audit = isPermitted
    ? auditFor(context, {
        action: "session.permission_changed",
        target: session.id,
        after: {
          permission: { ...init.permission, rules },
          working_directories: init.working_directories,
          forked_from: session.forked_from,
        },
      })
    : undefined;
  const row = {
    id: session.id,
    agent_id: session.agent_id,
    agent_version: session.agent_version,
    follows_latest: session.follows_latest,
    end_user_id: session.end_user_id,
    metadata: session.metadata,
    created_at: session.created_at,
    forked_from: session.forked_from,
  };
  await listSession(context, stub, row, audit);
  return context.json(session, 201, { Location: `/v1/sessions/${session.id}` });
};

/**
 * A fork has the permission settings of its source: without one of its rules it could do more.
 * @returns whether the source has permission settings of its own.
 */
function checkPermission(context: AppContext, { init, rules }: ForkSource): boolean {
  const isOwn =
    init.permission?.mode !== undefined ||
    (init.working_directories?.length ?? 0) > 0 ||
    rules.length > 0;
  requireBypass(context, init.permission?.mode);
  if (isOwn) requireScope(context, "permission_rules:write", "copying the session's permission");
  return isOwn;
}

/** Copies the settings; client tokens, timers, usage and the thread's name are not copied. */
async function forkedInit(
  context: AppContext,
  { init: { thread_id: _, ...init }, message_id, run_id, cursor }: ForkSource,
  { metadata, end_user_id, agent_version }: Omit<ForkCreate, "at">,
): Promise<SessionInit & Required<Pick<SessionInit, "forked_from">>> {
  const forked = {
    ...init,
    session_id: newId("ses"),
    metadata: metadata ?? init.metadata,
    end_user_id: end_user_id === undefined ? init.end_user_id : end_user_id,
    created_at: nowTimestamp(),
    origin: publicOrigin(context),
    parent_run_id: run_id,
    forked_from: { session_id: pathId(context, "session_id"), message_id, cursor },
  };
  const isNumber = typeof agent_version === "number";
  const follows_latest = isNumber ? false : agent_version === "latest" || init.follows_latest;
  const version = isNumber ? agent_version : init.agent_version;
  // Read from D1, as for any new session, so that a deleted credential is not copied.
  const snapshot = follows_latest
    ? await readAgentSnapshot(context.env.DB, init.tenant_id, init.agent_id, version)
    : await readPinnedAgent(context, init.agent_id, version);
  return {
    ...forked,
    follows_latest,
    agent_version: version,
    agent: snapshot?.definition ?? init.agent,
    credentials: snapshot?.credentials ?? {},
    credential_hosts: snapshot?.credential_hosts,
    tenant_key: snapshot?.tenant_key,
  };
}

const readState: RouteHandler = async (context) => {
  requireScope(context, "permission_rules:read", "a state shows the session's rules: reading it");
  return unwrap(await readSession(context, pathSessionStub(context), { what: "state" }));
};

const writeState: RouteHandler = async (context) => {
  const state = await readBody(context, AgentStateInputSchema, normalizeStateBody);
  const { permission_context, summary } = state;
  const place = mediaPlace(context, pathId(context, "session_id"));
  const settled = await settleMedia(context, place, { summary, context: state.context }, "#");
  const run = () => tryActOnSession(context, "importState", { ...state, ...settled });
  unwrap(await (permission_context ? importPermission(context, permission_context, run) : run()));
  return unwrap(await readSession(context, pathSessionStub(context), { what: "state" }));
};

/** Values that are in force already are no change of the permission settings. */
async function importPermission(
  context: AppContext,
  { mode, working_directories, ...rules }: NonNullable<AgentStateInput["permission_context"]>,
  run: () => Promise<Result<boolean>>,
): Promise<Result<boolean>> {
  const session = await actOnSession(context, "read");
  requireBypass(context, mode, session.permission.mode);
  const act = {
    action: "session.permission_changed",
    target: session.id,
    before: { mode: session.permission.mode, working_directories: session.working_directories },
    after: { mode, working_directories: Object.keys(working_directories), ...rules },
  } as const;
  return audited(context, act, run, (isChanged) => isChanged);
}

export const conversationRoutes = { observe, forkSession, readState, writeState };
