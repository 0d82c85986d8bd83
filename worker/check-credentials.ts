import type { AgentUpdate } from "../protocol/api/agents.ts";
import type { CredentialStorage } from "../storage/credential-storage.ts";
import { namedCredentials } from "../storage/named-credentials.ts";
import { HttpError } from "./http-error.ts";

/**
 * Refuses an agent that names a credential which its tenant does not have, or has for something else. Of a change
 * only what it brings is looked at: an agent may be renamed when its credential is gone.
 */
export async function checkCredentials(
  agent: AgentUpdate,
  credentials: CredentialStorage,
): Promise<void> {
  const named = namedCredentials(agent);
  const types = await credentials.findTypes([...new Set(named.map(({ id }) => id))]);
  const errors = named.flatMap(({ id, type, pointer }) => {
    const held = types.get(id);
    if (held === type) return [];
    const detail = held
      ? `this credential is for a ${held}, not for a ${type}`
      : "there is no such credential";
    return [{ pointer, detail }];
  });
  if (errors.length > 0) {
    throw new HttpError(
      "validation_failed",
      "the agent names credentials that it cannot use; `errors` says where",
      { errors },
    );
  }
}
