// The port of MCP tools to their session: the catalogues that the reply is pinned to, and the servers.
import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { ToolAccess } from "../tool-provider.ts";
import type { McpPeople } from "./mcp-people.ts";
import type { McpGrant } from "./oauth/mcp-grant.ts";
import type { McpLink } from "./mcp-link.ts";

export type McpLinkFound =
  | {
      readonly ok: true;
      readonly link: McpLink;
      readonly timeoutMs: number;
      readonly grant: McpGrant | null;
    }
  /** The reason that the server cannot be called, as a sentence: it was deleted, or its credential may not be used. */
  | { readonly ok: false; readonly reason: string };

export interface McpServers {
  /** Pins of the open reply, or of the last one. Without network access. */
  pins(): readonly McpPin[];
  /** Pins the catalogues, where the reply has none yet. Contract: never rejects, and ends soon after `stop`. */
  open(access: ToolAccess, stop: StopSignal): Promise<void>;
  /**
   * @param serverId Of a pin. @param sessionId Of the server's session in which a task was made; null or left out for
   * any other.
   */
  link(serverId: string, sessionId?: string | null): McpLinkFound;
  /** @param serverId Of a pin. */
  people(serverId: string, callId: string): McpPeople;
  /**
   * Lists the tools of a server that needs a sign-in, and pins them; the reason where that cannot be, as a sentence.
   * Contract: never rejects.
   */
  reopen(
    serverId: string,
    stop: StopSignal,
  ): Promise<{ readonly problem: string; readonly needsSignIn?: boolean } | null>;
  /** The runner is done: sessions that are not kept are ended. Does not wait. */
  close(): void;
}
