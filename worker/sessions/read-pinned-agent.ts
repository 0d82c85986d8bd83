// Reads the agent's definition and credentials that a new session pins.
import type { Agent } from "../../protocol/agents/contract.ts";
import {
  readAgentSnapshot,
  withCredentials,
  type AgentSnapshot,
} from "../../storage/agents/agent-snapshot.ts";
import { namedCredentials } from "../../storage/credentials/named-credentials.ts";
import type { AppContext } from "../app-env.ts";
import { refuseRetired } from "../agents/refuse-retired.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

/**
 * @param known The agent as it was just read: its own version needs no second query.
 * @throws HttpError when there is no such version, it is retired, or a referenced credential was deleted.
 */
export async function readPinnedAgent(
  context: AppContext,
  agentId: string,
  version: number,
  known?: Agent,
): Promise<AgentSnapshot> {
  const { DB } = context.env;
  const snapshot =
    known?.version === version
      ? await withCredentials(DB, tenantOf(context), { version, definition: definitionOf(known) })
      : await readAgentSnapshot(DB, tenantOf(context), agentId, version);
  if (!snapshot) throw fieldError("not_found", "#/agent_version", "the agent has no such version");
  refuseRetired(snapshot, "#/agent_version");
  const lost = namedCredentials(snapshot.definition).find(({ id }) => !snapshot.credentials[id]);
  if (!lost) return snapshot;
  throw new HttpError(
    "conflict",
    `version ${version} of the agent names a credential that was deleted; give the agent another one`,
    { extensions: { agent_pointer: lost.pointer } },
  );
}

function definitionOf({
  id: _id,
  version: _version,
  created_at: _created,
  updated_at: _updated,
  ...definition
}: Agent): AgentSnapshot["definition"] {
  return definition;
}
