// A card as the client uses it, whichever version of the protocol it was written for and wherever it came from.
import type {
  A2aCapabilities,
  A2aSecurityRequirement,
  A2aSecurityScheme,
  A2aSkill,
} from "../../protocol/a2a/wire.ts";

/** The versions that are spoken. Patch versions are no part of them. */
export type SpokenVersion = "1.0" | "0.3";

/** An address at which the agent is reached, by a binding that is spoken. */
export interface ResolvedInterface {
  readonly url: string;
  /** 0.3 is spoken by JSON-RPC alone. */
  readonly binding: "JSONRPC" | "HTTP+JSON";
  readonly version: SpokenVersion;
  /** Given back in every request, where the interface names one. */
  readonly tenant?: string;
}

export interface ResolvedCard {
  readonly name: string;
  readonly description: string;
  /** The agent's own; empty where the card has none. */
  readonly version: string;
  /** At least one; the preferred one first. Those of bindings and versions that are not spoken are left out. */
  readonly interfaces: readonly [ResolvedInterface, ...ResolvedInterface[]];
  readonly capabilities: A2aCapabilities;
  readonly skills: readonly A2aSkill[];
  readonly securitySchemes: Readonly<Record<string, A2aSecurityScheme>>;
  readonly securityRequirements: readonly A2aSecurityRequirement[];
  /** That of the first interface. */
  readonly protocolVersion: SpokenVersion;
  /** The origin that the card came from; null for one of the definition or of the deployment. */
  readonly origin: string | null;
}

/** Whether the agent knows the extension: then its data may be in messages to it. */
export function hasExtension(card: ResolvedCard, uri: string): boolean {
  return card.capabilities.extensions?.some((extension) => extension.uri === uri) === true;
}
