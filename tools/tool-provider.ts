import type { StopSignal, ToolCallRequest, ToolChunk, ToolDeclaration } from "../agent/ports.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";

/** What a provider reaches the network with. */
export interface ToolAccess {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
}

/** A source of tools of one kind: the tools it declares, and how it runs one. */
export interface ToolProvider {
  /**
   * As they are now, without asking anybody: rules and answers look at them while nothing runs. A catalogue that was read
   * from a server is what the reply is pinned to.
   */
  readonly tools: readonly ToolDeclaration[];
  /** Whether calls of this name are its own, also of a tool that it does not offer any more. */
  owns(name: string): boolean;
  /**
   * Once for each runner, before its first step: reads what it has to offer, where that is not known. Contract: never
   * rejects, and ends soon after `stop`; what cannot be read is not offered.
   */
  open?(access: ToolAccess, stop: StopSignal): Promise<void>;
  /** Contract as that of a `ToolRunner`. */
  run(request: ToolCallRequest, stop: StopSignal, access: ToolAccess): AsyncIterable<ToolChunk>;
}
