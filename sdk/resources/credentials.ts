import type {
  Credential,
  CredentialCreate,
  CredentialUpdate,
} from "../../protocol/api/credentials.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Secrets that agents use towards models and tools, each for the hosts in its `allowed_hosts`. They go in and never
 * come out again. An update with a new secret rotates it in place: replies that begin afterwards take it.
 */
export type Credentials = Collection<Credential, CredentialCreate, Credential, CredentialUpdate>;

export function credentialsOf(transport: Transport): Credentials {
  return collection(transport, "credentials");
}
