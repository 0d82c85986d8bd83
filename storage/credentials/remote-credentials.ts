import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";

/** A credential that a definition of another system's agent names, and the member that names it. */
interface RemoteCredential {
  readonly id: string;
  readonly place: string;
  /** Null where only the agent's card says where it is: then it is checked when the secret is sent. */
  readonly address: string | null;
}

export function remoteCredentials({
  card,
  credential_id,
  pinned_address,
}: Pick<RemoteAgent, "card" | "credential_id" | "pinned_address">): readonly RemoteCredential[] {
  const address = pinned_address ?? ("url" in card ? card.url : null);
  const registry = "nacos" in card ? card.nacos : null;
  const own =
    credential_id === undefined ? [] : [{ id: credential_id, place: "credential_id", address }];
  if (registry?.credential_id === undefined) return own;
  const place = "card/nacos/credential_id";
  return [...own, { id: registry.credential_id, place, address: registry.server }];
}
