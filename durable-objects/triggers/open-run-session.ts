// Opens the session of a run, and asks it for the run's reply. Every step may be repeated: the session has one id, and its reply
// one message.
import { MAX_AGENT_DEPTH } from "../../protocol/tools/limits.ts";
import { MAX_REPLY_TOKENS } from "../../protocol/replies/limits.ts";
import type { AgentTriggerDefinition } from "../../protocol/triggers/target.ts";
import { TRIGGER_ANSWER_MS } from "../../protocol/triggers/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readAgentSnapshot, type AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { sessionStorage } from "../../storage/sessions/session-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { sessionObjectName, type SessionInit } from "../api/session-api.ts";
import type { ArmedTrigger } from "../api/trigger-api.ts";
import type { StartedRun, TriggeredApi } from "../api/triggered-session-api.ts";
import { messageOf } from "./run-message.ts";
import { outcomeOf, type BegunRun } from "./run-outcome.ts";
import { messageIdOf, type Run } from "./run-rows.ts";
import { afterRefusal, failedStep, type RunStep } from "./run-step.ts";

type Bindings = Pick<Env, "DB" | "SESSION">;

/** A trigger that an agent answers. */
export interface AgentTrigger extends ArmedTrigger {
  readonly definition: AgentTriggerDefinition;
}

/** The agent as the run is to find it. @throws when D1 fails. */
export async function readRunAgent(
  { DB }: Bindings,
  { tenant_id, definition }: AgentTrigger,
): Promise<RunStep<AgentSnapshot>> {
  const { agent_id, agent_version } = definition;
  const snapshot = await readVersion(DB, tenant_id, agent_id, agent_version);
  if (!snapshot) {
    const isThere = (await readAgentSnapshot(DB, tenant_id, agent_id, "latest")) !== null;
    return isThere
      ? failedStep("agent_version_deleted", `The agent has no version ${agent_version} any more.`)
      : failedStep("agent_deleted", "The agent was deleted.");
  }
  const lost = namedCredentials(snapshot.definition).some(({ id }) => !snapshot.credentials[id]);
  if (lost)
    return failedStep("credential_deleted", "The agent names a credential that was deleted.");
  return { type: "done", value: snapshot };
}

/** A retired version is followed by the newest one, as in any session. */
async function readVersion(
  database: D1Database,
  tenantId: string,
  agentId: string,
  version: AgentTriggerDefinition["agent_version"],
): Promise<AgentSnapshot | null> {
  const named = await readAgentSnapshot(database, tenantId, agentId, version);
  return named?.is_retired ? readAgentSnapshot(database, tenantId, agentId, "latest") : named;
}

/** @throws when D1 or the session's object fails. */
export async function openRunSession(
  env: Bindings,
  armed: AgentTrigger,
  run: Run & { readonly session_id: string },
  snapshot: AgentSnapshot,
): Promise<RunStep<null>> {
  const { tenant_id } = armed;
  const init = initOf(armed, run, snapshot);
  const stub = triggeredStub(env, tenant_id, run.session_id);
  const created = await withinDeadline(stub.create(init), TRIGGER_ANSWER_MS);
  if (!created.ok) throw new Error(created.refusal.detail);
  const { created_at } = created.value;
  const sessions = sessionStorage(openDatabase(env.DB), tenant_id);
  const row = {
    id: init.session_id,
    agent_id: init.agent_id,
    agent_version: init.agent_version,
    follows_latest: init.follows_latest ?? false,
    end_user_id: init.end_user_id,
    title: init.title ?? null,
    metadata: init.metadata,
    created_at,
    forked_from: null,
  };
  try {
    const { isNew, hasEndpoints } = await sessions.insert(row);
    if (!isNew && (await sessions.findAgentId(row.id)) === null) {
      await withinDeadline(stub.remove(created_at), TRIGGER_ANSWER_MS);
      return { type: "gone" };
    }
    const told = await withinDeadline(stub.listed(hasEndpoints), TRIGGER_ANSWER_MS);
    return told.ok ? { type: "done", value: null } : { type: "gone" };
  } catch (error) {
    const quota = exceededQuota(error);
    if (!quota) throw error;
    await withinDeadline(stub.remove(created_at), TRIGGER_ANSWER_MS);
    return { type: "no_room", reason: `the quota ${quota} has no room` };
  }
}

/** @throws when the session's object fails. */
export async function startRunReply(
  env: Bindings,
  { tenant_id, definition }: AgentTrigger,
  run: Run & { readonly session_id: string },
): Promise<RunStep<BegunRun>> {
  const message = messageOf(definition, run);
  const stub = triggeredStub(env, tenant_id, run.session_id);
  const { mode } = definition.permission;
  const started = await withinDeadline(
    stub.act("startTriggered", { message, mode }),
    TRIGGER_ANSWER_MS,
  );
  return started.ok ? begun(started.value) : afterRefusal(started.refusal, "session");
}

/** @throws when the session's object fails. */
export async function readRunReply(
  env: Bindings,
  { tenant_id }: Pick<AgentTrigger, "tenant_id">,
  run: Run & { readonly session_id: string },
): Promise<RunStep<BegunRun>> {
  const stub = triggeredStub(env, tenant_id, run.session_id);
  const message_id = messageIdOf(run);
  const read = await withinDeadline(stub.act("readTriggered", { message_id }), TRIGGER_ANSWER_MS);
  return read.ok ? begun(read.value) : afterRefusal(read.refusal, "session");
}

function begun({ reply_id, status, error }: StartedRun): RunStep<BegunRun> {
  return { type: "done", value: { reply_id, outcome: outcomeOf(status, error) } };
}

function initOf(
  { tenant_id, trigger_id, definition, origin }: AgentTrigger,
  { session_id, end_user_id, created_at }: Run & { readonly session_id: string },
  { version, definition: agent, credentials, credential_hosts, tenant_key }: AgentSnapshot,
): SessionInit {
  const { agent_id, agent_version, name, permission, budget } = definition;
  const max_tokens = budget?.max_tokens;
  return {
    session_id,
    tenant_id,
    agent_id,
    agent_version: version,
    follows_latest: agent_version === "latest",
    agent,
    credentials,
    credential_hosts,
    tenant_key,
    end_user_id,
    metadata: {},
    title: name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "),
    // As old as the run, so that the erasure of an end user that was asked for behind it finds the session.
    created_at,
    ...(origin !== null && { origin }),
    permission: { mode: permission.mode },
    trigger: { trigger_id },
    ...(max_tokens !== undefined && { bounds: boundsOf(session_id, max_tokens) }),
  };
}

/** Of tokens alone: all else is the agent's own. */
function boundsOf(root_session_id: string, max_tokens: number): SessionInit["bounds"] {
  return {
    root_session_id,
    path: [],
    max_depth: MAX_AGENT_DEPTH,
    max_tokens: Math.min(max_tokens, MAX_REPLY_TOKENS),
    modes: [],
    rules: [],
    untrusted: [],
    bypass_untrusted: true,
  };
}

function triggeredStub(env: Bindings, tenantId: string, sessionId: string): TriggeredApi {
  // Looked up each time, as a stub that has failed once stays broken.
  return env.SESSION.getByName(sessionObjectName(tenantId, sessionId)) as unknown as TriggeredApi;
}
