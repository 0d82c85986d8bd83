// Forks a session: a new one that begins with a copy of another one's conversation. The row in D1 is written last, as for
// a new session: an incomplete fork is in no list and answers `not_found`.
import type { ForkSource, SessionInit } from "../../durable-objects/api/session-api.ts";
import type { ForkCreate } from "../../protocol/sessions/fork.ts";
import type { WrittenSession } from "../../protocol/sessions/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { REFERENCE_UNLISTED_MS } from "../../protocol/files/limits.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { readAgentSnapshot, readReplacement } from "../../storage/agents/agent-snapshot.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../auth/actor.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { requireScope } from "../auth/require-scope.ts";
import { requireVersion } from "../auth/require-version.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { shareOf, tenantOf } from "../principal.ts";
import { listSession } from "./list-session.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { readPinnedAgent } from "./read-pinned-agent.ts";
import { asWarned, warningsOfChange } from "./session-warnings.ts";
import { sessionStub } from "../objects/session-stub.ts";

interface ForkOptions {
  readonly source: ForkSource;
  /** The id of the fork. One that there is already is found, and stays as it is. */
  readonly session_id: string;
  readonly changes?: Omit<ForkCreate, "at">;
  /** Whether rules that another version leaves without a call refuse the fork. */
  readonly is_strict?: boolean;
}

/**
 * The caller has the scope for it, `sessions:write`.
 * @throws HttpError 403 where the source's permission settings, or a version that is named, need more, 409 without the agent or one of its secrets,
 *   429 beyond the quota.
 */
export async function forkSession(
  context: AppContext,
  { source, session_id, changes = {}, is_strict = false }: ForkOptions,
): Promise<WrittenSession> {
  const isPermitted = checkPermission(context, source);
  const tenantId = tenantOf(context);
  const { agents, files } = tenantStorage(context.env.DB, tenantId);
  const agent = await agents.read(source.init.agent_id);
  if (!agent) {
    throw new HttpError("conflict", "the session's agent was deleted; it opens no session");
  }
  const init = await forkedInit(context, source, { session_id, ...changes });
  const move = moveOf(source, changes);
  if (move) requireVersion(context, agent, init.agent);
  const warned = asWarned(move ? await forkWarnings(context, source, init) : [], is_strict);
  const stub = sessionStub(context.env, tenantId, session_id);
  // Before the copy, so that no file goes with the source meanwhile. Of a fork that is refused they are dropped at once, of
  // one whose outcome is unknown by the sweep.
  await files.copyReferences(
    source.init.session_id,
    session_id,
    new Date(Date.now() + REFERENCE_UNLISTED_MS).toISOString(),
  );
  const { rules, ability_states } = source;
  const principal = context.get("principal");
  const [actor, share] = [actorOf(principal), shareOf(principal)];
  const forked = await stub.createFork({ init, rules, ability_states, actor, share });
  // `conflict`: the object is another session, whose references they may be.
  if (!forked.ok && forked.refusal.code !== "conflict") await dropReferences();
  const session = unwrap(forked);
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
    title: init.title ?? null,
    metadata: session.metadata,
    created_at: session.created_at,
    forked_from: session.forked_from,
  };
  const target = session.id;
  const versionAudit = move
    ? auditFor(context, { action: "session.version_changed", target, ...move })
    : undefined;
  await listSession(context, stub, row, audit, versionAudit).catch(async (error: unknown) => {
    if (exceededQuota(error)) await dropReferences();
    throw error;
  });
  return { ...session, ...warned };

  /** Contract: never rejects; what fails here the sweep does. */
  async function dropReferences(): Promise<void> {
    try {
      await files.keepReferences(session_id, [], nowTimestamp());
    } catch (error) {
      console.warn("fork: its references to files stay until the sweep", { error: String(error) });
    }
  }
}

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

/** The choice of a version that is not the source's own; null for that one, and without a choice. */
function moveOf({ init }: ForkSource, { agent_version }: Pick<ForkCreate, "agent_version">) {
  const before = init.follows_latest ? "latest" : init.agent_version;
  if (agent_version === undefined || agent_version === before) return null;
  return { before: { agent_version: before }, after: { agent_version } };
}

/** Warnings about the rules that are copied, and decide about no call of the version that was chosen. */
async function forkWarnings(
  context: AppContext,
  { init, rules, run_id }: ForkSource,
  fork: SessionInit,
): Promise<readonly Warning[]> {
  const judge = ({ agent, tools = [], end_user_id }: SessionInit) => ({
    agent,
    tools,
    end_user_id,
    rules: rules.map((rule) => ({ ...rule, id: null })),
    page_tools: init.thread_id === undefined && run_id === undefined ? null : [],
  });
  const change = { after: judge(fork), pointer: "#/agent_version" };
  return warningsOfChange(context, judge(init), change);
}

/** Copies the settings; client tokens, timers, usage and the thread's name are not copied. */
async function forkedInit(
  context: AppContext,
  {
    init: {
      thread_id: _,
      left_version: _left,
      parent: _parent,
      trigger: _trigger,
      room: _room,
      bounds,
      ...init
    },
    message_id,
    run_id,
    cursor,
  }: ForkSource,
  {
    session_id,
    metadata,
    end_user_id,
    agent_version,
  }: Omit<ForkCreate, "at"> & Pick<ForkOptions, "session_id">,
): Promise<SessionInit & Required<Pick<SessionInit, "forked_from">>> {
  const forked = {
    ...init,
    session_id,
    metadata: metadata ?? init.metadata,
    end_user_id: end_user_id === undefined ? init.end_user_id : end_user_id,
    created_at: nowTimestamp(),
    origin: publicOrigin(context),
    // Nobody has called it: what counts for the session at the top counts for itself, as D1 has it.
    ...(bounds && { bounds: { ...bounds, root_session_id: session_id } }),
    parent_run_id: run_id,
    forked_from: { session_id: init.session_id, message_id, cursor },
  };
  const isNumber = typeof agent_version === "number";
  const follows_latest = isNumber ? false : agent_version === "latest" || init.follows_latest;
  const named = isNumber ? agent_version : init.agent_version;
  const version = isNumber || follows_latest ? named : await unretired(context, init);
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

/** The version of the source; the newest one in place of a retired one, as the source's next reply has it. */
async function unretired(
  { env }: AppContext,
  {
    tenant_id,
    agent_id,
    agent_version,
  }: Pick<SessionInit, "tenant_id" | "agent_id" | "agent_version">,
): Promise<number> {
  const newest = await readReplacement(env.DB, tenant_id, agent_id, agent_version);
  return newest?.version ?? agent_version;
}
