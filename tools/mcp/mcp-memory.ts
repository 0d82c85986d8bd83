import type { McpDialect } from "../../protocol/mcp/versions.ts";

/** A memory of a server beyond a link. Contract: nothing here throws or waits. */
export interface McpMemory {
  /** The server's dialect; null before it was asked. */
  readonly dialect: McpDialect | null;
  /** The session of a stateful server that was kept; null for none, and for a server that is not stateful. */
  readonly sessionId: string | null;
  noteDialect(dialect: McpDialect | null): void;
  noteSession(sessionId: string | null): void;
  /** The server says that its tools are others now. */
  noteListChanged(): void;
}
