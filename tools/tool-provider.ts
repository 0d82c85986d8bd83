import type { ToolReporter } from "../agent/failure-report.ts";
import type { StopSignal, ToolCallRequest, ToolChunk, ToolDeclaration } from "../agent/ports.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { BackgroundCalls } from "./background/background-calls.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";

/** A provider's access to the network. */
export interface ToolAccess {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each with the hosts that it may be sent to. */
  readonly secrets: SecretSource;
  /** Told what diagnostics should have of the call that runs. */
  readonly report?: ToolReporter;
  /** Left out where no call is let go: a tool that is called by hand, a check of an agent. */
  readonly background?: BackgroundCalls;
}

/** A source of tools of one kind: the tools it declares, and how it runs one. */
export interface ToolProvider {
  /**
   * The tools at this moment, without network access: rules and answers use them while nothing runs. A catalogue that
   * was read from a server is pinned for the reply.
   */
  readonly tools: readonly ToolDeclaration[];
  /**
   * Results of its tools are not trusted where a tool's declaration does not say: true for those that others run, such
   * as MCP servers, agents of others (A2A) and sub-agents. False when left out.
   */
  readonly returnsUntrusted?: boolean;
  /** Whether it handles calls of this name, including tools that it no longer offers. */
  owns(name: string): boolean;
  /**
   * Called once for each runner, before its first step: loads tools that are not known yet. Contract: never rejects,
   * and ends soon after `stop`; tools that cannot be loaded are not offered.
   */
  open?(access: ToolAccess, stop: StopSignal): Promise<void>;
  /** Contract as `ToolRunner.run`. */
  run(request: ToolCallRequest, stop: StopSignal, access: ToolAccess): AsyncIterable<ToolChunk>;
}
