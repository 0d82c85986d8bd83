import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { MAX_AGENT_CREDENTIALS } from "../../protocol/credentials/limits.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import type {
  CredentialStorage,
  CredentialUse,
} from "../../storage/credentials/credential-storage.ts";
import {
  credentialIds,
  namedCredentials,
  type NamedCredential,
} from "../../storage/credentials/named-credentials.ts";
import { hostOf, isHostAllowed } from "../../outgoing/allowed-hosts.ts";
import { HttpError } from "../http-error.ts";

/**
 * Refuses an agent that names a credential that its tenant lacks, or that is of another type or for other hosts. Checks
 * only the members that a change sets: an agent can be renamed when its credential is gone. Not a guarantee: hosts may
 * be narrowed later, so they are checked again when a secret is sent.
 */
export async function checkCredentials(
  agent: AgentUpdate,
  credentials: CredentialStorage,
): Promise<void> {
  const ids = credentialIds(agent);
  if (ids.length > MAX_AGENT_CREDENTIALS) {
    throw new HttpError(
      "validation_failed",
      `an agent may name ${MAX_AGENT_CREDENTIALS} credentials at most; this one names ${ids.length}`,
    );
  }
  const uses = await credentials.findUses(ids);
  const errors = namedCredentials(agent).flatMap((named) => {
    const detail = findCredentialProblem(named, uses.get(named.id));
    return detail === null ? [] : [{ pointer: named.pointer, detail }];
  });
  if (errors.length > 0) {
    throw new HttpError(
      "validation_failed",
      "the agent names credentials that it cannot use; `errors` says where",
      { errors: errors.slice(0, MAX_FIELD_ERRORS) },
    );
  }
}

/** Why a definition may not name the credential there; null when it may. @param use Undefined when there is none. */
export function findCredentialProblem(
  { type, address }: Pick<NamedCredential, "type" | "address">,
  use: CredentialUse | undefined,
): string | null {
  if (!use) return "there is no such credential";
  if (use.type !== type) return `this credential is for a ${use.type}, not for a ${type}`;
  if (address === null || isHostAllowed(address, use.allowed_hosts)) return null;
  return `this credential may not be sent to ${hostOf(address)}; name another one, or add the host to its allowed_hosts with a key that has credentials:write`;
}
