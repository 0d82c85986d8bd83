import type {
  Credential,
  CredentialCreate,
  CredentialUpdate,
} from "../../protocol/credentials/contract.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Secrets for models and tools, each limited to the hosts in its `allowed_hosts`. Write-only. An update with a new
 * secret rotates it in place: replies that start afterwards use it.
 */
export type Credentials = Collection<Credential, CredentialCreate, Credential, CredentialUpdate>;

export function credentialsOf(transport: Transport): Credentials {
  return collection(transport, "credentials");
}
