// Opens the session of a called agent and begins its reply. Every step may be repeated: the session has one id, and its reply
// one message.
import { boundsBelow } from "../../agent/agents/inherited-bounds.ts";
import { parseInput } from "../../agent/json/parse-input.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readAgentSnapshot, type AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { sessionStorage } from "../../storage/sessions/session-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import { permissionSettings } from "../settings/permission-settings.ts";
import type { Child } from "../tables/child-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { calledStub } from "./called-stub.ts";
import { remoteDepth } from "./remote-calls.ts";

export interface OpenedCall {
  readonly child: Child;
  readonly settings: SessionSettings;
  readonly tables: SessionTables;
  readonly state: ReplyState;
  readonly env: Env;
}

export type OpenedSession =
  | { readonly type: "begun" }
  /** There may be room later. */
  | { readonly type: "no_room"; readonly reason: string }
  /** Nothing will change that. */
  | { readonly type: "failed"; readonly reason: string };

/** @throws when D1 or the session's object fails. */
export async function openCalledSession(call: OpenedCall): Promise<OpenedSession> {
  const { child, settings, tables, env } = call;
  const caller = settings.replyInit;
  const { tenant_id } = caller;
  const snapshot = await readVersion(env.DB, tenant_id, child);
  if (!snapshot)
    return fail("The agent, or the version of it that is to be called, does not exist any more.");
  const lost = namedCredentials(snapshot.definition).some(({ id }) => !snapshot.credentials[id]);
  if (lost) return fail("The agent names a credential that was deleted, so it cannot be called.");
  const message = messageOf(call);
  if (!message) return fail("The input of the call cannot be read.");
  const stub = calledStub(env, { tenant_id, session_id: child.session_id });
  const init = initOf(call, snapshot);
  const created = await withinDeadline(stub.create(init), AGENT_ANSWER_MS);
  if (!created.ok) throw new Error(created.refusal.detail);
  const { created_at } = created.value;
  const listed = await list(env, init, created_at);
  if (listed !== true) {
    await withinDeadline(stub.remove(created_at), AGENT_ANSWER_MS);
    return listed;
  }
  const trace: TraceContext | undefined = tables.replies.trace(child.reply_id);
  const share = tables.replies.share(child.reply_id);
  const payload = { message, ...(share && { share }) };
  const started = await withinDeadline(
    stub.act("startCalled", payload, { trace }),
    AGENT_ANSWER_MS,
  );
  return started.ok ? { type: "begun" } : afterRefusal(started.refusal);

  async function list(
    env: Env,
    init: SessionInit,
    created_at: string,
  ): Promise<true | OpenedSession> {
    const sessions = sessionStorage(openDatabase(env.DB), tenant_id);
    const row = {
      id: init.session_id,
      agent_id: init.agent_id,
      agent_version: init.agent_version,
      follows_latest: false,
      end_user_id: init.end_user_id,
      title: null,
      metadata: init.metadata,
      created_at,
      forked_from: null,
    };
    const root_session_id = init.bounds?.root_session_id ?? caller.session_id;
    const calledBy = { parent_session_id: caller.session_id, root_session_id };
    try {
      const { isNew, hasEndpoints } = await sessions.insert(row, { calledBy });
      if (!isNew && (await sessions.findAgentId(row.id)) === null) {
        return fail("The session that has called the agent is being deleted.");
      }
      const told = await withinDeadline(stub.listed(hasEndpoints), AGENT_ANSWER_MS);
      if (!told.ok) throw new Error(told.refusal.detail);
      return true;
    } catch (error) {
      const quota = exceededQuota(error);
      if (!quota) throw error;
      return { type: "no_room", reason: `the quota ${quota} has no room` };
    }
  }
}

function fail(reason: string): OpenedSession {
  return { type: "failed", reason };
}

function afterRefusal({ code, detail }: Refusal): OpenedSession {
  const isPassing = code === "quota_exceeded" || code === "unavailable" || code === "reply_running";
  return isPassing ? { type: "no_room", reason: detail } : fail(`It could not begin: ${detail}`);
}

/** A retired version is followed by the newest one, as in any session. */
async function readVersion(
  database: D1Database,
  tenantId: string,
  { agent_id, version }: Child,
): Promise<AgentSnapshot | null> {
  const named = await readAgentSnapshot(database, tenantId, agent_id, version ?? "latest");
  return named?.is_retired ? readAgentSnapshot(database, tenantId, agent_id, "latest") : named;
}

function initOf(
  { child, settings, tables, state }: OpenedCall,
  snapshot: AgentSnapshot,
): SessionInit {
  const caller = settings.replyInit;
  const { session_id, tool_call_id, max_depth, max_tokens } = child;
  const permission = permissionSettings(caller, { settings, tables });
  const a2a_depth = remoteDepth(caller, state);
  const { tenant_id, end_user_id, origin, time_zone, working_directories } = caller;
  const { version, definition, credentials, credential_hosts, tenant_key } = snapshot;
  return {
    session_id,
    tenant_id,
    agent_id: child.agent_id,
    agent_version: version,
    agent: definition,
    credentials,
    credential_hosts,
    tenant_key,
    end_user_id,
    metadata: {},
    created_at: new Date().toISOString(),
    origin,
    time_zone,
    working_directories,
    parent: { session_id: caller.session_id, tool_call_id },
    bounds: boundsBelow(caller, permission, { max_depth, max_tokens, a2a_depth }),
  };
}

/** The call's input as the agent is told it; null when it cannot be read any more. */
function messageOf({ child, state }: OpenedCall): InputMessage | null {
  const call = state.message.content.find(
    (block) => block.type === "tool_call" && block.id === child.tool_call_id,
  );
  if (call?.type !== "tool_call") return null;
  const parsed = parseInput(call.input);
  if (!parsed.ok) return null;
  const { message, ...others } = parsed.input as { message?: unknown };
  const isPlain = typeof message === "string" && Object.keys(others).length === 0;
  const text = isPlain ? message : JSON.stringify(parsed.input);
  const { message_id: id } = child;
  return { id, name: "user", role: "user", content: text, metadata: {} };
}
