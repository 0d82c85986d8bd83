// Reads the agent's definition and credentials that a new session pins.
import { readAgentSnapshot, type AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

/** @throws HttpError when there is no such version, or a referenced credential was deleted. */
export async function readPinnedAgent(
  context: AppContext,
  agentId: string,
  version: number,
): Promise<AgentSnapshot> {
  const snapshot = await readAgentSnapshot(context.env.DB, tenantOf(context), agentId, version);
  if (!snapshot) throw fieldError("not_found", "#/agent_version", "the agent has no such version");
  const lost = namedCredentials(snapshot.definition).find(({ id }) => !snapshot.credentials[id]);
  if (!lost) return snapshot;
  throw new HttpError(
    "conflict",
    `version ${version} of the agent names a credential that was deleted; give the agent another one`,
    { extensions: { agent_pointer: lost.pointer } },
  );
}
