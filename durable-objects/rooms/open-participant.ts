// Opens the session of a participant: its object, then its row in D1. Every step may be repeated, as the session has one id.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readAgentSnapshot, type AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { reportModerator } from "../../storage/rooms/room-registry.ts";
import { sessionStorage } from "../../storage/sessions/session-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AgentVersionChoice } from "../../protocol/agents/agent-version-choice.ts";
import type { RoomInit } from "../api/room-api.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import { describeVoice } from "../voice/open-provider.ts";
import { participantStub } from "./participant-stub.ts";

export interface NewSession {
  readonly session_id: string;
  /** The name under which it takes part. */
  readonly name: string;
  readonly agent: {
    readonly agent_id: string;
    readonly agent_version?: AgentVersionChoice | undefined;
  };
  /** The one end user of the room, whose memories may be recalled; null where there are several, or none. */
  readonly end_user_id: string | null;
}

/** @returns the version that it is pinned to. @throws when D1 or the session's object fails. */
export async function openParticipant(
  env: Env,
  room: RoomInit,
  opened: NewSession,
): Promise<Result<{ readonly agent_version: number }>> {
  const { tenant_id } = room;
  const { session_id, name, agent } = opened;
  const version = agent.agent_version ?? "latest";
  const snapshot = await readVersion(env.DB, tenant_id, agent.agent_id, version);
  if (!snapshot) {
    return refuse("validation_failed", `the agent of ${name}, or its version, does not exist`);
  }
  const lost = namedCredentials(snapshot.definition).some(({ id }) => !snapshot.credentials[id]);
  if (lost) {
    return refuse("validation_failed", `the agent of ${name} names a credential that was deleted`);
  }
  const mute = room.voice && name !== MODERATOR ? whyMute(snapshot.definition.voice) : null;
  if (mute !== null)
    return refuse("voice_off", `the room speaks, and the agent of ${name} ${mute}`);
  const stub = participantStub(env, tenant_id, session_id);
  const init = initOf(room, opened, snapshot);
  const created = await withinDeadline(stub.create(init), AGENT_ANSWER_MS);
  if (!created.ok) return created;
  const { created_at } = created.value;
  const listed = await list(env, init, created_at);
  if (!listed.ok) await withinDeadline(stub.remove(created_at), AGENT_ANSWER_MS);
  else if (name === MODERATOR) {
    await reportModerator(env.DB, { id: room.room_id, tenant_id, session_id });
  }
  return listed.ok ? accept({ agent_version: created.value.agent_version }) : listed;
}

/** Why an agent would not be heard, which is told what the others say in writing; null for one that is. */
function whyMute(voice: VoiceSettings | null | undefined): string | null {
  if (!voice) return "has no voice";
  return describeVoice(voice).takesText ? null : "has a voice that takes no text: give it `speech`";
}

async function list(env: Env, init: SessionInit, created_at: string): Promise<Result<null>> {
  const { tenant_id, session_id, room } = init;
  const room_id = room?.room_id;
  const sessions = sessionStorage(openDatabase(env.DB), tenant_id);
  const row = {
    id: session_id,
    agent_id: init.agent_id,
    agent_version: init.agent_version,
    follows_latest: init.follows_latest === true,
    // The session is the room's: it stays when one of the people who talk there is erased.
    end_user_id: null,
    title: null,
    metadata: init.metadata,
    created_at,
    forked_from: null,
  };
  try {
    const { isNew, hasEndpoints } = await sessions.insert(row, { room_id });
    if (!isNew && (await sessions.findAgentId(row.id)) === null) {
      return refuse("not_found", "the tenant is closed, or the room is being deleted");
    }
    const stub = participantStub(env, tenant_id, session_id);
    const told = await withinDeadline(stub.listed(hasEndpoints), AGENT_ANSWER_MS);
    if (!told.ok) throw new Error(told.refusal.detail);
    return accept(null);
  } catch (error) {
    const quota = exceededQuota(error);
    if (!quota) throw error;
    return refuse(
      "quota_exceeded",
      `the quota ${quota} has no room for the session of a participant`,
      {
        extensions: { quota },
      },
    );
  }
}

/** A retired version is followed by the newest one, as in any session. */
async function readVersion(
  database: D1Database,
  tenantId: string,
  agentId: string,
  version: number | "latest",
): Promise<AgentSnapshot | null> {
  const named = await readAgentSnapshot(database, tenantId, agentId, version);
  return named?.is_retired ? readAgentSnapshot(database, tenantId, agentId, "latest") : named;
}

function initOf(
  { room_id, tenant_id, origin }: RoomInit,
  { session_id, name, agent, end_user_id }: NewSession,
  snapshot: AgentSnapshot,
): SessionInit {
  const { version, definition, credentials, credential_hosts, tenant_key } = snapshot;
  return {
    session_id,
    tenant_id,
    agent_id: agent.agent_id,
    agent_version: version,
    follows_latest: agent.agent_version === "latest",
    agent: definition,
    credentials,
    credential_hosts,
    tenant_key,
    end_user_id,
    metadata: {},
    created_at: new Date().toISOString(),
    ...(origin !== undefined && { origin }),
    room: { room_id, participant: name },
  };
}

/** Deletes it as a request would: its row is hidden first and goes last. @throws when D1 or the object fails. */
export async function removeParticipant(
  env: Env,
  { tenant_id }: Pick<RoomInit, "tenant_id">,
  sessionId: string,
): Promise<void> {
  const sessions = sessionStorage(openDatabase(env.DB), tenant_id);
  const hidden = await sessions.beginRemoval(sessionId, new Date().toISOString());
  const stub = participantStub(env, tenant_id, sessionId);
  await withinDeadline(stub.remove(hidden?.created_at), AGENT_ANSWER_MS);
  if (hidden) await sessions.remove(sessionId, hidden.created_at);
}
