import { REPLAY_URL, type ReplayRequest } from "../../durable-objects/api/replay-request.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { ReplayCreateSchema, type ReplayCreate } from "../../protocol/replay/contract.ts";
import { accept, type Refusal } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { credentialIds } from "../../storage/credentials/named-credentials.ts";
import { skillReferences } from "../../protocol/skills/skill.ts";
import { readPinnedSkills } from "../../storage/skills/pinned-skills.ts";
import { readSealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { requireUntrustedBypass } from "../auth/require-untrusted-bypass.ts";
import { requireScope } from "../auth/require-scope.ts";
import { fieldError, notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { checkAddresses } from "../requests/check-addresses.ts";
import { checkCodeHooks } from "../hooks/check-code-hooks.ts";
import { checkCodeTools } from "../tools/check-code-tools.ts";
import { checkCredentials } from "../requests/check-credentials.ts";
import { checkSkills } from "../skills/check-skills.ts";
import { checkMemoryTools } from "../memory/check-memory-tools.ts";
import { checkPlanTools } from "../plans/check-plan-tools.ts";
import { checkToolGroups } from "../tool-groups/check-tool-groups.ts";
import { readBody } from "../requests/read-body.ts";
import { acceptsEventStream, EVENT_STREAM_HEADERS } from "../sessions/event-stream.ts";
import { refuseInRoom } from "../sessions/refuse-in-room.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { sessionStub } from "../objects/session-stub.ts";

/**
 * A recorded session on another version of its agent. The session's object runs it and streams the answer; it ends when
 * the client leaves. The answer shows what end users wrote and were told, so reading sessions is needed as well.
 */
const createReplay: RouteHandler = async (context) => {
  const replay = await readBody(context, ReplayCreateSchema);
  requireScope(context, "sessions:read", "a replay of a session");
  const { session_id } = replay;
  const agent_id = pathId(context, "agent_id");
  const { version, skills, ...agent } = await readReplayed(context, agent_id, replay);
  if (!isId("ses", session_id)) throw noSession();
  await refuseInRoom(context, session_id);
  const { max_replies, from_reply_id, assume } = replay;
  const stream = replay.stream || acceptsEventStream(context.req.header("Accept"));
  const request: ReplayRequest = {
    replay_id: newId("rpl"),
    agent_id,
    version,
    agent,
    skills,
    max_replies,
    from_reply_id,
    assume,
    stream,
    origin: publicOrigin(context),
    trace: context.get("trace"),
  };
  const after = { replay_id: request.replay_id, agent_id, version, max_replies, assume };
  const stub = sessionStub(context.env, tenantOf(context), session_id);
  const begun = await audited(
    context,
    { action: "session.replayed", target: session_id, after },
    async () => {
      const body = JSON.stringify(request);
      const response = await stub.fetch(REPLAY_URL, { method: "POST", body });
      if (!response.headers.has(REFUSAL_HEADER)) return accept(response);
      return { ok: false, refusal: await response.json<Refusal>() } as const;
    },
  );
  if (!begun.ok && begun.refusal.code === "not_found" && !begun.refusal.errors) throw noSession();
  const { body } = unwrap(begun);
  const headers = stream ? EVENT_STREAM_HEADERS : { "Content-Type": "application/json" };
  return new Response(body, { headers });
};

type Replayed = Pick<ReplayRequest, "version" | "skills"> & ReplayRequest["agent"];

/** The version, or the definition as one that is stored would be checked. */
async function readReplayed(
  context: AppContext,
  agentId: string,
  { version, definition }: ReplayCreate,
): Promise<Replayed> {
  const tenantId = tenantOf(context);
  const database = openDatabase(context.env.DB);
  const { agents, credentials } = tenantStorage(context.env.DB, tenantId);
  const agent = await agents.read(agentId);
  if (!agent) throw notFound("agent");
  if (!definition) {
    const chosen = version ?? agent.version;
    const snapshot = await readAgentSnapshot(context.env.DB, tenantId, agentId, chosen);
    if (!snapshot) throw fieldError("not_found", "#/version", "the agent has no such version");
    refuseCodeAgent(snapshot.definition, "#/version");
    return {
      ...snapshot,
      skills: await readPinnedSkills(
        database,
        tenantId,
        skillReferences(snapshot.definition.skills),
      ),
    };
  }
  requireBypass(context, definition.permission.mode, agent.permission.mode);
  requireUntrustedBypass(context, definition.permission, agent.permission);
  refuseCodeAgent(definition, "#/definition/code_agent");
  checkPlanTools(definition);
  checkMemoryTools(definition);
  checkToolGroups(definition);
  checkCodeTools(definition);
  checkCodeHooks(definition);
  checkAddresses(definition, context.env);
  await checkCredentials(definition, credentials);
  const skills = await checkSkills(context, definition, definition);
  const ids = credentialIds(definition);
  const sealed = await readSealedCredentials(database, tenantId, ids);
  return { version: null, definition, skills, ...sealed };
}

/** The effects that an agent's own code has outside are not known, so it is not run again. */
function refuseCodeAgent(
  { code_agent }: Pick<AgentDefinition, "code_agent">,
  pointer: string,
): void {
  if (!code_agent) return;
  const detail = "an agent in code cannot be replayed: choose a version without code_agent";
  throw fieldError("validation_failed", pointer, detail);
}

function noSession() {
  return fieldError("not_found", "#/session_id", "there is no such session");
}

export const replayRoutes = { createReplay };
