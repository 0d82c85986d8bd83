import type { AgentCalls } from "../agent/agents/agent-calls.ts";
import type { StopSignal } from "../agent/ports.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import type { ToolCheck } from "../protocol/agents/agent-check.ts";
import type { McpServer } from "../protocol/mcp/contract.ts";
import type { ToolKind, ToolOfKind } from "../protocol/tools/contract.ts";
import type { CodeTool } from "./code.ts";
import type { McpFailure } from "./mcp/mcp-outcome.ts";
import type { RemoteCalls } from "./a2a/remote-calls.ts";
import type { McpServers } from "./mcp/mcp-servers-port.ts";
import type { ServerCatalogue } from "./mcp/read-server-catalogue.ts";
import type { ToolProvider } from "./tool-provider.ts";

/** A kind of tool: how its calls are run, and how it is checked. */
export interface ToolKindOf<Kind extends ToolKind> {
  /** @param tools The definitions of this kind in an agent. */
  provide(tools: readonly ToolOfKind<Kind>[], sources: ToolSources): ToolProvider;
  /** The answer to whether a tool is there. Runs no tool, and ends soon after `stop`. */
  check(tool: ToolOfKind<Kind>, access: CheckAccess, stop: StopSignal): Promise<ToolFinding>;
}

/** Sources of tools beside their definitions. */
export interface ToolSources {
  /** Functions of the deployment. */
  readonly codeTools: readonly CodeTool[];
  /** Pins alone where nothing is run. */
  readonly mcp: Pick<McpServers, "pins"> | McpServers;
  /** Left out where no reply is run. */
  readonly agents?: AgentCalls;
  /** The same. */
  readonly remote?: RemoteCalls;
}

export interface CheckAccess extends Pick<ToolSources, "codeTools"> {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  /** The tenant's MCP server of this id; null when there is none. Asks it nothing. */
  readonly openServer: (serverId: string) => Promise<CheckedServer | null>;
  /** The name of the tenant's agent of this id, in that version or the newest; null when there is none. */
  readonly findAgent: (agentId: string, version: number | undefined) => Promise<string | null>;
}

interface CheckedServer {
  readonly server: Pick<McpServer, "name" | "url" | "credential_id">;
  readonly link: { close(): void } | null;
  /** Asks the server for its tools, whatever it did a moment ago. */
  list(
    stop: StopSignal,
  ): Promise<
    | { readonly ok: true; readonly catalogue: ServerCatalogue }
    | { readonly ok: false; readonly failure: McpFailure }
  >;
}

export type ToolFinding = Pick<
  ToolCheck,
  "status" | "host" | "http_status" | "kind" | "code" | "message" | "note" | "hint"
> & {
  /** The name to show, where the definition has none. */
  readonly name?: string;
  /** Of the request that was sent; left out when none was. */
  readonly method?: ToolCheck["method"];
};

/** The members of a finding about a tool to which nothing was sent. */
export const NOT_SENT = {
  host: null,
  http_status: null,
  kind: null,
  code: null,
  message: null,
} as const;
