import type { Credential, CredentialCreate } from "../protocol/api/credentials.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "./transport.ts";

/** Secrets that agents use towards models and tools. They go in and never come out again. */
export type Credentials = Pick<
  Collection<Credential, CredentialCreate>,
  "create" | "list" | "delete"
>;

export function credentialsOf(transport: Transport): Credentials {
  return collection(transport, "credentials");
}
