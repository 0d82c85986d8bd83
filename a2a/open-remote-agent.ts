// Opens an agent of another system: finds its card, and makes the client that signs in as the card says.
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import type { RemoteAgent } from "../protocol/a2a/remote-agent.ts";
import { authorizeRemote } from "./authentication/authorize-remote.ts";
import type { CardFailure } from "./cards/card-source.ts";
import { resolveCard } from "./cards/resolve-card.ts";
import type { ResolvedCard } from "./cards/resolved-card.ts";
import { openRemoteClient } from "./client/open-remote-client.ts";
import type { RemoteAgentClient, RemotePorts } from "./client/remote-client.ts";

export interface OpenAgentPorts extends Pick<RemotePorts, "depth"> {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

export type OpenedAgent =
  | {
      readonly ok: true;
      readonly card: ResolvedCard;
      /** A client for one message, which has the bounds of what an agent may send for it. */
      connect(): RemoteAgentClient;
    }
  | CardFailure;

/** Contract: never rejects, and ends soon after `signal`. */
export async function openRemoteAgent(
  agent: RemoteAgent,
  ports: OpenAgentPorts,
  signal: AbortSignal,
): Promise<OpenedAgent> {
  const resolved = await resolveCard(agent, ports, signal);
  if (!resolved.ok) return resolved;
  const { card } = resolved;
  const authorization = authorizeRemote(agent, card, ports);
  return { ok: true, card, connect: () => openRemoteClient(card, { ...ports, authorization }) };
}
